"""An embedder and a reader that keep what they computed in a file, so that a second fit need not do it again."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gate.judges.look import Scorer
from gate.providers.base import Embedder

Matrix = NDArray[np.float32]


class Kept:
    """Rows of numbers by key, in a file or in memory."""

    def __init__(self, path: Path | None, table: str) -> None:
        self._file, self._table = sqlite3.connect(path or ":memory:"), table
        self._file.execute(f"CREATE TABLE IF NOT EXISTS {table} (key TEXT PRIMARY KEY, row BLOB)")

    def rows(self, keys: Sequence[str], make: Callable[[list[int]], Matrix], width: int) -> Matrix:
        """One row a key; `make` is asked, by hundreds, for the places of those that are not kept."""
        first: dict[str, int] = {}
        for place, key in enumerate(keys):
            if key not in first and self._get(key) is None:
                first[key] = place
        new = list(first.values())
        for start in range(0, len(new), 200):
            part = new[start : start + 200]
            made = make(part)
            found = ((keys[place], row.tobytes()) for place, row in zip(part, made, strict=True))
            self._file.executemany(f"INSERT OR REPLACE INTO {self._table} VALUES (?, ?)", found)  # noqa: S608
            self._file.commit()
        out = np.zeros((len(keys), width), dtype=np.float32)
        for place, key in enumerate(keys):
            out[place] = self._get(key)
        return out

    def _get(self, key: str) -> Matrix | None:
        found = self._file.execute(f"SELECT row FROM {self._table} WHERE key = ?", (key,)).fetchone()  # noqa: S608
        return np.frombuffer(found[0], dtype=np.float32) if found else None


class Remembered:
    """Asks the other embedder for what is not kept yet."""

    def __init__(self, other: Embedder, path: Path | None) -> None:
        self.name, self.dimension, self._other = other.name, other.dimension, other
        self._kept = Kept(path, "vectors")

    def embed(self, texts: Sequence[str]) -> Matrix:
        """As the other one."""
        return self._kept.rows(texts, lambda places: self._other.embed([texts[i] for i in places]), self.dimension)

    def windows(self, text: str) -> list[str]:
        """As the other one."""
        return self._other.windows(text)


class RememberedReader:
    """Asks the other reader for what is not kept yet. A file belongs to one reader: a new one needs a new file."""

    def __init__(self, other: Scorer, path: Path | None) -> None:
        self._other, self._kept = other, Kept(path, "scores")

    def score(self, pairs: Sequence[tuple[str, str]]) -> Matrix:
        """As the other one."""
        keys = ["\0".join(pair) for pair in pairs]
        return self._kept.rows(keys, lambda places: self._other.score([pairs[i] for i in places]), 3)
