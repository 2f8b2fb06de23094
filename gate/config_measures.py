"""The options of the measures beside the risk."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from gate.config_parts import Part

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Weight = Annotated[float, Field(ge=0.0, le=1000.0)]


class AtLeast(Part):
    """A share that has to reach `min`, where that is given."""

    min: Share | None = None


class AtMost(Part):
    """A share that must not exceed `max`, where that is given."""

    max: Share | None = None


class Relevance(AtLeast):
    """How much the likeness to the question weighs, and that to the contexts."""

    question_weight: Weight = 0.4
    context_weight: Weight = 0.6

    @model_validator(mode="after")
    def _weighed(self) -> Relevance:
        _check_weights(self, "question_weight", "context_weight")
        return self


class Overall(AtLeast):
    """How much each of the three parts weighs."""

    relevance_weight: Weight = 0.35
    faithfulness_weight: Weight = 0.40
    completeness_weight: Weight = 0.25

    @model_validator(mode="after")
    def _weighed(self) -> Overall:
        _check_weights(self, "relevance_weight", "faithfulness_weight", "completeness_weight")
        return self


class Correctness(Part):
    """Who grades from 1 to 5, which grade an answer passes at, and the mean that is asked for."""

    min: Annotated[float, Field(ge=1.0, le=5.0)] | None = None
    pass_at: Annotated[float, Field(ge=1.0, le=5.0)] = 4.0
    by: Literal["local", "model"] = "local"


class Latency(Part):
    """Milliseconds that 95 of 100 answers may take at most."""

    max: Annotated[float, Field(gt=0)] | None = None


class Cost(Part):
    """USD that an answer may cost on average."""

    max: Annotated[float, Field(ge=0)] | None = None


def _check_weights(options: Part, *names: str) -> None:
    if not sum(getattr(options, name) for name in names):
        raise ValueError(f"one of {', '.join(names)} must be above 0")
