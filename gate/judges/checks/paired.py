"""Amounts in pairs: `2 days after 5 years and 4 days after 10 years` gives nobody 2 days after 10 years."""

from __future__ import annotations

import re
from itertools import pairwise

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.checks.frame import said, said_elsewhere
from gate.judges.measured import MEASURES
from gate.judges.reading import Reading
from gate.text import Number, same, stem

KIND = "other value"
_APART = re.compile(r"[;,.]\s|[:()\u2013\u2014]|\s-\s|\b(?:and|or|but|while|whereas|then)\b", re.IGNORECASE)
# A sum or a part of an amount is none of the pairs.
RECKONED = re.compile(
    r"\b(?:total\w*|in all|altogether|together|both|combined|sums?|adds?|(?-i:plus)|another|more|further|additional\w*"
    r"|twice|half|double|instead|than)\b|=",
    re.IGNORECASE,
)

Pair = tuple[Number, Number]


def check_paired(alignment: Alignment) -> list[Finding]:
    """At most one finding: a sentence of the window has both amounts of the claim, each in a pair with another one."""
    claim = alignment.claim
    if len(claim.numbers) != 2 or unit(claim.numbers[0]) == unit(claim.numbers[1]) or RECKONED.search(claim.plain):
        return []
    for place in range(alignment.first, alignment.last):
        told = _crossed(claim, alignment.sentences[place].reading)
        if told and not said_elsewhere(alignment, {place}):
            return [Finding(KIND, 0.9, told, True, place)]
    return []


def _crossed(claim: Reading, reading: Reading) -> str:
    """What the pairs of a sentence make of those of the claim; empty where they agree, or are none."""
    first, second = claim.numbers
    pairs = [_ordered(pair, first) for pair in _pairs(reading)]
    mine = [pair for pair in pairs if same(pair[0], first)]
    others = [pair for pair in pairs if same(pair[1], second)]
    if not mine or not others or any(same(pair[1], second) for pair in mine):
        return ""
    there, with_there = (said(reading, number) for number in mine[0])
    here, with_here = said(claim, first), said(claim, second)
    return f"the document says '{there}' with '{with_there}', the claim '{here}' with '{with_here}'"


def _pairs(reading: Reading) -> list[Pair]:
    """The amounts of a sentence two by two, where all are, in one order of units, with something between the pairs and
    nothing within them."""
    numbers = sorted(reading.numbers, key=lambda number: number.start)
    if len(numbers) < 4 or len(numbers) % 2:
        return []
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    units = {(unit(one), unit(other)) for one, other in pairs}
    within = any(_apart(reading, one, other) for one, other in pairs)
    between = all(_apart(reading, a[1], b[0]) for a, b in pairwise(pairs))
    alike = len(units) == 1 and len(next(iter(units))) == len(set(next(iter(units))))
    return pairs if alike and between and not within else []


def _apart(reading: Reading, one: Number, other: Number) -> bool:
    return _APART.search(reading.plain, one.end, other.start) is not None


def _ordered(pair: Pair, first: Number) -> Pair:
    return pair if unit(pair[0]) == unit(first) else (pair[1], pair[0])


def unit(number: Number) -> str:
    """What tells whether two amounts are of one kind."""
    return number.unit if number.unit in MEASURES else stem(number.unit.lower())
