"""What the local judge sees of a batch before it weighs: alignments, findings and features."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Protocol

from gate.judges.alignment import Alignment, align, split
from gate.judges.checks.finding import Finding
from gate.judges.features import features
from gate.judges.reading import Reading, read
from gate.judges.windows import prose, reader_windows
from gate.records import Item

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gate.providers.base import Embedder

SURE = 1e-3  # no reader is surer than this


class Scorer(Protocol):
    """A reader: (claim, evidence) pairs in, probabilities (n, 3) of supported, contradicted, neither out."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """A pair's row does not depend on the other pairs."""
        ...


@dataclass(frozen=True, slots=True)
class Look:
    """One claim on its evidence: where it lies, what the checks found, and the values of all features."""

    alignment: Alignment
    findings: tuple[Finding, ...]
    values: dict[str, float]


def look(items: Sequence[Item], embedder: Embedder | None = None, reader: Scorer | None = None) -> list[Look | None]:
    """A Look for every item, None where the claim or its evidence has nothing to read. What is seen of one item does
    not depend on the others; equal passages are read once, equal texts embedded once. Errors: the embedder's own."""
    known: dict[str, list[tuple[int, int, Reading]]] = {}
    looks = [_look(item, known) for item in items]
    if embedder is not None:
        _liken(items, looks, embedder)
    if reader is not None:
        consult(items, looks, reader)
    return looks


def _look(item: Item, known: dict[str, list[tuple[int, int, Reading]]]) -> Look | None:
    claim = read(item.claim.text)
    alignment = align(claim, split(item.evidence, known)) if claim.content else None
    if alignment is None:
        return None
    seen = features(alignment)
    return Look(alignment, seen.findings, seen.values)


def focus_text(item: Item, alignment: Alignment) -> str:
    """The sentence that meets the claim best, verbatim."""
    sentence = alignment.sentences[alignment.focus]
    return item.evidence[sentence.passage].text[sentence.start : sentence.end]


def _liken(items: Sequence[Item], looks: Sequence[Look | None], embedder: Embedder) -> None:
    """Adds `likeness`, the cosine of claim and focus sentence."""
    pairs = [(i.claim.text, focus_text(i, k.alignment)) if k else None for i, k in zip(items, looks, strict=True)]
    texts = list(dict.fromkeys(text for pair in pairs if pair for text in pair))
    vectors = dict(zip(texts, embedder.embed(texts), strict=True)) if texts else {}
    for pair, seen in zip(pairs, looks, strict=True):
        if pair and seen:
            seen.values["likeness"] = float(vectors[pair[0]] @ vectors[pair[1]])


def consult(items: Sequence[Item], looks: Sequence[Look | None], reader: Scorer, most: int = 2) -> None:
    """Adds what the reader makes of the first `most` windows of each item: `reads_supported` and `reads_contradicted`,
    the mean log odds of support and of contradiction. Errors: ModelFileError."""
    windows = [
        reader_windows(item, seen.alignment)[:most] if seen else [] for item, seen in zip(items, looks, strict=True)
    ]
    pairs = [(prose(item.claim.text), text) for item, texts in zip(items, windows, strict=True) for text in texts]
    rows = iter(reader.score(pairs).tolist() if pairs else [])
    for texts, seen in zip(windows, looks, strict=True):
        scores = [next(rows) for _ in texts]
        if seen and scores:
            seen.values["reads_supported"] = fmean(_log_odds(score[0]) for score in scores)
            seen.values["reads_contradicted"] = fmean(_log_odds(score[1]) for score in scores)


def _log_odds(chance: float) -> float:
    held = min(1 - SURE, max(SURE, chance))
    return math.log(held / (1 - held))
