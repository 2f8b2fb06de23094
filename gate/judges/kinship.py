"""What belongs together: the claim's neighbours that are neighbours in the documents, and how its end is met."""

from __future__ import annotations

from itertools import pairwise

from gate.judges.alignment import Alignment, cover
from gate.judges.checks.polarity import meets
from gate.judges.reading import NUMBER_WEIGHT, Reading, Term

_NEAR = 4  # tokens between neighbours of a claim, more than in the claim, that still belong together in a document


def places(term: Term, reading: Reading) -> list[int]:
    """Where a term stands in a reading: by its key, as a part of a name, or by a synonym."""
    return [other.at for other in reading.chain if term.key in other.parts or meets(term, other)]


def kinship(alignment: Alignment) -> float:
    """Share of the claim's neighbours that stand near each other in a sentence of the window, by the lighter one's
    weight; 1 where there are none. What was moved to another subject keeps its words but loses its neighbours."""
    pairs = [
        (a, b, min(a.weight or NUMBER_WEIGHT, b.weight or NUMBER_WEIGHT)) for a, b in pairwise(alignment.claim.chain)
    ]
    total = sum(weight for _, _, weight in pairs)
    return sum(weight for a, b, weight in pairs if _together(a, b, alignment)) / total if total else 1.0


def _together(a: Term, b: Term, alignment: Alignment) -> bool:
    reach = _NEAR + b.at - a.at
    for sentence in alignment.window:
        others = places(b, sentence.reading)
        if others and any(abs(x - y) <= reach for x in places(a, sentence.reading) for y in others):
            return True
    return False


def cover_tail(alignment: Alignment) -> float:
    """Coverage by the window of the claim's second half and of its amounts: a claim opens with what it speaks of, and
    says what may be wrong at its end."""
    met = list(zip(alignment.terms, alignment.found, strict=True))
    worded = [pair for pair in met if pair[0].at >= 0]
    tail = [*worded[len(worded) // 2 :], *(pair for pair in met if pair[0].at < 0)]
    return cover([term for term, _ in tail], [share for _, share in tail])
