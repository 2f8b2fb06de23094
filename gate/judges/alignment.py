"""Which of a claim's terms stand where: best sentence, best window, best passage, all passages; weighted by rarity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gate.judges.evidence import Sentence
from gate.judges.lexicon import lexicon
from gate.judges.reading import Reading, Term

# What a match is worth: the same key or amount; named by heading or file; all parts of a name; a synonym; the same
# first letters.
EXACT, CONTEXT, PARTS, AKIN, HEAD = 1.0, 0.9, 0.85, 0.75, 0.7
_NONE: frozenset[int] = frozenset()
EXPECTED = 8  # passages that a claim is usually given
LIGHTER = 0.65  # of its weight that a term loses which stands in all of them


@dataclass(frozen=True, slots=True)
class Alignment:
    """How a claim lies on its evidence: the window is `sentences[first:last]` of one passage, `focus` the best in it.

    `terms` are the claim's content, weighed for this evidence. `rows[s][i]` is how well sentence s meets the i-th of
    them (0..1), `shares[s]` the weighted share that it meets, `found[i]` how well the window meets a term,
    `anywhere[i]` all passages together.
    """

    claim: Reading
    terms: tuple[Term, ...]
    sentences: tuple[Sentence, ...]
    focus: int
    first: int
    last: int
    rows: tuple[tuple[float, ...], ...]
    shares: tuple[float, ...]
    found: tuple[float, ...]
    anywhere: tuple[float, ...]
    cover_sentence: float
    cover_window: float
    cover_passage: float
    cover_all: float

    @property
    def window(self) -> tuple[Sentence, ...]:
        """The sentences that decide."""
        return self.sentences[self.first : self.last]


def match(term: Term, reading: Reading, context: frozenset[str] = frozenset()) -> float:
    """How well a reading meets a term: EXACT, CONTEXT, PARTS, AKIN, HEAD or 0."""
    if term.key in reading.keys or any(key in reading.keys for key in term.amounts):
        return EXACT
    if term.short and term.word in reading.initials:
        return EXACT
    if term.key in context:
        return CONTEXT
    if term.parts and all(part in reading.keys for part in term.parts):
        return PARTS if not term.code else PARTS * 0.7
    if lexicon().groups.get(term.key, _NONE) & reading.groups:
        return AKIN
    if len(term.key) > 5 and term.key.isalpha() and term.key[:5] in reading.heads:
        return HEAD
    return 0.0


def cover(terms: Sequence[Term], met: Sequence[float]) -> float:
    """The weighted share of the terms that is met; 0 where nothing counts."""
    total = sum(term.weight for term in terms)
    return sum(term.weight * share for term, share in zip(terms, met, strict=True)) / total if total else 0.0


def align(claim: Reading, found: tuple[Sentence, ...], size: int = 3) -> Alignment | None:
    """Lay a claim on the sentences of its evidence; None where there is no sentence."""
    terms = claim.content
    if not found:
        return None
    rows = [tuple(match(term, sentence.reading, sentence.context) for term in terms) for sentence in found]
    terms = _local(terms, found, rows)
    single = [cover(terms, row) for row in rows]
    best, first, last = max(
        _windows(found, rows, single, terms, size), key=lambda w: (round(w[0], 9), w[1] - w[2], -w[1])
    )
    by_passage: dict[int, list[tuple[float, ...]]] = {}
    for sentence, row in zip(found, rows, strict=True):
        by_passage.setdefault(sentence.passage, []).append(row)
    focus = max(range(first, last), key=lambda i: (round(single[i], 9), -i))
    anywhere = union(rows, len(terms))
    return Alignment(
        claim=claim,
        terms=terms,
        sentences=found,
        focus=focus,
        first=first,
        last=last,
        rows=tuple(rows),
        shares=tuple(single),
        found=union(rows[first:last], len(terms)),
        anywhere=anywhere,
        cover_sentence=max(single),
        cover_window=cover(terms, union(rows[first:last], len(terms))),
        cover_passage=max(cover(terms, union(group, len(terms))) for group in by_passage.values()),
        cover_all=cover(terms, anywhere),
    )


def _local(terms: Sequence[Term], found: Sequence[Sentence], rows: Sequence[tuple[float, ...]]) -> tuple[Term, ...]:
    """The terms, those lighter that many of the passages have: what all speak of (the product, the topic) decides less
    between them than what few do. One passage alone changes nothing."""
    homes: list[set[int]] = [set() for _ in terms]
    for sentence, row in zip(found, rows, strict=True):
        for i, share in enumerate(row):
            if share:
                homes[i].add(sentence.passage)
    most = max(EXPECTED, found[-1].passage + 1) - 1
    common = [max(0, len(home) - 1) / most for home in homes]
    return tuple(replace(t, weight=t.weight * (1 - LIGHTER * share)) for t, share in zip(terms, common, strict=True))


def union(rows: Sequence[tuple[float, ...]], width: int) -> tuple[float, ...]:
    """How well several sentences together meet each of the `width` terms."""
    return tuple(max(row[i] for row in rows) for i in range(width))


def _windows(
    found: Sequence[Sentence],
    rows: Sequence[tuple[float, ...]],
    single: Sequence[float],
    terms: Sequence[Term],
    size: int,
) -> list[tuple[float, int, int]]:
    """(coverage less a little for every further sentence, first, last) of all windows within one passage."""
    windows = []
    for first in range(len(found)):
        for last in range(first + 1, min(first + size, len(found)) + 1):
            if found[last - 1].passage != found[first].passage:
                break
            share = single[first] if last == first + 1 else cover(terms, union(rows[first:last], len(terms)))
            windows.append((share - 0.04 * (last - first - 1), first, last))
    return windows
