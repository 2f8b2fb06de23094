"""Two amounts in each other's place: `1.8 m at the path and 1.2 m between plots`, where it is the other way round."""

from __future__ import annotations

import re

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.checks.frame import said, said_elsewhere
from gate.judges.checks.polarity import meets
from gate.judges.checks.values import measured
from gate.judges.reading import CUES, Reading, Term, read
from gate.text import Number, same

KIND = "other value"
_JOINT = re.compile(r"[;,:.]\s|\s[-–—]\s|\b(?:and|or|but|while|whereas|then)\b", re.IGNORECASE)
_SLOTS = 4  # what stands before the first amount, behind it, before the second one, and behind that

Pair = tuple[Number, Number]
Slots = list[tuple[Term, ...]]


def check_exchanged(alignment: Alignment) -> list[Finding]:
    """At most one finding: a sentence of the window has the claim's two amounts of one unit in the other order, and
    every word of the claim in the same place beside them."""
    claim = alignment.claim
    mine = tuple(measured(claim))
    if len(mine) != 2 or len(claim.numbers) != 2 or claim.words & CUES or mine[0].unit != mine[1].unit:
        return []
    slots = _slots(claim, (mine[0], mine[1]))
    if not slots or not any(slots[1:]) or same(*mine):
        return []
    for place in range(alignment.first, alignment.last):
        reading = alignment.sentences[place].reading
        there = _turned(reading, (mine[0], mine[1]))
        if there and _laid(slots, _slots(reading, there)) and not said_elsewhere(alignment, {place}):
            here, told = (f"'{said(r, a)}' before '{said(r, b)}'" for r, (a, b) in ((claim, mine), (reading, there)))
            return [Finding(KIND, 0.9, f"the document says {told} where the claim says {here}", True, place)]
    return []


def _turned(reading: Reading, mine: Pair) -> Pair | None:
    """The two amounts of a sentence that has no other of their unit, if they are those of the claim turned round."""
    found = sorted((one for one in reading.numbers if one.unit == mine[0].unit), key=lambda one: one.start)
    if len(found) != 2 or reading.words & CUES:
        return None
    return (found[0], found[1]) if same(found[0], mine[1]) and same(found[1], mine[0]) else None


def _slots(reading: Reading, pair: Pair) -> Slots:
    """The words with content beside two amounts that a joint parts; nothing where there is none."""
    first, second = pair
    joint = _JOINT.search(reading.plain, first.end, second.start)
    if not joint:
        return []
    ends = ((0, first.start), (first.end, joint.start()), (joint.end(), second.start), (second.end, None))
    return [tuple(term for term in read(reading.plain[a:b]).terms if term.weight > 0) for a, b in ends]


def _laid(mine: Slots, there: Slots) -> bool:
    """Whether every word of the claim stands in the same place in a sentence."""
    return len(there) == _SLOTS and all(
        any(meets(term, other) for other in others) for terms, others in zip(mine, there, strict=True) for term in terms
    )
