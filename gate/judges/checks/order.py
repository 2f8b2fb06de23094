"""Who does what to whom: terms that both sides have but that stand in another order or belong to something else."""

from __future__ import annotations

from itertools import combinations, pairwise

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.reading import Reading, Term, listed

_NEAR = 4  # tokens between neighbours of a claim that still belong together in a document
_PASSIVE = listed("by is are was were been being")


def places(term: Term, reading: Reading) -> list[int]:
    """Where a term stands in a reading, by its key or as a part of a name."""
    return [other.at for other in reading.terms if other.key == term.key or term.key in other.parts]


def kinship(alignment: Alignment) -> float:
    """Share of the claim's neighbouring terms that stand near each other in a sentence of the window; 1 if none."""
    pairs = list(pairwise(alignment.claim.content))
    if not pairs:
        return 1.0
    return sum(_together(a, b, alignment) for a, b in pairs) / len(pairs)


def _together(a: Term, b: Term, alignment: Alignment) -> bool:
    return any(
        abs(x - y) <= _NEAR + b.at - a.at for sentence in alignment.window
        for x in places(a, sentence.reading) for y in places(b, sentence.reading)
    )  # fmt: skip


def inversion(alignment: Alignment) -> float:
    """Share of pairs of the claim's terms, each once in the focus sentence, that stand there the other way round."""
    reading = alignment.sentences[alignment.focus].reading
    spots = [spot[0] for term in alignment.claim.content if len(spot := places(term, reading)) == 1]
    pairs = list(combinations(spots, 2))
    return sum(x > y for x, y in pairs) / len(pairs) if pairs else 0.0


def check_order(alignment: Alignment) -> list[Finding]:
    """Two terms that changed their places around a term between them, in the same voice: A gives B, B gives A."""
    reading = alignment.sentences[alignment.focus].reading
    met = [(term, spot[0]) for term in alignment.claim.content if len(spot := places(term, reading)) == 1]
    for (a, x), (verb, y), (b, z) in zip(met, met[1:], met[2:], strict=False):
        if z < y < x and _voice(alignment.claim, a.at, b.at) == _voice(reading, z, x):
            message = f"the document has '{b.word}' before '{verb.word}' and '{a.word}' behind it, the claim reversed"
            return [Finding("roles", 0.6, message, True, alignment.focus)]
    return []


def _voice(reading: Reading, start: int, end: int) -> bool:
    return any(term.word in _PASSIVE for term in reading.terms[start:end])
