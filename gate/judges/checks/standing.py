"""Whether a sentence has an amount of the claim, in whatever clothes: `7 days` and `a week`, `2 days` and the `2` of a
row of days, `16-year-old` and `aged 16`."""

from __future__ import annotations

import re

from gate.judges.alignment import Alignment
from gate.judges.lexicon import listed
from gate.judges.measured import MEASURES
from gate.judges.reading import Reading
from gate.text import Number, numbers, same, stem
from gate.text_numbers import yeardays

_SPEAKS = 0.3  # coverage of a claim from which a sentence outside of its window speaks of it
_MONEY = listed("USD EUR GBP CHF")
_NAMED = listed("date yearday")  # their values are counted, not written
_COINS = listed("cent cents pence p")
_OF_AGE = re.compile(r"[ -]old\b|[ -]of age\b", re.IGNORECASE)
_AGE = listed("age aged ages old")
_AGES = listed("age aged ages old older under over younger")
_WORKING = listed("working business calendar bank")  # days of a kind are no mere days
_FEASTS = (
    ("new year's day", 1, 1), ("christmas eve", 12, 24), ("christmas day", 12, 25), ("boxing day", 12, 26),
    ("new year's eve", 12, 31),
)  # fmt: skip
_LAST = re.compile(r"[\s-]{0,3}[^\W\d_]+$")
_WORD = re.compile(r"[ -]?([^\W\d_]+)")
# One of a unit without a figure; but for `once a week`, and what stands behind an amount as its period.
_ONE = re.compile(
    r"(?<!once )(?<!twice )\b(?:an?|(?:a |one )?(?:single|full|whole))[ -]"
    r"(?=(?:second|minute|hour|day|week|fortnight|month|year|kilometre|kilometer|metre|meter|kilo|kilogram)\b)",
    re.IGNORECASE,
)


def stands(alignment: Alignment, number: Number, place: int) -> bool:
    """Whether a sentence has the amount, or, for one without a unit, the figure as it is written."""
    claim, reading = alignment.claim, alignment.sentences[place].reading
    if any(equal(number, other) for other in reading.numbers) or _feast(number, reading):
        return True
    said = claim.plain[number.start : number.end].split()[0]
    bare = not number.unit and not number.per
    if number.value == 1 and number.unit not in MEASURES and "one" in reading.words:  # too often no amount to be read
        return True
    if (bare or "." in said) and said[:1].isdigit() and written(said, reading.plain):
        return True
    # What is said in other clothes counts where the sentence speaks of the claim.
    if not alignment.first <= place < alignment.last and alignment.shares[place] < _SPEAKS:
        return False
    if number.unit == "ordinal" and _counted(number, reading):
        return True
    if bare:
        return any(figure(other, reading) == number.value for other in reading.numbers)
    return any(equal(number, other) for other in _ones(number, reading)) or _bare(alignment, number, place)


def _feast(number: Number, reading: Reading) -> bool:
    """Whether a sentence names the feast that a day of the year is: `New Year's Day` for 1 January."""
    if number.unit not in ("date", "yearday"):
        return False
    said, mine = reading.plain.lower(), yeardays(number)
    return any(31 * month + day in mine and name in said for name, month, day in _FEASTS)


def written(figure: str, text: str) -> bool:
    """Whether a figure stands in a text as it is, no part of another."""
    return re.search(rf"(?<![\w.]){re.escape(figure)}(?![\d])", text) is not None


def equal(a: Number, b: Number) -> bool:
    """Whether the claim's amount is that of a document, which may have left out its unit."""
    if same(a, b):
        return True
    if other_period(a, b):
        return False
    if not a.unit and b.unit == "clock":  # "between 3 and 7 pm": the first end has no unit of its own
        return b.value in (60 * a.value, 60 * (a.value + 12))
    for coins, money in ((a, b), (b, a)):
        if coins.unit in _COINS and money.unit in _MONEY:
            return abs(coins.value - 100 * money.value) < 1e-6
    other = a.unit == "%" and b.unit  # `10 users` are no 10 %
    return b.unit not in MEASURES and a.value == b.value and a.unit not in _NAMED and not other  # `timeout=10` for 10 s


def other_period(a: Number, b: Number) -> bool:
    """Whether two amounts are for two periods."""
    return bool(a.per and b.per) and a.per != b.per


def figure(number: Number, reading: Reading) -> float:
    """The value as written, without its unit."""
    said = reading.plain[number.start : number.end].strip()
    found = numbers(_LAST.sub("", said) or said)
    return found[0].value if found else 1.0 if said.lower().startswith("one") else number.value


def _counted(number: Number, reading: Reading) -> bool:
    """Whether a place among days is told as so many days: `the 14th day`, of `14 days` or `seven and 14 days`."""
    if "day" not in reading.keys:
        return False
    return any(other.unit in ("", "s", "day") and figure(other, reading) == number.value for other in reading.numbers)


def _ones(number: Number, reading: Reading) -> list[Number]:
    """The amounts that a sentence says as one of their unit: `an hour`, `a single day`."""
    if number.unit not in MEASURES:
        return []
    ends = [other.end for other in reading.numbers if other.per]

    def one(match: re.Match[str]) -> str:
        return match[0] if any(0 <= match.start() - end <= 2 for end in ends) else "1 "

    text = _ONE.sub(one, reading.plain)
    return numbers(text) if text != reading.plain else []


def _bare(alignment: Alignment, number: Number, place: int) -> bool:
    """Whether the figure of a measure stands without it: the unit behind another word (`6 unused days`), elsewhere in
    the sentence or in the head of its table (`| Days | 5 |`), or an age (`aged 16`)."""
    claim, reading = alignment.claim, alignment.sentences[place].reading
    unit = _LAST.search(claim.plain[number.start : number.end].strip())
    if number.unit not in MEASURES or not unit:
        return False
    name, value = stem(unit[0].strip(" -").lower()), figure(number, claim)
    of_age = _OF_AGE.match(claim.plain, number.end) or (name == "year" and claim.words & _AGE)
    aged = of_age and reading.words & _AGES
    near = name in reading.keys or name in alignment.sentences[place].context
    if value == 1 and near and "one" in reading.words:  # `3 to 5 days, express delivery one`
        return True
    for other in reading.numbers:
        if other.unit in MEASURES or other.value != value or other_period(number, other):
            continue
        if stem(other.per) == name:  # `four a day` are no days
            continue
        behind = _WORD.match(reading.plain, other.end)
        if other.unit and other.unit not in _WORKING and behind and stem(behind[1].lower()) == name:
            return True
        if not other.unit and (aged or near):
            return True
    return False
