"""A reader made for tests: it answers by a function and keeps what it was shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from gate.judges.line import Line
from gate.judges.local import LocalJudge
from gate.judges.reader import COLUMNS

Row = tuple[float, ...]
SUPPORTED: Row = (0.97, 0.01, 0.01, 0.01)
CONTRADICTED: Row = (0.01, 0.97, 0.01, 0.01)
NEITHER: Row = (0.01, 0.01, 0.97, 0.01)


class ScriptedReader:
    """`answer(claim, context, evidence)` gives the four probabilities, and a fifth where the question is about a case;
    a claim of more than `most` words is not seen whole."""

    def __init__(self, answer: Callable[[str, str, str], Row], most: int = 60) -> None:
        self._answer, self._most = answer, most
        self.shown: list[tuple[str, str, str]] = []

    def score(self, items: Sequence[tuple[str, str, str]]) -> NDArray[np.float32]:
        """(n, 5) float32."""
        self.shown += items
        rows = [(*self._answer(*item), 0.0)[:COLUMNS] for item in items]
        return np.array(rows, np.float32).reshape(len(items), COLUMNS)

    def fits(self, claim: str) -> bool:
        """Whether the claim has at most `most` words."""
        return len(claim.split()) <= self._most


def by_words(claim: str, context: str, evidence: str) -> Row:
    """Supported where every word of the claim stands in the evidence, else neither."""
    said, there = (set(re.findall(r"\w+", text.lower())) for text in (claim, evidence))
    return SUPPORTED if said and said <= there else NEITHER


def words_judge() -> LocalJudge:
    """A local judge that goes by words: quick, and right where a test's claims are verbatim."""
    line = Line("words-1", 0.0, {"supported": 1.0}, 0.6, 0.3, 0.9, 0.1)
    return LocalJudge(ScriptedReader(by_words), line, "words")
