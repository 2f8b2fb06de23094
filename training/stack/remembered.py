"""An embedder that keeps its vectors in a file, so that a second fit need not compute them again."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gate.providers.base import Embedder


class Remembered:
    """Asks the other embedder for what the file does not hold yet."""

    def __init__(self, other: Embedder, path: Path | None) -> None:
        self.name, self.dimension, self._other = other.name, other.dimension, other
        self._file = sqlite3.connect(path or ":memory:")
        self._file.execute("CREATE TABLE IF NOT EXISTS vectors (text TEXT PRIMARY KEY, vector BLOB)")

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the other one; new vectors are kept by hundreds."""
        rows = [self._kept(text) for text in texts]
        new = list(dict.fromkeys(text for text, row in zip(texts, rows, strict=True) if row is None))
        for start in range(0, len(new), 200):
            part = new[start : start + 200]
            vectors = self._other.embed(part)
            found = ((text, vector.tobytes()) for text, vector in zip(part, vectors, strict=True))
            self._file.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", found)
            self._file.commit()
        return np.stack([row if row is not None else self._kept(text) for text, row in zip(texts, rows, strict=True)])

    def windows(self, text: str) -> list[str]:
        """As the other one."""
        return self._other.windows(text)

    def _kept(self, text: str) -> NDArray[np.float32] | None:
        found = self._file.execute("SELECT vector FROM vectors WHERE text = ?", (text,)).fetchone()
        return np.frombuffer(found[0], dtype=np.float32) if found else None
