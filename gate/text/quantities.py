"""Amounts in text by value: figures, number words and fractions with their units, money, dates and times."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from gate.text.dates import (
    COUNTS,
    clocks,
    dates,
    day_of,
    days,
    not_overlapping,
    ordinals,
    other_date,
    other_time,
    period,
    versions,
)

_TEENS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_SMALL = ["zero", *COUNTS, *_TEENS.split()]
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_VALUES = {word: float(i) for i, word in enumerate(_SMALL)} | {
    word: 10.0 * i for i, word in enumerate(_TENS.split(), 2)
}
_POWERS = {"dozen": 12.0,
          "hundred": 1e2, "thousand": 1e3, "k": 1e3, "lakh": 1e5, "lakhs": 1e5, "million": 1e6, "mn": 1e6, "m": 1e6,
          "crore": 1e7, "crores": 1e7, "billion": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12}  # fmt: skip
# Units that tell a decimal comma (`1,5 kg`) and blanks between thousands (`1 200 euros`) from a list of figures.
_MEASURED = (
    r"(?:[ -]?(?:[€$£%]|(?:euros?|eur|dollars?|usd|pounds?|gbp|chf|francs?|[kcm]?m|m?g|kg|kilos?|kilograms?|[cm]?l"
    r"|(?:kilo|centi|milli)?met(?:re|er)s?|lit(?:re|er)s?|h|hours?|days?|weeks?|months?|years?|minutes?|seconds?|min|sec"
    r"|m?s|[kmgt]i?b|per ?cent|million|billion)(?!\w)))"
)
_COMMA = (
    rf"\d{{1,6}},\d{{1,2}}(?![\d,])(?=(?:[ ]?(?:-|to)[ ]?\d{{1,6}}(?:,\d{{1,2}})?)?{_MEASURED})"
    r"|(?:(?<=[€$£])|(?<=[€$£][ ]))\d{1,6},\d{1,2}(?![\d,])"
)
_DIGITS = (
    rf"(?<!\d)(?:\d{{1,3}}(?:\.\d{{3}}){{1,5}},\d{{1,2}}(?!\d)|(?P<comma>{_COMMA})"
    rf"|\d{{1,3}}(?:[ ]000){{1,5}}(?!\d)|\d{{1,3}}(?:[ ]\d{{3}}){{1,5}}(?!\d)(?={_MEASURED})"
    r"|\d{1,3}(?:'\d{3}){1,5}(?!\d)|\d{1,3}(?:,\d{2,3}){1,8}(?!\d)(?:\.\d{1,15})?|\d{1,20}(?!\d)(?:\.\d{1,15})?)"
)
_NAMES = "|".join([*_VALUES, "dozen", "hundred", "thousand", "million"])
_ONES = "|".join(_SMALL[1:10])
_UNDER = (  # under a hundred; number words that make none together are several: `one seven days after`
    rf"(?:(?:{_TENS.replace(' ', '|')})\b(?:[ -](?:{_ONES})\b)?|(?:{'|'.join(_SMALL[10:])}|{_ONES})\b)"
)
_LAST = rf"(?:[ -](?:and )?{_UNDER}(?![ -]hundred\b))?"  # `two hundred and three hundred` are two
_GROUP = rf"(?:(?:{_UNDER}[ -])?hundred\b{_LAST}|(?:{_UNDER}[ -])?dozen\b|{_UNDER})"
_THOUSANDS = rf"(?:{_GROUP}[ -])?thousand\b"
_REST = rf"(?:[ -](?:and )?{_GROUP}(?![ -](?:thousand|million)\b))?"
_AFTER = "|".join(rf"(?<=\b{word}-)" for word in _ONES.split("|"))  # `two-three days`, but not `utf-eight`
_SPELLED = (
    rf"(?<![\w.])(?=(?:{_NAMES})\b)(?:(?<!-)|{_AFTER})"
    rf"(?P<word>(?:{_GROUP}[ -])?million\b(?:[ -](?:and )?{_THOUSANDS})?{_REST}|{_THOUSANDS}{_REST}|{_GROUP}|zero\b)"
)
_BLANKS = re.compile(r"[ ,']")
_DOTTED = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_PARTS = {"half": 0.5, "third": 1 / 3, "quarter": 0.25, "fifth": 0.2, "eighth": 0.125, "tenth": 0.1}
_FACTORS = {"a": 1.0, "an": 1.0, "forty-five": 45.0} | {word: value for word, value in _VALUES.items() if value}
_PARTED_UNITS = (
    "second|minute|hour|day|week|fortnight|month|year|decade|metre|meter|kilometre|kilometer|km|kilo|kilogram|gram|"
    "litre|liter|percent|gigabyte|megabyte|gb|mb|dollar|euro"
)
_COUNT = rf"(?P<count>\d{{1,6}}|{'|'.join(_FACTORS)})"
_PATTERNS = (
    rf"(?:a )?half(?: an? |-| | of an? )(?P<unit>{_PARTED_UNITS})\b",  # half an hour
    rf"(?P<count>an?|one|two|three)[ -](?P<part>quarter|third)s? of an? (?P<unit>{_PARTED_UNITS})\b",
    rf"{_COUNT}[ -](?P<unit>(?:{_PARTED_UNITS})s?) and an? (?P<more>half|quarter)\b",  # an hour and a half
    rf"{_COUNT} and an? (?P<more>half|quarter) (?P<unit>(?:{_PARTED_UNITS})s?)\b",  # two and a half hours
    r"(?P<count>two|three|four|five|seven|nine)[ -](?P<part>third|quarter|fifth|eighth|tenth)s\b(?! of an? )",
)
# Amounts without a number: `within a week`, `a fortnight`, `half the price`.
_WHOLES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:within|after|lasts?|takes?|up to) (?P<said>an? (?P<unit>hour|day|week|month|year))"
        r"(?![\w'-]| (?:long|or|and))",
        r"\b(?P<said>an? (?P<unit>fortnight|decade))(?![\w-])",
        rf"(?<!first )(?<!second )(?<!other )\b(?P<said>half(?: of)?) (?:the|your|their|its)\b"
        rf"(?! (?:{_PARTED_UNITS}|night)\b)",
    )
)
_COUNTED = rf"(?<![\w.,:-])(?<!between )(?P<big>\d{{1,6}}|{'|'.join(_FACTORS)})"
_FURTHER = rf",? ?(?:and )?(?P<small>\d{{1,3}}|{'|'.join(sorted(_FACTORS, key=len, reverse=True))}) ?"
_HOURS, _MINUTES = "(?:h|hrs?|hours?)", "(?:m|mins?|minutes?)"
_COMPOUND = tuple(
    (re.compile(rf"{_COUNTED}[ -]?{big}{_FURTHER}{small}(?!\w)", re.IGNORECASE), factor, unit)
    for big, small, factor, unit in (
        (_HOURS, _MINUTES, 60, "minute"),
        ("(?:mins?|minutes?)", "(?:s|secs?|seconds?)", 60, "second"),
        ("days?", _HOURS, 24, "hour"),
        ("weeks?", "days?", 7, "day"),
        ("(?:yrs?|years?)", "months?", 12, "month"),
    )
)
_PART = re.compile(rf"\b(?:{'|'.join(_PARTS)})\b", re.IGNORECASE)
_FRACTIONS = tuple(re.compile(rf"(?<![\w.-]){pattern}", re.IGNORECASE) for pattern in _PATTERNS)
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
    rf"(?:(?<![\w.])(?P<sign>[-+])(?=\d))?(?P<num>{_DIGITS})(?P<ord>(?:st|nd|rd|th)\b)?|{_SPELLED}",
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


def yeardays(number: Number) -> set[float]:
    """The days of a year that a date may be, as a `yearday` has them."""
    values = [number.value] if number.other is None else [number.value, number.other]
    return {day_of(date.fromordinal(int(value))) if number.unit == "date" else value for value in values}


def numbers(text: str) -> list[Number]:
    """All amounts of `text` (best normalised) by place. Digits inside names (`utf-8`, `sha256`), versions: none."""
    special = list(_special(text))
    taken = sorted([(n.start, n.end) for n in special] + [(start, end) for _, start, end in versions(text)])
    matches = {match.span(): match for match in _NUMBER.finditer(text)}
    found: list[Number] = []
    for span in not_overlapping(list(matches), taken):
        inside = found and span[0] < found[-1].end  # the "million" of "3.5 million"
        if not inside and (number := _number_of(text, matches[span])):
            found.append(replace(number, per=period(text, number.end)))
    return sorted([*special, *_ranges(text, found)], key=lambda number: number.start)


def _special(text: str) -> Iterator[Number]:
    """Dates, times of day, ordinals and fractions of a unit, kind by kind."""
    for value, start, end in dates(text):
        yield Number(float(value), "date", start, end, other_date(text[start:end]))
    yield from (Number(float(value), "yearday", start, end) for value, start, end in days(text))
    for value, start, end in clocks(text):
        yield Number(float(value), "clock", start, end, other_time(value, text[start:end]))
    yield from (Number(float(value), "ordinal", start, end) for value, start, end in ordinals(text))
    for share, name, start, end in _fractions(text):
        yield replace(_with_named_unit(share, name, start, end), per=period(text, end))


def _with_named_unit(value: float, name: str, start: int, end: int) -> Number:
    """An amount whose unit `_fractions` has named."""
    if size := _SIZE.fullmatch(name):
        return _sized(value, size, start, end)
    if name in _CURRENCIES:
        return Number(value, _CURRENCIES[name], start, end)
    unit, scale = _UNITS[name]
    return Number(value * scale, unit, start, end)


def _number_of(text: str, match: re.Match[str]) -> Number | None:
    if match["word"]:  # "one" alone is a pronoun more often than an amount: it counts with a unit of measure only
        number = _with_unit(text, match.span(), _value_of(match), "")
        alone = match["word"].lower() == "one" and not _TO_MORE.match(text, match.end())
        return number if number.unit in KNOWN or not alone else None
    start, end = match.span("num")
    before = text[max(0, start - 2) : start] if not match["pre"] and not match["sign"] else ""
    if before[-1:].isalpha() or before[-1:] in ("_", ".", "^") or (before[-1:] in ("-", "/") and before[:1].isalpha()):
        return None  # a part of a name: sha256, utf-8, HTTP/2
    value = _value_of(match)
    if match["ord"]:
        return Number(value, "ordinal", match.start(), match.end())
    currency = _CURRENCIES.get((match["pre"] or "").rstrip(".").lower(), "")
    number = _with_unit(text, (match.start(), end), value, currency)
    # `2.500 euros` are more often 2,500 than two and a half.
    thousands = number.other is None and _DOTTED.fullmatch(match["num"])
    return replace(number, other=1e3 * number.value) if thousands else number


def _with_unit(text: str, span: tuple[int, int], value: float, currency: str) -> Number:
    start, end = span
    found = _UNIT.match(text, end)
    power = _POWERS.get(found[1].lower(), 0.0) if found else 0.0
    if found and power and (currency or len(found[1]) > 1 or found[1] == "k"):
        value, end = value * power, found.end()
        found = _UNIT.match(text, end)
    word = found[1].lower() if found else ""
    if currency or not found or word in _FUNCTION or word in _VALUES:  # `two three-day passes`
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
        bare = _value_of(written) if written else 0.0
        if not a.unit and b.unit in KNOWN and bare and b.start - a.end < 12 and _RANGE.fullmatch(text, a.end, b.start):
            other = None if b.other is None else a.value * b.other / bare
            out[i] = Number(a.value * b.value / bare, b.unit, a.start, a.end, other, b.per)
    return out


def _value_of(match: re.Match[str]) -> float:
    """The value as written, without its unit; the match has the groups of _DIGITS and _SPELLED, `num` and `sign`."""
    if match["num"]:
        return _figure(match["num"], bool(match["comma"])) * (-1 if match["sign"] == "-" else 1)
    total = current = 0.0
    for word in re.findall(r"[a-z]+", match["word"].lower()):
        if word in _POWERS:
            current = (current or 1.0) * _POWERS[word]
            if _POWERS[word] > 100:
                total, current = total + current, 0.0
        elif word != "and":
            current += _VALUES[word]
    return total + current


def _figure(written: str, comma: bool) -> float:
    if comma or (written.count(",") == 1 and "." in written and written.index(".") < written.index(",")):
        return float(written.replace(".", "").replace(",", "."))
    return float(_BLANKS.sub("", written))


def _fractions(text: str) -> Iterator[tuple[float, str, int, int]]:
    """(value, name of its unit or `%`, start, end) of all such amounts; those of a whole in percent."""
    yield from _compound(text)
    for pattern in _WHOLES:
        for match in pattern.finditer(text):
            unit = match.groupdict().get("unit")
            yield 1.0 if unit else 50.0, (unit or "%").lower(), *match.span("said")
    for pattern in _FRACTIONS:
        for match in pattern.finditer(text):
            named = {name: found.lower() for name, found in match.groupdict().items() if found}
            value = _FACTORS.get(named.get("count", "a")) or float(named["count"])
            if "part" in named:
                value *= _PARTS[named["part"]]
            elif "more" in named:
                value += _PARTS[named["more"]]
            else:
                value *= _PARTS["half"]
            unit = named.get("unit", "")
            yield (value if unit else round(100 * value, 9)), unit or "%", *match.span()


def parts_named(text: str) -> Iterator[tuple[float, int, int]]:
    """(share, start, end) of every part of a whole that a text names, of what it may be: the half of `half price`."""
    yield from ((_PARTS[match[0].lower()], *match.span()) for match in _PART.finditer(text))


def _compound(text: str) -> Iterator[tuple[float, str, int, int]]:
    """Amounts in a unit and the next smaller one (`1 h 30 min`), in the smaller one."""
    for pattern, factor, unit in _COMPOUND:
        for match in pattern.finditer(text):
            big, small = (_FACTORS.get(word.lower()) or float(word) for word in (match["big"], match["small"]))
            if 0 < small < factor:
                yield big * factor + small, unit, *match.span()
