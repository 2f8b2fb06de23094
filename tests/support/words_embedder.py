"""An embedder that counts words into hashed places: exact, fast, and it remembers what it was asked to embed."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gate.records import Chunk, Turns

WINDOW = 20  # words


class WordsEmbedder:
    def __init__(self, name: str = "words", dimension: int = 64) -> None:
        self.name = name
        self.dimension = dimension
        self.batches: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.batches.append(list(texts))
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[int.from_bytes(hashlib.sha256(word.encode()).digest()[:4]) % self.dimension] += 1
            row /= max(float(np.linalg.norm(row)), 1e-9)
        return rows

    def windows(self, text: str) -> list[str]:
        words = text.split()
        return [" ".join(words[first : first + WINDOW]) for first in range(0, len(words), WINDOW)]


def chunk(text: str, source: str = "a.md", line: int = 1, heading: str = "", turns: Turns = ()) -> Chunk:
    lines = tuple(range(line, line + text.count("\n") + 1))
    return Chunk(hashlib.sha256(text.encode()).hexdigest(), text, source, heading, lines, turns)
