"""The measures by name: a new one is a module, a line here and its options in the configuration."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from gate.measures.base import Outcome, Read, Reading, Spec, Tools, unreferenced
from gate.measures.missing import completed
from gate.measures.summary import summary
from gate.records import Measure


def _by(module: str, name: str = "read") -> Read:
    """The function of a measure's module, loaded when it is first asked: runs without measures do not wait."""

    def reads(outcome: Outcome, options: Any, tools: Tools) -> Reading:
        found: Reading = getattr(import_module(f"gate.measures.{module}"), name)(outcome, options, tools)
        return found

    return reads


MEASURES: Mapping[str, Spec] = {
    "faithfulness": Spec(_by("faithfulness")),
    "hallucination": Spec(_by("faithfulness", "hallucination"), less_is_better=True),
    "relevance": Spec(_by("relevance")),
    "context_relevance": Spec(_by("relevance", "contexts_read")),
    "completeness": Spec(_by("completeness")),
    "overall": Spec(_by("overall")),
    "correctness": Spec(_by("correctness"), scale=(1.0, 5.0), needs=unreferenced),
    "consistency": Spec(_by("consistency")),
    "sensitivity": Spec(_by("sensitivity"), less_is_better=True),
    "retrieval_dependency": Spec(_by("retrieval_dependency")),
    "abstention": Spec(_by("abstention")),
    "noise": Spec(_by("noise"), less_is_better=True),
    "latency": Spec(_by("latency"), scale=None, less_is_better=True, figure="p95"),
    "cost": Spec(_by("cost"), scale=None, less_is_better=True),
}


def measured(name: str, reading: Reading, threshold: float | None) -> Measure:
    """The number that a reading gives."""
    return summary(name, MEASURES[name], reading, threshold)


def read(name: str, outcome: Outcome, options: object, tools: Tools) -> Reading:
    """What a measure reads of a run; prompts of which answers are missing are unjudged, whatever it makes of them.
    Errors: LimitError, and ProviderError of those that ask a model."""
    spec = MEASURES[name]
    return completed(spec.read(outcome, options, tools), outcome, name, spec.needs)
