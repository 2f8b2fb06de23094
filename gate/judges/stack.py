"""The stack: logistic regressions over named features, a few kilobytes of weights that can say why."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate.errors import ModelFileError
from gate.judges.lexicon import MODELS


@dataclass(frozen=True, slots=True)
class Line:
    """One logistic regression: sigmoid(bias + sum of weight x value), and what its `words` make of the values as far as
    the reader is in doubt."""

    bias: float
    weights: Mapping[str, float]
    words: Line | None = None

    def probability(self, values: Mapping[str, float]) -> float:
        """In 0..1; a feature that is not given counts as 0."""
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, self.score(values)))))

    def score(self, values: Mapping[str, float]) -> float:
        """The log odds."""
        own = self.bias + sum(weight * values.get(name, 0.0) for name, weight in self.weights.items())
        return own + doubt(values.get("reads_margin", 0.0)) * self.words.score(values) if self.words else own

    def turned(self, slope: float, offset: float) -> Line:
        """The line with the log odds slope x score + offset."""
        weights = {name: slope * weight for name, weight in self.weights.items()}
        return Line(slope * self.bias + offset, weights, self.words and self.words.turned(slope, 0.0))


def doubt(margin: float) -> float:
    """How far a reader whose windows lean to one side by this `reads_margin` leaves the question open, in 0..1: where
    it is sure, the same words in another company would outvote it."""
    return 1.0 / (1.0 + math.exp(min(30.0, abs(margin) - 1.0)))


@dataclass(frozen=True, slots=True)
class Variant:
    """`supported` is the probability that the documents say it; `contradicted`, where they do not, that they deny it.

    From `high` on a claim is supported, up to `low` it is not; between them it is weakly supported. Up to `sure_low`
    and from `sure_high` on, the label was right at least 95 times of 100 on held-out answers: there a claim is settled.
    """

    supported: Line
    contradicted: Line
    high: float
    low: float
    sure_high: float = 1.0
    sure_low: float = 0.0

    def settles(self, chance: float) -> bool:
        """Whether a probability of support is so far out that nobody else need be asked."""
        return chance <= self.sure_low or chance >= self.sure_high


@dataclass(frozen=True, slots=True)
class Stack:
    """The fitted variants (`plain`, `embedding`, ...); `embedder` names the one whose likeness was fitted."""

    version: str
    embedder: str
    variants: Mapping[str, Variant]


def load_stack(path: Path | None = None) -> Stack:
    """The weights as shipped, or from `path`. Errors: ModelFileError."""
    path = path or MODELS / "stack.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        variants = {str(name): _variant(given) for name, given in data["variants"].items()}
        return Stack(str(data["version"]), str(data["embedder"]), {"plain": variants["plain"], **variants})
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelFileError(f"the stack {path} cannot be read: {error}", "install the package again") from error


def _variant(given: Mapping[str, Any]) -> Variant:
    lines = [_line(given[name]) for name in ("supported", "contradicted")]
    high, low = float(given["high"]), float(given["low"])
    return Variant(
        lines[0], lines[1], high, low, float(given.get("sure_high", high)), float(given.get("sure_low", low))
    )


def _line(given: Mapping[str, Any]) -> Line:
    words = _line(given["words"]) if "words" in given else None
    return Line(float(given["bias"]), {str(k): float(w) for k, w in given["weights"].items()}, words)
