"""An embedder that computes each text once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gate.providers.base import Embedder


class Remembering:
    """An embedder that computes each text once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self.name = embedder.name
        self.dimension = embedder.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimension) float32, rows of length 1, in the order of `texts`. Errors: the embedder's own."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if fresh:
            self._vectors.update(zip(fresh, self._embedder.embed(fresh), strict=True))
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([self._vectors[text] for text in texts])

    def windows(self, text: str) -> list[str]:
        """As the embedder's."""
        return self._embedder.windows(text)
