"""What an amount is said to be: the value itself, a bound of it (`up to Rs 800`), or an end of a range."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from gate.text_numbers import Number, same

MOST, LEAST, RANGE = "most", "least", "range"
_UP = r"up to|at (?:the )?most|a maximum of|(?:no|not) more than|less than|fewer than|under|below"
_DOWN = r"at (?:the )?least|a minimum of|(?:no|not) less than|more than|over|above|starting (?:at|from)"
_BOUND = re.compile(rf"\b(?:(?P<most>{_UP})|(?P<least>{_DOWN}))\s{{0,2}}(?:an?\s)?$", re.IGNORECASE)
_JOIN = re.compile(r"\s{0,2}(?:-|–|—|to|or)\s{0,2}", re.IGNORECASE)
_AND = re.compile(r"\s{0,2}and\s{0,2}", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s{1,2}$", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:rose|rais|increas|grew|went|fell|drop|lower|reduc|cut|chang|mov|upgrad|switch)\w*\b", re.IGNORECASE
)
# A question for a limit (`How much can I withdraw?`) is answered by it, whether "up to" is said or not.
_LIMIT = re.compile(
    r"\b(?:max|min|limit|most|least|longest|shortest|highest|lowest|large(?:st)?|small(?:est)?|allow|permit|can|may)",
    re.IGNORECASE,
)


def bound(text: str, number: Number, amounts: Sequence[Number]) -> str:
    """MOST, LEAST or RANGE where an amount of a text, of all its `amounts` in order, is such; else empty."""
    place = bisect_left(amounts, number.start, key=lambda one: one.start)
    if any(number in pair and _ends(text, *pair) for pair in pairwise(amounts[max(0, place - 1) : place + 2])):
        return RANGE
    found = _BOUND.search(text[max(0, number.start - 40) : number.start])
    # What takes up to ten days is usually said to take ten days.
    if not found or (number.unit in ("s", "month") and "than" not in found[0].lower()):
        return ""
    return found.lastgroup or ""


def unbound(text: str) -> str:
    """A text that goes up to an amount, without the words of its bound."""
    return text[:-40] + _BOUND.sub("", text[-40:])


def other_bound(given: str, expected: str, question: str) -> bool:
    """Whether a bound that is given is not what is expected: a bound is no value, unless the question asks for one, and
    the most is not the least. An expected bound may be given by its value alone."""
    if not given or given == expected:
        return False
    if not expected:
        return given == RANGE or not _LIMIT.search(question)
    return RANGE not in (given, expected)


def _ends(text: str, low: Number, high: Number) -> bool:
    """Whether two amounts are the ends of a range, or two guesses; not one amount twice, a change, opening hours."""
    between = text[low.end : high.start]
    joined = _JOIN.fullmatch(between) or (_AND.fullmatch(between) and _BETWEEN.search(text[: low.start]))
    alike = (
        low.unit in ("", high.unit) and high.unit not in ("date", "yearday", "clock", "ordinal") and not same(low, high)
    )
    return bool(joined) and alike and not _CHANGE.search(text[: low.start])
