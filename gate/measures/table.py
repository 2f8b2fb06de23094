"""The measures by name: a new one is a module, a line here and its options in the configuration."""

from __future__ import annotations

from collections.abc import Mapping

from gate.measures import (
    abstention,
    completeness,
    consistency,
    correctness,
    cost,
    faithfulness,
    latency,
    noise,
    overall,
    relevance,
    retrieval_dependency,
    sensitivity,
)
from gate.measures.base import Outcome, Reading, Spec, Tools
from gate.measures.summary import summary
from gate.records import Measure

MEASURES: Mapping[str, Spec] = {
    "faithfulness": Spec(faithfulness.read),
    "hallucination": Spec(faithfulness.hallucination, less_is_better=True),
    "relevance": Spec(relevance.read),
    "context_relevance": Spec(relevance.contexts_read),
    "completeness": Spec(completeness.read),
    "overall": Spec(overall.read),
    "correctness": Spec(correctness.read, scale=(1.0, 5.0)),
    "consistency": Spec(consistency.read),
    "sensitivity": Spec(sensitivity.read, less_is_better=True),
    "retrieval_dependency": Spec(retrieval_dependency.read),
    "abstention": Spec(abstention.read),
    "noise": Spec(noise.read, less_is_better=True),
    "latency": Spec(latency.read, scale=None, less_is_better=True, figure="p95"),
    "cost": Spec(cost.read, scale=None, less_is_better=True),
}


def measured(name: str, reading: Reading, threshold: float | None) -> Measure:
    """The number that a reading gives."""
    return summary(name, MEASURES[name], reading, threshold)


def read(name: str, outcome: Outcome, options: object, tools: Tools) -> Reading:
    """What a measure reads of a run. Errors: LimitError, and ProviderError of those that ask a model."""
    return MEASURES[name].read(outcome, options, tools)
