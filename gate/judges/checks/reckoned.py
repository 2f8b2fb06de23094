"""Amounts that a document does not write but that follow from it: a case within its range, a sum, a product."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise

from gate.judges.alignment import Alignment
from gate.judges.checks.bounds import way
from gate.judges.checks.standing import figure
from gate.judges.measured import MEASURES
from gate.judges.reading import Reading
from gate.text import Number, numbers, stem

_SPAN = re.compile(r"\s{0,2}(?:-|to|and|or|through)(?: (?:under|below|less than))?\s{0,2}", re.IGNORECASE)
# A claim that reckons says so: `so 0.46 with two of them`, `which makes 12 in all`.
_RECKONS = re.compile(
    r"\b(?:so|mak(?:es?|ing)|in (?:all|total)|total\w*|altogether|together|add(?:s|ing)? up|com(?:es?|ing) to|sums?"
    r"|amounts? to|thus|therefore|hence|that is|i\.e|means?|instead of|twice|double)\b|=",
    re.IGNORECASE,
)
# What tells a case from a rule: `with four years`, `a five-hour ride`, `a case of 35 kg`, `who stays for five hours`.
_CASE = re.compile(
    r"(?:\bwith |\b(?:who|that|which)(?: [\w'-]+){1,5} |\ban? (?:[\w'-]+ ){1,3}of |\baged )$",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"\b(?:limit|maximum|minimum|most|least|total|fee|price|rate|discount|timeout|time|period|delay|notice|pause|wait"
    r"|grace|deposit|fine|penalty|interval|quota|size|bonus|allowance|budget|cap|default|charge|cost|term|share|sum"
    r"|amount|number)s? of $",
    re.IGNORECASE,
)
# What a sentence opens with before the amount of its case: `At 1,800 euros`, `For a delay of 50 minutes`, `A 1 GB bag`.
_OPENS = re.compile(
    r"(?:^|[,;] )(?:(?:even|only|so|and|but|if|when|while) )?(?:((?:at|for|with|on|after|until|in|beyond|past|by) "
    r"(?:an? |the |your |my )?(?:[\w-]+ ){0,3})|(?:an? |your |my )(?:[\w-]+ ){0,3})?$",
    re.IGNORECASE,
)
# What a case says of its own: `If you order at 1 pm`, `when the parcel arrives after 9 days`.
_IF = re.compile(
    r"(?:^|[,;] )(?:if|when|whoever|should) (?:[\w'-]+ ){1,5}(?:at|for|after|with|within|on|in|past) (?:only |just )?$",
    re.IGNORECASE,
)
# The other side of a bound, in the same sentence: no amount is outside of both.
_BEYOND = re.compile(
    r"\b(?:below|under|above|over|beyond|up to|until|before|after|less than|more than) that\b|\botherwise\b",
    re.IGNORECASE,
)
_HOUR = re.compile(r"\b(before|until|till|by|after|from) $", re.IGNORECASE)
_MADE = re.compile(
    r"(?:\ban?|\bmy|\byour|\bour|\bhis|\bher|\btheir|\bthe|\bany) $", re.IGNORECASE
)  # before `five-hour`
_THINGS = re.compile(r"(?: [\w'`-]+){0,4} ?")  # between how many and the colon
_ITEM = re.compile(r"(?:, (?:and |or )?| and | or )(?=\S)")
_MORE = re.compile(
    r"\b(\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty) "
    r"(?:more|further|extra|additional)\b",
    re.IGNORECASE,
)
_OLD = re.compile(r"year[- ]olds?$|years? old$", re.IGNORECASE)
_BEFORE = 60  # characters before an amount in which its case is told
_MOST = 100  # the largest factor
_NEAR = 1e-6


def within(claim: Reading, number: Number, reading: Reading) -> bool:
    """Whether the claim speaks of one case of what a document gives bounds for: four years, of `3 to 7 years`. A claim
    that bounds the amount itself is about the bound."""
    if way(claim, number) or not is_case(claim, number):
        return False
    return _in_bounds(number, reading) or _in_bounds(_age(claim, number), reading)


def _in_bounds(number: Number | None, reading: Reading) -> bool:
    if number is None:
        return False
    alike = [other for other in reading.numbers if other.unit == number.unit]
    for a, b in pairwise(alike):
        if a.value < number.value < b.value and _SPAN.fullmatch(reading.plain, a.end, b.start):
            return True
    ways = [way(reading, other) or _hour(reading, other) for other in alike]
    if any(ways) and _BEYOND.search(reading.plain):
        return True
    return any(_bounded(number, other, bound) for other, bound in zip(alike, ways, strict=True))


def _hour(reading: Reading, number: Number) -> str:
    """Which way an hour of the day bounds: `before 2 pm`."""
    said = _HOUR.search(reading.plain, 0, number.start) if number.unit == "clock" else None
    return "" if said is None else "most" if said[1].lower() in ("before", "until", "till", "by") else "least"


def _age(claim: Reading, number: Number) -> Number | None:
    """A `16-year-old` as a bare 16: documents leave out the years (`from 15 to 20`)."""
    said = claim.plain[number.start : number.end]
    return (
        replace(number, value=figure(number, claim), unit="")
        if _OLD.search(said + claim.plain[number.end :][:4])
        else None
    )


def is_case(claim: Reading, number: Number) -> bool:
    """Whether a claim tells the case that it is about by an amount: `a 50-minute delay`, `with four years`."""
    before = claim.plain[max(0, number.start - _BEFORE) : number.start]
    before = f"..{before}" if number.start > _BEFORE else before  # what is cut off is no beginning
    if "-" in claim.plain[number.start : number.end].strip("-"):
        return _MADE.search(before) is not None
    if opens := _OPENS.search(before):
        return bool(opens[1]) or not _RULE.search(before)
    if _IF.search(before):
        return True
    return _CASE.search(before) is not None and not _RULE.search(before)


def _bounded(number: Number, other: Number, bound: str) -> bool:
    return (bound == "most" and number.value < other.value) or (bound == "least" and number.value > other.value)


def reckoned(alignment: Alignment, number: Number) -> bool:
    """Whether a claim that reckons gives a sum, a difference or a product of amounts in it and in the window."""
    claim = alignment.claim
    if number.unit == "x":
        return _times(alignment, number)
    if _told(alignment, number) or any(_added(number, sentence.reading) for sentence in alignment.window):
        return True
    if not _RECKONS.search(claim.plain):
        return False
    others = [other for other in claim.numbers if other is not number]
    if _summed(number, others) or _factor(alignment, number, others):
        return True
    given = {other.value for other in others if other.unit == number.unit}
    for sentence in alignment.window:
        given.update(other.value for other in sentence.reading.numbers if other.unit == number.unit)
    given.discard(number.value)
    factors = {figure(other, claim) for other in others if other.unit != number.unit}
    return any(abs(one - number.value) < _NEAR * max(1.0, number.value) for one in _results(given, factors))


def _added(number: Number, reading: Reading) -> bool:
    """Whether a sentence says so much by one amount and so many more: 30, of `28 days, and two more after that`."""
    more = {one.value for m in _MORE.finditer(reading.plain) for one in numbers(m[1])}
    alike = [(other, figure(other, reading)) for other in reading.numbers if other.unit == number.unit]
    sums = (other.value * (1 + one / said) for other, said in alike if said for one in more)
    return any(abs(one - number.value) < _NEAR * max(1.0, one) for one in sums)


def _told(alignment: Alignment, number: Number) -> bool:
    """Whether the claim names as many things behind a colon: `five converters: str, int, float, uuid and path`. A
    measure (`2 seconds: short, but enough`) counts no things, and a document may count them itself."""
    between, colon, listed = alignment.claim.plain[number.end :].partition(":")
    if not colon or not number.unit or number.known or not _THINGS.fullmatch(between):
        return False
    given = [one for sentence in alignment.window for one in sentence.reading.numbers]
    counted = any(stem(one.unit) == stem(number.unit) and one.value != number.value for one in given)
    return not counted and number.value == len(_ITEM.findall(listed)) + 1


def _summed(number: Number, others: list[Number]) -> bool:
    """Whether an amount is the sum of all others of the claim: `7 daily and 4 weekly ones, i.e. 11 snapshots`."""
    same_kind = number.unit in MEASURES and any(other.unit != number.unit for other in others)
    return len(others) > 1 and not same_kind and abs(sum(other.value for other in others) - number.value) < _NEAR


def _factor(alignment: Alignment, number: Number, others: list[Number]) -> bool:
    """Whether so many of what the window gives an amount for make another amount of the claim: `100 miles make £45`."""
    count = figure(number, alignment.claim)
    given = [one for sentence in alignment.window for one in sentence.reading.numbers]
    pairs = ((one, other) for one in given for other in others if one.unit == other.unit != number.unit)
    return any(abs(one.value * count - other.value) < _NEAR * max(1.0, other.value) for one, other in pairs)


def _times(alignment: Alignment, number: Number) -> bool:
    """Whether one amount is so many times another: `10x that of free accounts`, for 600 and 60."""
    found = [*alignment.claim.numbers, *(n for sentence in alignment.window for n in sentence.reading.numbers)]
    pairs = ((a, b) for a in found for b in found if a.unit == b.unit != "x" and b.value)
    return any(abs(a.value / b.value - number.value) < _NEAR for a, b in pairs)


def _results(given: set[float], factors: set[float]) -> Iterator[float]:
    """What amounts and small whole factors make."""
    times = {a * k for a in given for k in factors if 1 < k <= _MOST and k == int(k)}
    yield from times
    for a, b in combinations(given, 2):
        yield from (a + b, abs(a - b))
    yield from (a + b for a in given for b in times)
