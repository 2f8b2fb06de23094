"""The measures beside the risk: the options of each, which are asked for, and the thresholds that count."""

from __future__ import annotations

import typing
from collections.abc import Collection, Iterator
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from gate.config.parts import Part, Share

ProbeName = Literal["consistency", "sensitivity", "retrieval_dependency"]
PROBING = frozenset(typing.get_args(ProbeName))  # measures that compare an answer with those to its probes
CHANGING_EVIDENCE = frozenset({"retrieval_dependency"})  # probes that change what the model is given with a question
REPEATING = frozenset({"consistency", "noise"})  # measures that compare the answers to one prompt
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


class Measures(Part):
    """What is measured beside the risk; a measure that is not named is not computed. Reports follow this order."""

    faithfulness: AtLeast | None = None
    hallucination: AtMost | None = None
    relevance: Relevance | None = None
    context_relevance: AtLeast | None = None
    completeness: AtLeast | None = None
    overall: Overall | None = None
    correctness: Correctness | None = None
    consistency: AtLeast | None = None
    sensitivity: AtMost | None = None
    retrieval_dependency: AtLeast | None = None
    abstention: AtLeast | None = None
    noise: AtMost | None = None
    latency: Latency | None = None
    cost: Cost | None = None

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, value: Any) -> Any:
        """`relevance:` with nothing behind it asks for the measure with its defaults."""
        if isinstance(value, dict):
            return {name: {} if options is None else options for name, options in value.items()}
        return value

    def asked(self) -> Iterator[tuple[str, Part]]:
        """(name, options) of every measure that is asked for."""
        for name in type(self).model_fields:
            options = getattr(self, name)
            if options is not None:
                yield name, options

    def options(self, name: str) -> Part:
        """The options of a measure, asked for or not."""
        given: Part | None = getattr(self, name)
        if given is not None:
            return given
        schema: type[Part] = typing.get_args(type(self).model_fields[name].annotation)[0]
        return schema()

    def thresholds(self) -> dict[str, float]:
        """name -> threshold of the measures that count."""
        found = {name: threshold_of(options) for name, options in self.asked()}
        return {name: value for name, value in found.items() if value is not None}

    def graded(self) -> Iterator[str]:
        """The measures that ask the judge's model."""
        for name, options in self.asked():
            if getattr(options, "by", "") == "model":
                yield name

    def unfed(self, probes: Collection[str], repeats: int, recorded: bool) -> Iterator[str]:
        """What to do about every threshold of a measure that would have nothing to read: it compares an answer with
        those to its probes, which are not planned, or with its repeats; for some either will do. `recorded` answers
        have no probes.
        """
        for name in self.thresholds():
            probing, repeating = name in PROBING, name in REPEATING
            if not (probing or repeating) or name in probes or (repeating and repeats > 1):
                continue
            ways = ["add it to evaluation.probes"] if probing and not recorded else []
            ways += ["set evaluation.repeats above 1"] if repeating else []
            ways = ways or ["recorded answers have none to its probes; leave the threshold out, or ask a model"]
            yield f"measures.{name} has a threshold, and nothing to be measured by: {', or '.join(ways)}"


def threshold_of(options: Part) -> float | None:
    """The threshold among a measure's options, whichever way it points."""
    value = getattr(options, "min", None)
    return value if value is not None else getattr(options, "max", None)
