"""The words that decide, cut from the passages: verbatim, with the line that they stand on."""

from __future__ import annotations

from collections.abc import Sequence

from gate.judges.alignment import cover, union
from gate.judges.evidence import Sentence
from gate.judges.lines import line_at
from gate.judges.reads import Read
from gate.judges.seen import Look, sentence_text
from gate.judges.windows import verbatim
from gate.records import Item, Quote

ADDS = 0.02  # share of a claim, by weight, that a second sentence has to bring
NEARLY = 0.7  # of what the first sentence meets of a claim that it settled, for another to be quoted beside it


def quotes(item: Item, seen: Look, contradicted: bool = False) -> tuple[Quote, ...]:
    """The deciding sentence first, then the one that adds most to it. Of a contradiction that a check found, the
    sentence that it was found in, alone."""
    alignment = seen.alignment
    against = next((f.sentence for f in seen.findings if f.against and f.sentence >= 0), None) if contradicted else None
    alone = [] if against is not None else _alone(seen.reads, contradicted)
    first = alone[0] if alone else alignment.focus if against is None else against
    chosen = [first]
    if alone:
        chosen += _beside(item, seen, alone)
    elif not (contradicted and seen.findings) and alignment.last - alignment.first > 1:
        chosen += [i for i in range(alignment.first, alignment.last) if i != first][:1]
    return tuple(_cut(item, alignment.sentences[i], alignment.cover_window) for i in chosen)


def _alone(reads: Sequence[Read], contradicted: bool) -> list[int]:
    """The sentences that the reader was shown by themselves, the one that it takes for the most telling first."""
    single = [read for read in reads if read.window.last - read.window.first == 1]
    ranked = sorted(single, key=lambda read: read.contradicted if contradicted else read.supported, reverse=True)
    return [read.window.first for read in ranked]


def _beside(item: Item, seen: Look, alone: Sequence[int]) -> list[int]:
    """Of the sentences that the reader was shown, and of the window that covers the claim best, the one that has most
    of what the first lacks; where none has any, the next that was shown alone."""
    alignment, first = seen.alignment, alone[0]
    width, held = len(alignment.terms), alignment.rows[first]

    def adds(place: int) -> float:
        both = union([held, alignment.rows[place]], width)
        return round(cover(alignment.terms, both) - cover(alignment.terms, held), 9)

    shown = {place for read in seen.reads for place in range(read.window.first, read.window.last)}
    shown = (shown | set(range(alignment.first, alignment.last))) - {first}
    best = max(shown, key=lambda place: (adds(place), -abs(place - first), -place), default=first)
    if adds(best) > ADDS:
        return [best]
    return list(alone[1:2]) if len(seen.reads) > 1 else _again(item, seen, first)


def _again(item: Item, seen: Look, first: int) -> list[int]:
    """Another sentence that meets nearly as much of the claim as the first, which settled it: the documents say it
    twice, or say it more fully there."""
    shares, said = seen.alignment.shares, sentence_text(item, seen.alignment, first)
    others = [place for place in range(len(shares)) if sentence_text(item, seen.alignment, place) != said]
    best = max(others, key=lambda place: (shares[place], -place), default=first)
    return [best] if best != first and shares[best] >= NEARLY * shares[first] else []


def _cut(item: Item, sentence: Sentence, score: float) -> Quote:
    evidence = item.evidence[sentence.passage]
    text = verbatim(item, sentence)
    return Quote(evidence.source, line_at(evidence, sentence.start), text, round(score, 4))
