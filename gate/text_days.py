"""Days of the week in text: `Mon-Fri`, `Monday through Friday`, `on Fridays`, `weekdays`, `every day`."""

from __future__ import annotations

import re

WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SHORT = "mon|tues?|wed|thu(?:rs?)?|fri|sat|sun"
_ABBREVIATED = re.compile(rf"\b({_SHORT})\.?( ?- ?| to | through )({_SHORT})\b\.?", re.IGNORECASE)
_NAMES = "|".join(WEEK)
_RANGE = re.compile(rf"\b({_NAMES})s? ?(?:-|to|through|thru|until|till) ?({_NAMES})s?\b", re.IGNORECASE)
_NAME = re.compile(rf"\b({_NAMES})s?\b", re.IGNORECASE)
_GROUPS = (
    (re.compile(r"\bweekdays?\b", re.IGNORECASE), range(5)),
    (re.compile(r"\bweekends?\b", re.IGNORECASE), range(5, 7)),
    # `daily from 9`, but not `the daily limit`
    (
        re.compile(
            r"\b(?:daily|every day|each day)(?= (?:from|between|at|until|except|\d)|\s*[.,;)]|$)", re.IGNORECASE
        ),
        range(7),
    ),
)


def named_days(text: str) -> str:
    """`text` with the days of a range in full: `Mon-Fri` is said as `Monday to Friday`."""
    return _ABBREVIATED.sub(lambda found: f"{_full(found[1])} to {_full(found[3])}", text)


def _full(name: str) -> str:
    return next(day for day in WEEK if day.lower().startswith(name[:3].lower()))


def week_of(text: str) -> frozenset[int]:
    """The days of the week that a text names, ranges and `weekdays` spelled out; Monday is 0."""
    found = {day for span in ranges(text) for day in span}
    found.update(_index(name) for name in _NAME.findall(text))
    for group, days in _GROUPS:
        found.update(days if group.search(text) else ())
    return frozenset(found)


def ranges(text: str) -> list[frozenset[int]]:
    """The days of each range from one day to another."""
    spans = []
    for a, b in _RANGE.findall(named_days(text)):
        first, last = _index(a), _index(b)
        spans.append(frozenset(range(first, last + 1) if first <= last else {*range(first, 7), *range(last + 1)}))
    return spans


def _index(name: str) -> int:
    return WEEK.index(name.capitalize())
