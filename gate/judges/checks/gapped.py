"""What a sentence with a gap says of a second one: of `tickets are sold at the gate, passes at the office` no pass is
sold at the gate."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from gate.extraction.lexicon import AUX, THIRD
from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.checks.frame import said_elsewhere
from gate.judges.lexicon import listed
from gate.judges.reading import CUES, Reading, Term, read

JOINT = re.compile(r"(?:[;,]\s(?:(?:and|but)\s)?|\s(?:and|but|while|whereas)\s)", re.IGNORECASE)
_TO = listed("by to in at on for from with within into onto via through under over after before until as")
_TURNS = CUES | listed("unless except if both each also too either whether others other rest remaining")
_SAID = 0.6  # share of what is said of both that the claim must have


class Gap(NamedTuple):
    """`first` is `said` with `link` and `at`; `second` likewise, with `other` in the place of `at`."""

    first: frozenset[str]
    said: frozenset[str]
    link: str
    at: frozenset[str]
    second: frozenset[str]
    other: frozenset[str]


def check_gapped(alignment: Alignment) -> list[Finding]:
    """At most one finding: the claim says of the second what a sentence of the window says of the first alone, or the
    other way round."""
    claim = alignment.claim
    if claim.words & _TURNS:
        return []
    for place in range(alignment.first, alignment.last):
        reading = alignment.sentences[place].reading
        near = reading.words & claim.words & _TO and not reading.words & _TURNS
        turned = near and any(_exchanged(claim, gap) for gap in _gaps(reading))
        if turned and not said_elsewhere(alignment, {place}):
            return [Finding("swapped", 0.9, "the document says that of another", True, place)]
    return []


def _gaps(reading: Reading) -> Iterator[Gap]:
    parts = [read(part).terms for part in JOINT.split(reading.plain)]
    for left, right in zip(parts, parts[1:], strict=False):
        link = next((term for term in right if term.word in _TO), None)
        verb = next((term.at for term in left if term.word in AUX | THIRD), 0)
        there = [term.at for term in left if link and term.word == link.word and term.at > verb]
        if not link or not verb or not there or has_verb(right):
            continue
        gap = Gap(
            _keys(left[:verb]), _keys(left[verb : there[-1]]), link.word, _keys(left[there[-1] :]),
            _keys(right[: link.at]), _keys(right[link.at :]),
        )  # fmt: skip
        if all((gap.first - gap.second, gap.second - gap.first, gap.at - gap.other, gap.other - gap.at)):
            yield gap


def has_verb(terms: tuple[Term, ...]) -> bool:
    """Whether a verb stands behind what a part begins with: the `passes` of `passes at the office` are none."""
    named = next((term.at for term in terms if term.weight > 0), len(terms))
    return any(term.word in AUX | THIRD for term in terms[named + 1 :])


def _keys(terms: tuple[Term, ...]) -> frozenset[str]:
    return frozenset(term.key for term in terms if term.weight > 0 and term.word not in _TO)


def _exchanged(claim: Reading, gap: Gap) -> bool:
    """Whether the claim has the one with what belongs to the other, and with nothing of its own."""
    if gap.said and len(gap.said & claim.keys) < _SAID * len(gap.said):
        return False
    sides = ((gap.first, gap.second, gap.at), (gap.second, gap.first, gap.other))
    return any(
        others <= claim.keys and not (own - others) & claim.keys and there <= claim.keys
        and not ((gap.at | gap.other) - there) & claim.keys
        for own, others, there in sides
    )  # fmt: skip
