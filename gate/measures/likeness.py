"""Likeness of texts on a scale that means something: 0 what unrelated texts have, 1 what texts on one matter have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.measures.base import Stated, Tools


@dataclass(frozen=True, slots=True)
class Ramp:
    """Cosines up to `low` are 0, from `high` on 1, and between them in proportion."""

    low: float
    high: float

    def __call__(self, cosine: float) -> float:
        """In 0..1."""
        return min(1.0, max(0.0, (cosine - self.low) / (self.high - self.low)))


# For bge-small-en-v1.5-q, from 40 written questions with a statement and a passage that answer each, with and without
# the name of their subject: `low` is the upper quartile of unrelated texts, `high` about the median of those that
# belong together (benchmarks/likeness.py).
STATEMENT = Ramp(0.49, 0.74)  # a question and a statement
STATED = Ramp(0.52, 0.81)  # a statement and a passage
SENTENCE = Ramp(0.54, 0.81)  # two statements
# A question and an answer of a few words, which has no room for those of the question.
BRIEF = Ramp(0.46, 0.58)
FEW = 8  # words of it
# A question and the likest passage or sentence of a context; that all its words stand in the context adds ASKED. By the
# same pairs, and by 65 questions about the guides in training/stack with their chunks and others.
ASKED = 0.1
CONTEXT = Ramp(0.55, 0.83)


def cosines(tools: Tools, left: Sequence[str], right: Sequence[str]) -> list[list[float]]:
    """The cosine of every text of `left` with every one of `right`."""
    if not left or not right:
        return [[] for _ in left]
    tools.embed([*left, *right])  # at once: several threads share the work
    found: list[list[float]] = (tools.embed(left) @ tools.embed(right).T).tolist()
    return found


def spelled(claim: Stated) -> str:
    """The words of a claim by which it is compared: of one of FEW words that leans on what stands before it, with
    that."""
    lead = claim.context.split("\n")[1:]
    return f"{lead[-1]} {claim.text}" if lead and brief(claim.text) else claim.text


def brief(text: str) -> bool:
    """Whether a text has FEW words at most."""
    return len(text.split()) <= FEW
