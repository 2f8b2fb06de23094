"""The period of a rate, behind its amount: `per month`, `a year`, `/h`, `daily`; and how often a thing is done."""

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
_SHORT = {"s": "second", "sec": "second", "min": "minute", "h": "hour", "hr": "hour", "mo": "month", "yr": "year"}
_SLASHED = re.compile(rf"(\d [A-Za-z]{{2,20}})/({'|'.join(_SHORT)}|{_LONG})\b")
_ADVERBS = ("hourly", "daily", "nightly", "weekly", "monthly", "quarterly", "yearly", "annually")
_SECONDS = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0, "month": 2629746.0,
            "quarter": 7889238.0, "year": 31556952.0}  # fmt: skip
_WORD = re.compile(
    rf"\b(?:{'|'.join(name for name in _NAMED if len(name) > 3 and '.' not in name)}|day)\b", re.IGNORECASE
)
_UNITS = rf"(?:an?|every|each|once an?|once per|once every|once each|per)\s(?:calendar\s)?(?P<unit>{_LONG})\b"
_OFTEN = re.compile(rf"\b(?:(?P<adverb>{'|'.join(_ADVERBS)}|annual)\b|{_UNITS})", re.IGNORECASE)


def units_named(text: str) -> set[float]:
    """The seconds of each period that a text names: of a week for `a week` and `weekly`."""
    return {_SECONDS[_NAMED[word.lower()]] for word in _WORD.findall(text)}


def often(text: str) -> dict[str, str]:
    """period -> how the text says that something is done, or counted, once in it: `daily`, `every day`, `a day`."""
    found = ((match["adverb"] or match["unit"], match[0]) for match in _OFTEN.finditer(text))
    return {_NAMED.get(name.lower(), "year"): said for name, said in found}


def spelled(text: str) -> str:
    """`text` with the periods behind what is counted spelled out: `60 requests/min` are 60 requests per minute."""
    return _SLASHED.sub(lambda found: f"{found[1]} per {_SHORT.get(found[2], found[2])}", text)


def period(text: str, at: int) -> tuple[str, int]:
    """The period that an amount ending at `at` is for (`day`, `year`), a night being a day, and where it ends; empty,
    and `at`, where none is said right behind it."""
    found = _PERIOD.match(text, at)
    name = _NAMED.get((found["short"] or found["long"] or found["alone"]).lower(), "") if found else ""
    return (name, found.end()) if found and name else ("", at)
