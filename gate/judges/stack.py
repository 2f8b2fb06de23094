"""The stack: logistic regressions over named features, a few kilobytes of weights that can say why."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gate.errors import ModelFileError
from gate.judges.reading import MODELS


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
class Stack:
    """`supported` is the probability that the documents say it; `contradicted` that they say otherwise, if they do not.

    From `high` on a claim is supported, up to `low` it is not; between them the judge is not sure.
    """

    version: str
    supported: Line
    contradicted: Line
    high: float
    low: float


def load_stack(path: Path | None = None, variant: str = "plain") -> Stack:
    """The weights of one variant (`plain`, `reader`, ...), as shipped or from `path`. Errors: ModelFileError."""
    path = path or MODELS / "stack.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        chosen = data["variants"][variant]
        lines = [
            Line(float(chosen[n]["bias"]), {k: float(w) for k, w in chosen[n]["weights"].items()})
            for n in ("supported", "contradicted")
        ]
        return Stack(str(data["version"]), lines[0], lines[1], float(chosen["high"]), float(chosen["low"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelFileError(f"the stack {path} cannot be read: {error}", "install the package again") from error
