"""Vectors of an index: kept as small whole numbers, compared exactly, best chunks first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gate.providers.base import Embedder

# Components of unit vectors become whole numbers in -4000..4000. A product of two such rows, and by Cauchy and Schwarz
# each of its partial sums, stays below (4000 + sqrt(d) / 2)^2 < 2^24 for d <= 8192: float32 adds them without rounding.
# So a score depends neither on what else is in the batch nor on threads nor on the machine's matrix library.
SCALE = 4000
_ROWS = 8192  # windows multiplied at once: 12 MB at 384 dimensions
_QUERIES = 256  # queries answered at once


def quantise(rows: NDArray[np.float32]) -> NDArray[np.int16]:
    """(n, d) vectors to whole numbers, each row brought to length 1 before (a row of zeros stays zero)."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    unit = np.divide(rows, lengths, out=np.zeros(rows.shape), where=(lengths > 0) & np.isfinite(lengths))
    whole: NDArray[np.int16] = np.rint(unit * SCALE).astype("<i2")
    return whole


def of_windows(embedder: Embedder, texts: Mapping[str, str]) -> dict[str, NDArray[np.int16]]:
    """For each text the rows (windows, d) of its windows: one batch for the embedder. Errors: the embedder's."""
    windows = {name: embedder.windows(text) or [text] for name, text in texts.items()}
    every = [window for group in windows.values() for window in group]
    rows = quantise(embedder.embed(every)) if every else np.empty((0, 0), np.int16)
    ends = np.cumsum([len(group) for group in windows.values()])
    return dict(zip(windows, np.split(rows, ends[:-1]), strict=True)) if windows else {}


@dataclass(frozen=True, slots=True)
class Matrix:
    """The windows of all chunks: `rows` (windows, d) int16; chunk i has those from `starts[i]` to `starts[i + 1]`."""

    rows: NDArray[np.int16]
    starts: NDArray[np.intp]

    def nearest(self, queries: NDArray[np.float32], k: int) -> list[list[int]]:
        """For each query (n, d) the k chunks with the nearest window by cosine, best first, equal ones by number."""
        exact = quantise(queries).astype(np.float32)
        found: list[list[int]] = []
        for first in range(0, len(exact), _QUERIES):
            found += [_best(row, k) for row in self._scores(exact[first : first + _QUERIES])]
        return found

    def _scores(self, queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """(n, chunks): the best window of every chunk."""
        scores = np.empty((len(queries), len(self.starts) - 1), dtype=np.float32)
        chunk = 0
        while chunk < scores.shape[1]:
            start = self.starts[chunk]
            # As many whole chunks as fit, at least one.
            end = max(chunk + 1, int(np.searchsorted(self.starts, start + _ROWS, side="right")) - 1)
            block = self.rows[start : self.starts[end]].astype(np.float32)
            np.maximum.reduceat(queries @ block.T, self.starts[chunk:end] - start, axis=1, out=scores[:, chunk:end])
            chunk = end
        return scores


def _best(scores: NDArray[np.float32], k: int) -> list[int]:
    if k < len(scores):
        cut = np.partition(scores, len(scores) - k)[len(scores) - k]
        places = np.flatnonzero(scores >= cut)
    else:
        places = np.arange(len(scores))
    # A stable sort of ascending places keeps equal scores in their order.
    ranked = places[np.argsort(-scores[places], kind="stable")]
    return [int(place) for place in ranked[:k]]
