from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.stack.remembered import Remembered, RememberedReader


class Counting:
    name, dimension = "counting", 2

    def __init__(self) -> None:
        self.asked: list[object] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)

    def windows(self, text: str) -> list[str]:
        return [text]

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        self.asked += pairs
        return np.array([[len(a), len(b), 0] for a, b in pairs], dtype=np.float32)


def test_a_vector_is_computed_once_and_stays_in_its_place(tmp_path: Path) -> None:
    other = Counting()
    first = Remembered(other, tmp_path / "kept")
    assert first.embed(["a", "bbb", "a"]).tolist() == [[1, 1], [3, 1], [1, 1]]
    again = Remembered(other, tmp_path / "kept")
    assert again.embed(["cc", "a"]).tolist() == [[2, 1], [1, 1]]
    assert other.asked == ["a", "bbb", "cc"]


def test_scores_are_kept_by_pair(tmp_path: Path) -> None:
    other = Counting()
    reader = RememberedReader(other, tmp_path / "kept")
    assert reader.score([("a", "bb"), ("ab", "b")]).tolist() == [[1, 2, 0], [2, 1, 0]]
    assert RememberedReader(other, tmp_path / "kept").score([("ab", "b")]).tolist() == [[2, 1, 0]]
    assert len(other.asked) == 2


def test_nothing_asked_nothing_given() -> None:
    assert Remembered(Counting(), None).embed([]).shape == (0, 2)
    assert RememberedReader(Counting(), None).score([]).shape == (0, 3)
