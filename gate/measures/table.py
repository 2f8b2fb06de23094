"""The measures by name: a new one is a function and an entry here; all others ask this table."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from gate.config import AtMost, Correctness, Cost, Latency, Overall, Relevance
from gate.measures.base import Plan, Shown, Spec, unreferenced

PARAPHRASES = {"paraphrase-1": Shown.OWN, "paraphrase-2": Shown.OWN}
CHANGES = dict.fromkeys(("typos", "case", "politeness", "order"), Shown.OWN) | {"distractor": Shown.MORE}
EVIDENCE = {"withheld": Shown.NONE, "contradicted": Shown.OWN}


def _of(module: str, measure: str = "") -> Any:
    """The function that rates by a measure, loaded when it is first called: runs without measures do not wait."""
    name = f"rate_{measure or module}"
    return lambda *given: getattr(import_module(f"gate.measures.{module}"), name)(*given)


MEASURES: Mapping[str, Spec] = {
    "faithfulness": Spec(
        _of("faithfulness"),
        "Share of the claims that the contexts bear out which the assistant itself was given.",
    ),
    "hallucination": Spec(
        _of("faithfulness", "hallucination"),
        "Share of the claims that the assistant's own contexts do not bear out: 1 − faithfulness.",
        AtMost,
        less_is_better=True,
    ),
    "relevance": Spec(_of("relevance"), "How close an answer is to its question and to the contexts.", Relevance),
    "context_relevance": Spec(
        _of("relevance", "contexts"),
        "How close the contexts are to the question that they were fetched for.",
    ),
    "completeness": Spec(_of("completeness"), "Share of what a question asks for that its answer covers."),
    "overall": Spec(_of("simple", "overall"), "Relevance, faithfulness and completeness in one number.", Overall),
    "correctness": Spec(
        _of("correctness"),
        "Grade of an answer against the reference answer, from 1 (wrong) to 5 (right and complete).",
        Correctness,
        scale=(1.0, 5.0),
        needs=unreferenced,
        decimals=2,
    ),
    "consistency": Spec(
        _of("stability", "consistency"),
        "Share of the facts that stay the same when the same is asked again or in other words.",
        plan=Plan(PARAPHRASES, rephrases=True, repeats=True),
    ),
    "sensitivity": Spec(
        _of("stability", "sensitivity"),
        "Share of the facts that change with typos, case, politeness, word order or a distractor.",
        AtMost,
        less_is_better=True,
        plan=Plan(CHANGES),
    ),
    "retrieval_dependency": Spec(
        _of("retrieval_dependency"),
        "Share of the answers that change when their evidence is withheld or contradicted.",
        plan=Plan(EVIDENCE, evidence=True),
    ),
    "abstention": Spec(_of("abstention"), "Share of the answers that rightly answer or rightly decline."),
    "noise": Spec(
        _of("noise"),
        "Standard deviation of the risk of an answer when the same prompt is asked again.",
        AtMost,
        less_is_better=True,
        decimals=4,
        repeats=True,
    ),
    "latency": Spec(
        _of("simple", "latency"),
        "Time that 95 of 100 answers do not exceed.",
        Latency,
        scale=None,
        less_is_better=True,
        figure="p95",
        unit="ms",
    ),
    "cost": Spec(
        _of("simple", "cost"),
        "What an answer costs on average, by its tokens and the table of prices.",
        Cost,
        scale=None,
        less_is_better=True,
        unit="USD",
    ),
}


def plans() -> dict[str, Plan]:
    """name -> the plan of every measure that needs probes."""
    return {name: spec.plan for name, spec in MEASURES.items() if spec.plan}
