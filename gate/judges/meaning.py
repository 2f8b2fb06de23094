"""The sentences that mean what a claim says, by their vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gate.judges.alignment import Alignment
from gate.judges.seen import Look, sentence_text
from gate.records import Item
from gate.sections import innermost

if TYPE_CHECKING:
    from gate.providers.base import Embedder

# Of so many sentences, the best by words, the likest one is sought. Of 20, for 239 of 240 claims about the guides it is
# the likest of all of theirs, 63 on average. Of 12 it is the one of 20 for 96 claims of 100, the judge is as good, and
# two texts of five less are embedded (benchmarks/README.md).
SOUGHT = 12


def _headed(item: Item, alignment: Alignment, place: int) -> str:
    """A sentence with the heading above it, which often names what it speaks of: the option of a class, the class."""
    told = sentence_text(item, alignment, place)
    heading = innermost(item.evidence[alignment.sentences[place].passage].heading)
    return told if heading.lower() in told.lower() else f"{heading}: {told}"


def liken(items: Sequence[Item], looks: Sequence[Look | None], embedder: Embedder) -> None:
    """Adds `likeness`, the cosine of claim and focus sentence."""
    places = [[seen.alignment.focus] if seen else [] for seen in looks]
    for seen, cosines in zip(looks, _compared(items, looks, places, embedder), strict=True):
        if seen is not None:
            seen.values["likeness"] = cosines[seen.alignment.focus]


def kindred(items: Sequence[Item], looks: Sequence[Look | None], embedder: Embedder) -> list[int | None]:
    """For each item the place of the sentence that means most nearly what its claim says."""
    places = [_sought(seen.alignment) if seen else [] for seen in looks]
    return [_nearest(cosines) for cosines in _compared(items, looks, places, embedder, _headed)]


def _nearest(cosines: dict[int, float]) -> int | None:
    return max(cosines, key=lambda place: (cosines[place], -place), default=None)


def _compared(
    items: Sequence[Item],
    looks: Sequence[Look | None],
    places: Sequence[Sequence[int]],
    embedder: Embedder,
    told: Callable[[Item, Alignment, int], str] = sentence_text,
) -> list[dict[int, float]]:
    """For each item the cosine of its claim with what is `told` of the sentence at each of its `places`."""
    spoken = [
        {at: told(item, seen.alignment, at) for at in some} if seen else {}
        for item, seen, some in zip(items, looks, places, strict=True)
    ]
    known: dict[str, int] = {}
    for item, sentences in zip(items, spoken, strict=True):
        for text in [item.claim.text, *sentences.values()] if sentences else ():
            known.setdefault(text, len(known))
    vectors = embedder.embed(list(known)) if known else None
    found: list[dict[int, float]] = []
    for item, sentences in zip(items, spoken, strict=True):
        if not sentences or vectors is None:
            found.append({})
            continue
        cosines = vectors[[known[text] for text in sentences.values()]] @ vectors[known[item.claim.text]]
        found.append(dict(zip(sentences, cosines.tolist(), strict=True)))
    return found


def _sought(alignment: Alignment) -> list[int]:
    """The places of the focus and of the sentences that meet most of the claim, in their order."""
    order = sorted(range(len(alignment.shares)), key=lambda place: (-alignment.shares[place], place))
    return sorted({alignment.focus, *order[:SOUGHT]})
