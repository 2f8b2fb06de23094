"""The period of a rate, behind its amount: `per month`, `a year`, `/h`, `daily`."""

from __future__ import annotations

import re

_PERIODS = {
    "second": "second sec s", "minute": "minute min", "hour": "hour hr h hourly", "day": "day d daily night nightly",
    "week": "week wk weekly", "month": "month mo mth monthly", "quarter": "quarter quarterly",
    "year": "year yr annum p.a. yearly annually",
}  # fmt: skip
_NAMED = {name: period for period, names in _PERIODS.items() for name in names.split()}
_LONG = "minute|hour|day|night|week|month|quarter|year"
_PERIOD = re.compile(
    r"(?:/-)?\s{0,2}(?:(?:/ ?|per\s{1,2})(?P<short>seconds?|sec|s|min|hr|h|d|wk|mo|mth|yr|annum|" + _LONG + r")"
    rf"|(?:an?|each|every)\s{{1,2}}(?:calendar\s)?(?P<long>{_LONG}|second(?! \w))"
    r"|(?P<alone>\w{4,7}ly|p\.a\.))(?![\w'-])",
    re.IGNORECASE,
)
# The seconds of each; a month is the twelfth part of a mean year.
PERIODS = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0, "month": 2629746.0,
           "quarter": 7889238.0, "year": 31556952.0}  # fmt: skip
_WORDS = "|".join(name for name in _NAMED if len(name) >= len("day") and name not in ("sec", "min", "mth", "p.a."))
_WORD = re.compile(rf"\b(?:{_WORDS})\b", re.IGNORECASE)


def periods_named(text: str) -> set[float]:
    """The seconds of every period that a text names: those of a week for `a week` and `weekly`."""
    return {PERIODS[_NAMED[word.lower()]] for word in _WORD.findall(text)}


def period(text: str, at: int) -> tuple[str, int]:
    """The period that an amount ending at `at` is for (`day`, `year`), a night being a day, and where it ends; empty,
    and `at`, where none is said right behind it."""
    found = _PERIOD.match(text, at)
    name = _NAMED.get((found["short"] or found["long"] or found["alone"]).lower(), "") if found else ""
    return (name, found.end()) if found and name else ("", at)
