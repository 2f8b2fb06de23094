"""Amounts said by parts of a unit or of a whole: `half an hour`, `a year and a half`, `nine tenths`."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PARTS = {"half": 0.5, "third": 1 / 3, "quarter": 0.25, "fifth": 0.2, "eighth": 0.125, "tenth": 0.1}
_COUNTS = {"a": 1.0, "an": 1.0, "one": 1.0} | {
    word: float(i)
    for i, word in enumerate(
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 2
    )
}
_UNITS = (
    "second|minute|hour|day|week|fortnight|month|year|decade|metre|meter|kilometre|kilometer|km|kilo|kilogram|gram|"
    "percent|gigabyte|megabyte|gb|mb|dollar|euro"
)
_COUNT = rf"(?P<count>\d{{1,6}}|{'|'.join(_COUNTS)})"
_PATTERNS = (
    rf"(?:a )?half(?: an? |-| of an? )(?P<unit>{_UNITS})\b",  # half an hour
    rf"(?P<count>an?|one|two|three)[ -](?P<part>quarter|third)s? of an? (?P<unit>{_UNITS})\b",
    rf"{_COUNT}[ -](?P<unit>(?:{_UNITS})s?) and an? (?P<more>half|quarter)\b",  # an hour and a half
    rf"{_COUNT} and an? (?P<more>half|quarter) (?P<unit>(?:{_UNITS})s?)\b",  # two and a half hours
    r"(?P<count>two|three|four|five|seven|nine)[ -](?P<part>third|quarter|fifth|eighth|tenth)s\b(?! of an? )",
)
_FRACTIONS = tuple(re.compile(rf"(?<![\w.-]){pattern}", re.IGNORECASE) for pattern in _PATTERNS)


def fractions(text: str) -> Iterator[tuple[float, str, int, int]]:
    """(value, name of its unit or `%`, start, end) of all such amounts; those of a whole in percent."""
    for pattern in _FRACTIONS:
        for match in pattern.finditer(text):
            named = {name: found.lower() for name, found in match.groupdict().items() if found}
            value = _COUNTS.get(named.get("count", "a")) or float(named["count"])
            if "part" in named:
                value *= _PARTS[named["part"]]
            elif "more" in named:
                value += _PARTS[named["more"]]
            else:
                value *= _PARTS["half"]
            unit = named.get("unit", "")
            yield (value if unit else round(100 * value, 9)), unit or "%", *match.span()
