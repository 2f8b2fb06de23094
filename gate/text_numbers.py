"""Numbers in text by value: amounts with their units, money, durations, sizes, lengths, dates and clock times."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from gate.text_dates import again, clocks, dates, day_of, days, outside, turned, versions
from gate.text_figures import DIGITS, POWERS, SPELLED, SPELT, thousands, value_of
from gate.text_fractions import fractions
from gate.text_ordinals import ordinals
from gate.text_periods import period

_CURRENCIES = {"$": "USD", "us$": "USD", "usd": "USD", "dollar": "USD", "dollars": "USD", "€": "EUR", "eur": "EUR",
               "euro": "EUR", "euros": "EUR", "£": "GBP", "gbp": "GBP", "pounds": "GBP", "₹": "INR", "rs": "INR",
               "inr": "INR", "rupee": "INR", "rupees": "INR", "¥": "JPY", "jpy": "JPY", "yen": "JPY",
               "chf": "CHF", "francs": "CHF"}  # fmt: skip
_MEASURES = {  # a later name goes before an earlier one: `ms` are milliseconds, not several `m`
    "mm millimetre millimeter": ("metre", 1e-3), "cm centimetre centimeter": ("metre", 1e-2),
    "m metre meter": ("metre", 1.0), "km kilometre kilometer": ("metre", 1e3),
    "ml millilitre milliliter": ("litre", 1e-3), "cl centilitre centiliter": ("litre", 1e-2),
    "l litre liter": ("litre", 1.0),
    "mg milligram": ("gram", 1e-3), "g gram gramme": ("gram", 1.0), "kg kilo kilogram": ("gram", 1e3),
    "ns nanosecond": ("s", 1e-9), "us µs μs microsecond": ("s", 1e-6), "ms msec millisecond": ("s", 1e-3),
    "s sec second": ("s", 1.0), "min minute": ("s", 60.0), "h hr hour": ("s", 3600.0), "day": ("s", 86400.0),
    "week": ("s", 604800.0), "fortnight": ("s", 1209600.0), "month": ("month", 1.0), "year yr": ("month", 12.0),
    "decade": ("month", 120.0), "% percent pct percentage": ("%", 1.0),
}  # fmt: skip
_UNITS = {form: unit for names, unit in _MEASURES.items() for name in names.split() for form in (name, name + "s")}
# unit -> what one of a name for it is in that unit: 60 of a minute in seconds
SCALES = {unit: frozenset(scale for other, scale in _UNITS.values() if other == unit) for unit, _ in _UNITS.values()}
MONEY = frozenset(_CURRENCIES.values())
_OWN = frozenset({"ordinal", "date", "yearday", "clock"})  # no words of a text: `1 date` is one of something
KNOWN = frozenset({"s", "month", "%", "B", "bit", "metre", "gram", "litre", *MONEY})
_SIZE = re.compile(r"(k|m|g|t|p)?(i)?(b|bytes?|bits?)|(kilo|mega|giga|tera|peta)(bytes?)")
_FUNCTION_LIST = (
    "to and or of in on at for from by with as is are was were if but than the a an per that which not only i you we "
    "they he she it this these those there when where while until unless because so then can cannot could will would "
    "may might must should has have had do does did till never always also ever"
)
_FUNCTION = frozenset(_FUNCTION_LIST.split())
_NUMBER = re.compile(
    r"(?:(?P<pre>us\$|[$€£¥₹]|\b(?:usd|eur|gbp|inr|rs|jpy|chf)\b\.?)[ \t]{0,2})?"
    rf"(?:(?<![\w.])(?P<sign>[-+])(?=\d))?(?P<num>{DIGITS})(?P<ord>(?:st|nd|rd|th)\b)?|{SPELLED}",
    re.IGNORECASE,
)
_UNIT = re.compile(r"[ \t]{0,2}-?(per cent|[A-Za-zµμ%$€£¥₹]{1,14})(?!\w|'t\b)", re.IGNORECASE)
_SPAN = re.compile(r"\s{0,2}(?:-|–|—|to)\s{0,2}", re.IGNORECASE)
_TO_MORE = re.compile(r"\s?(?:-|to|or)\s?(?:\d|(?:two|three|four|five|six)\b)", re.IGNORECASE)  # `one to two days`
_RANGE = re.compile(r"\s{0,2}(?:-|–|—|to|and|or|through)\s{0,2}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Number:
    """One amount: `value` in `unit` at text[start:end].

    Units: none, `%`, `s` (durations up to weeks, in seconds), `month` (months and years), `B` and `bit` (sizes with
    decimal prefixes; `other` with binary ones), `metre`, `gram`, `litre`, currencies by ISO code, `ordinal`, `date`
    (day number), `yearday` (a day without its year), `clock` (minutes after midnight), or the next word in lower case
    (`retries`), which is a guess: see `known`. `other` is what else it may mean (`2.500` is 2500 too). `per` is the
    period of a rate (`Rs 800 a month`: month), which stands behind `end`.
    """

    value: float
    unit: str
    start: int
    end: int
    other: float | None = None
    per: str = ""

    @property
    def known(self) -> bool:
        """Whether the unit is a measure and not merely the word behind the number."""
        return self.unit in KNOWN or self.unit in _OWN


def same(a: Number, b: Number) -> bool:
    """Whether two amounts are equal: by value, in the same unit, for the same period where both name one; 2 GB equals
    both 2000 MB and 2048 MB, and 50 % a bare 0.5."""
    if {a.unit, b.unit} == {"date", "yearday"}:  # `by 1 September`, of a document that names the year
        return not yeardays(a).isdisjoint(yeardays(b))
    if {a.unit, b.unit} == {"s", "month"}:  # 365 days are a year; a month has no length
        days, months = (a.value / 86400, b.value) if a.unit == "s" else (b.value / 86400, a.value)
        return months % 12 == 0 and days == 365 * months / 12
    left, right = (_values(n, of_one=a.unit != b.unit) for n in (a, b))
    if a.unit != b.unit and ({a.unit, b.unit} != {"%", ""} or not 0 < left[0] < 1):
        return False
    alike = any(abs(x - y) <= 1e-9 * max(abs(x), abs(y)) for x in left for y in right)
    return alike and (a.per == b.per or not (a.per and b.per))


def yeardays(number: Number) -> set[float]:
    """The days of a year that a date may be, as a `yearday` has them."""
    values = [number.value] if number.other is None else [number.value, number.other]
    return {day_of(date.fromordinal(int(value))) if number.unit == "date" else value for value in values}


def _values(number: Number, of_one: bool) -> list[float]:
    """What an amount may mean; a percentage as a share `of_one` where it is compared with a bare number."""
    if of_one and number.unit == "%":
        return [number.value / 100]
    return [number.value] if number.other is None else [number.value, number.other]


def numbers(text: str) -> list[Number]:
    """All amounts of `text` (best normalised) by place. Digits inside names (`utf-8`, `sha256`), versions: none."""
    special = list(_special(text))
    taken = sorted([(n.start, n.end) for n in special] + [(start, end) for _, start, end in versions(text)])
    matches = {match.span(): match for match in _NUMBER.finditer(text)}
    found: list[Number] = []
    for span in outside(list(matches), taken):
        inside = found and span[0] < found[-1].end  # the "million" of "3.5 million"
        if not inside and (number := _read(text, matches[span])):
            found.append(replace(number, per=period(text, number.end)[0]))
    return sorted([*special, *_ranges(text, found)], key=lambda number: number.start)


def _special(text: str) -> Iterator[Number]:
    """Dates, times of day, places in a row, and what is told by parts of a unit; by kind."""
    for value, start, end in dates(text):
        yield Number(float(value), "date", start, end, turned(text[start:end]))
    yield from (Number(float(value), "yearday", start, end) for value, start, end in days(text))
    for value, start, end in clocks(text):
        yield Number(float(value), "clock", start, end, again(value, text[start:end]))
    yield from (Number(float(value), "ordinal", start, end) for value, start, end in ordinals(text))
    for share, name, start, end in fractions(text):
        yield replace(_parted(share, name, start, end), per=period(text, end)[0])


def _parted(value: float, name: str, start: int, end: int) -> Number:
    """`half an hour` and its like."""
    if size := _SIZE.fullmatch(name):
        return _sized(value, size, start, end)
    if name in _CURRENCIES:
        return Number(value, _CURRENCIES[name], start, end)
    unit, scale = _UNITS[name]
    return Number(value * scale, unit, start, end)


def _read(text: str, match: re.Match[str]) -> Number | None:
    if match["word"]:  # "one" alone is a pronoun more often than an amount: it counts with a unit of measure only
        number = _with_unit(text, match.span(), value_of(match), "")
        alone = match["word"].lower() == "one" and not _TO_MORE.match(text, match.end())
        return number if number.unit in KNOWN or not alone else None
    start, end = match.span("num")
    before = text[max(0, start - 2) : start] if not match["pre"] and not match["sign"] else ""
    if before[-1:].isalpha() or before[-1:] in ("_", ".", "^") or (before[-1:] in ("-", "/") and before[:1].isalpha()):
        return None  # a part of a name: sha256, utf-8, HTTP/2
    value = value_of(match)
    if match["ord"]:
        return Number(value, "ordinal", match.start(), match.end())
    currency = _CURRENCIES.get((match["pre"] or "").rstrip(".").lower(), "")
    number = _with_unit(text, (match.start(), end), value, currency)
    return replace(number, other=1e3 * number.value) if number.other is None and thousands(match["num"]) else number


def _with_unit(text: str, span: tuple[int, int], value: float, currency: str) -> Number:
    start, end = span
    found = _UNIT.match(text, end)
    power = POWERS.get(found[1].lower(), 0.0) if found else 0.0
    if found and power and (currency or len(found[1]) > 1 or found[1] == "k"):
        value, end = value * power, found.end()
        found = _UNIT.match(text, end)
    word = found[1].lower() if found else ""
    if currency or not found or word in _FUNCTION or word in SPELT:  # `two three-day passes`
        return Number(value, currency, start, end)
    if size := _SIZE.fullmatch(word):
        return _sized(value, size, start, found.end())
    if word in _CURRENCIES:
        return Number(value, _CURRENCIES[word], start, found.end())
    # "5M" and "5G" are no lengths and weights, and an area is not compared by its side.
    guess = found[1] in ("M", "G") or text.startswith("^", found.end())
    name = "" if guess else "%" if word == "per cent" else word
    unit, scale = _UNITS.get(name, (word if word.isalpha() and word not in _OWN else "", 1.0))
    return Number(value * scale, unit, start, found.end() if unit else end)


def _sized(value: float, size: re.Match[str], start: int, end: int) -> Number:
    prefix = (size[1] or size[4] or "")[:1]
    power = " kmgtp".index(prefix) if prefix else 0
    unit = "bit" if (size[3] or size[5]).startswith("bit") else "B"
    binary = value * 1024.0**power
    if size[2]:
        return Number(binary, unit, start, end)
    return Number(value * 1000.0**power, unit, start, end, binary if power else None)


def _ranges(text: str, found: list[Number]) -> list[Number]:
    """`5 to 10 days`: the first end takes the unit of the second; `Rs 500-800`: the second that of the first."""
    out = list(found)
    for i, (a, b) in enumerate(pairwise(found)):
        if a.unit in MONEY and not b.unit and _SPAN.fullmatch(text, a.end, b.start):
            out[i + 1] = replace(b, unit=a.unit)
        written = _NUMBER.match(text, b.start)
        bare = value_of(written) if written else 0.0
        if not a.unit and b.unit in KNOWN and bare and b.start - a.end < 12 and _RANGE.fullmatch(text, a.end, b.start):
            other = None if b.other is None else a.value * b.other / bare
            out[i] = Number(a.value * b.value / bare, b.unit, a.start, a.end, other, b.per)
    return out
