"""What the local judge sees of a batch before it weighs: alignments, findings and features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from gate.judges.alignment import Alignment, align
from gate.judges.checks.finding import Finding
from gate.judges.evidence import Known, split
from gate.judges.features import features
from gate.judges.reading import read
from gate.judges.reads import Read, reading_values, settled
from gate.judges.windows import Window, focus_window, further_windows, met, prose, verbatim
from gate.providers.remembering import Remembering
from gate.records import Item
from gate.sections import innermost

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gate.providers.base import Embedder

# Of so many sentences, the best by words, the likest one is sought: for 239 of 240 claims about the guides it is the
# likest of all of theirs, 63 on average, and only a third of the texts are embedded.
SOUGHT = 20


class Scorer(Protocol):
    """A reader: (claim, evidence) pairs in, probabilities (n, 3) of supported, contradicted, neither out."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """A pair's row does not depend on the other pairs."""
        ...


@dataclass(frozen=True, slots=True)
class Look:
    """One claim on its evidence: where it lies, what the checks found, the values of all features, and what a reader
    made of each window that it was shown."""

    alignment: Alignment
    findings: tuple[Finding, ...]
    values: dict[str, float]
    reads: list[Read] = field(default_factory=list)


def look(items: Sequence[Item], embedder: Embedder | None = None, reader: Scorer | None = None) -> list[Look | None]:
    """A Look for every item, None where the claim or its evidence has nothing to read. What is seen of one item does
    not depend on the others; equal passages are read once, equal texts embedded once. Errors: the embedder's own."""
    known = Known()
    looks = [_look(item, known) for item in items]
    if embedder is not None:
        embedder = Remembering(embedder)
        _liken(items, looks, embedder)
    if reader is not None:
        consult(items, looks, partial(kindred, embedder=embedder) if embedder else _nowhere, reader)
    return looks


def _look(item: Item, known: Known) -> Look | None:
    claim = read(item.claim.text)
    alignment = align(claim, split(item.evidence, known)) if claim.content else None
    if alignment is None:
        return None
    seen = features(alignment)
    return Look(alignment, seen.findings, seen.values)


def sentence_text(item: Item, alignment: Alignment, place: int) -> str:
    """The sentence at `place`: verbatim, or a row of a table in words."""
    sentence = alignment.sentences[place]
    return sentence.told or verbatim(item, sentence)


def _headed(item: Item, alignment: Alignment, place: int) -> str:
    """A sentence with the heading above it, which often names what it speaks of: the option of a class, the class."""
    told = sentence_text(item, alignment, place)
    heading = innermost(item.evidence[alignment.sentences[place].passage].heading)
    return told if heading.lower() in told.lower() else f"{heading}: {told}"


def _liken(items: Sequence[Item], looks: Sequence[Look | None], embedder: Embedder) -> None:
    """Adds `likeness`, the cosine of claim and focus sentence."""
    places = [[seen.alignment.focus] if seen else [] for seen in looks]
    for seen, cosines in zip(looks, _compared(items, looks, places, embedder), strict=True):
        if seen is not None:
            seen.values["likeness"] = cosines[seen.alignment.focus]


def kindred(items: Sequence[Item], looks: Sequence[Look | None], embedder: Embedder) -> list[int | None]:
    """For each item the place of the sentence that means most nearly what its claim says."""
    places = [_sought(seen.alignment) if seen else [] for seen in looks]
    return [_nearest(cosines) for cosines in _compared(items, looks, places, embedder, _headed)]


def _nowhere(items: Sequence[Item], looks: Sequence[Look | None]) -> list[int | None]:
    return [None for _ in zip(items, looks, strict=True)]


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


class _Given(NamedTuple):
    """An item that can be read, and what is seen of it."""

    item: Item
    look: Look


Kin = Callable[[Sequence[Item], Sequence[Look | None]], Sequence[int | None]]


def consult(items: Sequence[Item], looks: Sequence[Look | None], kin: Kin, reader: Scorer) -> None:
    """Adds what the reader makes of the windows of each item, and the features that it comes to. The reader is shown
    the focus alone and, where that settles nothing, what stands around it and elsewhere; `kin` finds for each of these
    items the place of the sentence that means most nearly what the claim says. Errors: ModelFileError, those of `kin`.
    """
    given = [_Given(item, seen) for item, seen in zip(items, looks, strict=True) if seen]
    _read(given, [focus_window(one.item, one.look.alignment) for one in given], reader)
    unsettled = [one for one in given if not settled(one.look.reads)]
    places = kin([one.item for one in unsettled], [one.look for one in unsettled])
    further = [further_windows(o.item, o.look.alignment, at) for o, at in zip(unsettled, places, strict=True)]
    _read(unsettled, further, reader)
    for one in given:
        if one.look.reads:
            one.look.values.update(reading_values(one.look.reads))


def _read(given: Sequence[_Given], windows: Sequence[Sequence[Window]], reader: Scorer) -> None:
    """Shows each item those of its windows whose text it was not shown yet."""
    new = [
        [window for window in some if window.text not in {read.window.text for read in one.look.reads}]
        for one, some in zip(given, windows, strict=True)
    ]
    claims = [prose(one.item.claim.text) for one in given]
    pairs = [(claim, window.text) for claim, some in zip(claims, new, strict=True) for window in some]
    rows = iter(reader.score(pairs).tolist() if pairs else [])
    for one, some in zip(given, new, strict=True):
        laid = one.look.alignment
        one.look.reads.extend(Read(w, tuple(next(rows)), met(laid, w.first, w.last)) for w in some)
