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
    """One logistic regression: sigmoid(bias + sum of weight x value)."""

    bias: float
    weights: Mapping[str, float]

    def probability(self, values: Mapping[str, float]) -> float:
        """In 0..1; a feature that is not given counts as 0."""
        score = self.bias + sum(weight * values.get(name, 0.0) for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score))))


@dataclass(frozen=True, slots=True)
class Variant:
    """`supported` is the probability that the documents say it; `contradicted`, where they do not, that they deny it.

    From `high` on a claim is supported, up to `low` it is not; between them it is weakly supported. Up to `sure_low`
    and from `sure_high` on, the label was right at least 95 times of 100 on held-out answers: there a claim is settled.
    `unfitted` is `supported` as it was before a team's own fit: by it a judge chooses what to read, so that a fit keeps
    to what it was made from.
    """

    supported: Line
    contradicted: Line
    high: float
    low: float
    sure_high: float = 1.0
    sure_low: float = 0.0
    unfitted: Line | None = None

    @property
    def choosing(self) -> Line:
        """By which it is chosen what to read."""
        return self.unfitted or self.supported

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
    lines = [
        Line(float(given[name]["bias"]), {str(k): float(w) for k, w in given[name]["weights"].items()})
        for name in ("supported", "contradicted")
    ]
    high, low = float(given["high"]), float(given["low"])
    return Variant(
        lines[0], lines[1], high, low, float(given.get("sure_high", high)), float(given.get("sure_low", low))
    )
