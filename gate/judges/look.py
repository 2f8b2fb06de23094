"""What the local judge sees of a batch before it weighs: alignments, findings and features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from gate.judges.alignment import Alignment, Known, align, split
from gate.judges.checks.finding import Finding
from gate.judges.features import features
from gate.judges.reading import read
from gate.judges.reads import Read, reading_values, reads
from gate.judges.windows import Window, distinct, kin_windows, met, prose, reader_windows
from gate.records import Item

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
    known: Known = {}
    looks = [_look(item, known) for item in items]
    kin: list[int | None] = [None] * len(looks)
    if embedder is not None:
        kin = _liken(items, looks, embedder, every=reader is not None)
    if reader is not None:
        consult(items, looks, [shown(i, k, at) for i, k, at in zip(items, looks, kin, strict=True)], reader)
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
    return sentence.told or item.evidence[sentence.passage].text[sentence.start : sentence.end]


def _liken(items: Sequence[Item], looks: Sequence[Look | None], embedder: Embedder, every: bool) -> list[int | None]:
    """Adds `likeness`, the cosine of claim and focus sentence. Gives the place of the sentence with the highest, if
    `every` one is to be compared, else that of the focus."""
    likeness = _compared(items, looks, embedder, every)
    for seen, cosines in zip(looks, likeness, strict=True):
        if seen is not None:
            seen.values["likeness"] = cosines[seen.alignment.focus]
    return [_nearest(cosines) for cosines in likeness]


def kindred(items: Sequence[Item], looks: Sequence[Look | None], embedder: Embedder) -> list[int | None]:
    """For each item the place of the sentence that means most nearly what its claim says."""
    return [_nearest(cosines) for cosines in _compared(items, looks, embedder, every=True)]


def _nearest(cosines: dict[int, float]) -> int | None:
    return max(cosines, key=lambda place: (cosines[place], -place), default=None)


def _compared(
    items: Sequence[Item], looks: Sequence[Look | None], embedder: Embedder, every: bool
) -> list[dict[int, float]]:
    """For each item the place of `every` sentence that is sought among, or of the focus alone -> its cosine with the
    claim."""
    spoken: list[dict[int, str]] = []
    for item, seen in zip(items, looks, strict=True):
        places = () if seen is None else _sought(seen.alignment) if every else (seen.alignment.focus,)
        spoken.append({at: sentence_text(item, seen.alignment, at) for at in places} if seen else {})
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


def shown(item: Item, seen: Look | None, kin: int | None) -> list[Window]:
    """What a reader is shown of an item: the windows by words, and those about the sentence at `kin`."""
    if seen is None:
        return []
    near = kin_windows(item, seen.alignment, kin) if kin is not None else []
    return distinct([*reader_windows(item, seen.alignment), *near])


def consult(
    items: Sequence[Item], looks: Sequence[Look | None], windows: Sequence[Sequence[Window]], reader: Scorer
) -> None:
    """Adds what the reader makes of the windows of each item, and the features that it comes to.
    Errors: ModelFileError."""
    claims = [prose(item.claim.text) for item in items]
    pairs = [(claim, one.text) for claim, given in zip(claims, windows, strict=True) for one in given]
    rows = iter(reader.score(pairs).tolist() if pairs else [])
    for given, seen in zip(windows, looks, strict=True):
        scores = [next(rows) for _ in given]
        if seen and scores:
            seen.reads[:] = reads(given, scores)
            seen.values.update(reading_values(scores, [met(seen.alignment, one.first, one.last) for one in given]))
