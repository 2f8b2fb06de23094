"""Amounts said by parts of a unit or of a whole, or by two units: `half an hour`, `nine tenths`, `1 h 30 min`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate.text_figures import VALUES

_PARTS = {"half": 0.5, "third": 1 / 3, "quarter": 0.25, "fifth": 0.2, "eighth": 0.125, "tenth": 0.1}
_COUNTS = {"a": 1.0, "an": 1.0, "forty-five": 45.0} | {word: value for word, value in VALUES.items() if value}
_UNITS = (
    "second|minute|hour|day|week|fortnight|month|year|decade|metre|meter|kilometre|kilometer|km|kilo|kilogram|gram|"
    "litre|liter|percent|gigabyte|megabyte|gb|mb|dollar|euro"
)
_COUNT = rf"(?P<count>\d{{1,6}}|{'|'.join(_COUNTS)})"
_PATTERNS = (
    rf"(?:a )?half(?: an? |-| | of an? )(?P<unit>{_UNITS})\b",  # half an hour
    rf"(?P<count>an?|one|two|three)[ -](?P<part>quarter|third)s? of an? (?P<unit>{_UNITS})\b",
    rf"{_COUNT}[ -](?P<unit>(?:{_UNITS})s?) and an? (?P<more>half|quarter)\b",  # an hour and a half
    rf"{_COUNT} and an? (?P<more>half|quarter) (?P<unit>(?:{_UNITS})s?)\b",  # two and a half hours
    r"(?P<count>two|three|four|five|seven|nine)[ -](?P<part>third|quarter|fifth|eighth|tenth)s\b(?! of an? )",
)
# What a figure is told of that has no digits: `within a week`, `a fortnight`, `half the price`.
_WHOLES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:within|after|lasts?|takes?|up to) (?P<said>an? (?P<unit>hour|day|week|month|year))"
        r"(?![\w'-]| (?:long|or|and))",
        r"\b(?P<said>an? (?P<unit>fortnight|decade))(?![\w-])",
        rf"(?<!first )(?<!second )(?<!other )\b(?P<said>half(?: of)?) (?:the|your|their|its)\b"
        rf"(?! (?:{_UNITS}|night)\b)",
    )
)
_COUNTED = rf"(?<![\w.,:-])(?<!between )(?P<big>\d{{1,6}}|{'|'.join(_COUNTS)})"
_FURTHER = rf",? ?(?:and )?(?P<small>\d{{1,3}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))}) ?"
_HOURS, _MINUTES = "(?:h|hrs?|hours?)", "(?:m|mins?|minutes?)"
_TWO = tuple(
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


def fractions(text: str) -> Iterator[tuple[float, str, int, int]]:
    """(value, name of its unit or `%`, start, end) of all such amounts; those of a whole in percent."""
    yield from _two(text)
    for pattern in _WHOLES:
        for match in pattern.finditer(text):
            unit = match.groupdict().get("unit")
            yield 1.0 if unit else 50.0, (unit or "%").lower(), *match.span("said")
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


def parts_named(text: str) -> Iterator[tuple[float, int, int]]:
    """(share, start, end) of every part of a whole that a text names, of what it may be: the half of `half price`."""
    yield from ((_PARTS[match[0].lower()], *match.span()) for match in _PART.finditer(text))


def _two(text: str) -> Iterator[tuple[float, str, int, int]]:
    """What is told by a unit and its next smaller one, in the smaller one."""
    for pattern, factor, unit in _TWO:
        for match in pattern.finditer(text):
            big, small = (_COUNTS.get(said.lower()) or float(said) for said in (match["big"], match["small"]))
            if 0 < small < factor:
                yield big * factor + small, unit, *match.span()
