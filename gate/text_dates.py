"""Dates, clock times and versions in text: what looks like numbers and is compared in a way of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

_MONTH_LIST = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTHS = _MONTH_LIST.split()
_MONTH = rf"(?P<{{0}}>{'|'.join(_MONTHS)})[a-z]{{{{0,6}}}}\.?"
_DATE = re.compile(
    r"\b(?P<y1>[12]\d{3})-(?P<m1>[01]\d)-(?P<d1>[0-3]\d)(?!\d)"
    rf"|\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTH.format('m2')},? (?P<y2>[12]\d{{3}})\b"
    rf"|\b{_MONTH.format('m3')} (?P<d3>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y3>[12]\d{{3}})\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?<![\w:.])(\d{1,2})(?::([0-5]\d)(?::[0-5]\d)?)?(?:[ \t]?([ap])\.?m\b\.?)?(?![\w:])", re.IGNORECASE
)
_VERSION = re.compile(
    r"(?<![\w.])(?:v(?:ersions?[ \t]?)?)?(\d{1,6}(?:\.\d{1,6}){2,11}"
    r"|(?:(?<=v)|(?<=version )|(?<=versions ))\d{1,6}(?:\.\d{1,6})?)"
    r"[-.]?(?:(?:a|b|rc|alpha|beta|dev|post)\.?\d{0,4})?(?!\w|\.\d)",
    re.IGNORECASE,
)
Span = tuple[int, int]


def dates(text: str) -> list[tuple[int, int, int]]:
    """Calendar dates with a year (`2024-01-15`, `15 January 2024`, `Jan 15, 2024`): (day number, start, end)."""
    found = []
    for match in _DATE.finditer(text):
        year, month, day = (next(match[f"{part}{i}"] for i in "123" if match[f"{part}{i}"]) for part in "ymd")
        number = int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
        try:
            found.append((date(int(year), number, int(day)).toordinal(), *match.span()))
        except ValueError:
            continue
    return found


def clocks(text: str) -> list[tuple[int, int, int]]:
    """Times of day (`14:30`, `5 pm`): (minutes after midnight, start, end)."""
    found = []
    for match in _CLOCK.finditer(text):
        hour, minute = int(match[1]), int(match[2] or 0)
        if not (match[2] or match[3]) or 60 * hour + minute > (12 * 60 + 59 if match[3] else 24 * 60):
            continue  # nobody means an hour by it, or there is no such hour: `24:45`, `13 pm`
        hour = hour % 12 + (12 if match[3] in ("p", "P") else 0) if match[3] else hour
        found.append((60 * hour + minute, *match.span()))
    return found


def versions(text: str) -> list[tuple[str, int, int]]:
    """Versions (`1.2.3`, `v2`, `version 3.11`): (digits and dots, start, end of the digits)."""
    spans = [(m.start(1), m.end(1)) for m in _VERSION.finditer(text)]
    return [(text[start:end], start, end) for start, end in outside(spans, ((d[1], d[2]) for d in dates(text)))]


def outside(spans: list[Span], taken: Iterable[Span]) -> list[Span]:
    """Those of `spans` that overlap none of `taken`; both in ascending order, merged in one pass."""
    free, rest = [], iter(taken)
    block = next(rest, None)
    for start, end in spans:
        while block and block[1] <= start:
            block = next(rest, None)
        if not block or end <= block[0]:
            free.append((start, end))
    return free
