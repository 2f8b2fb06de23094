"""A stored verdict decided anew: other thresholds, the same labels, no call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.compare import compare
from gate.measures.risk import Course, Labelled, score
from gate.records import Label
from gate.reports.build import pair
from gate.reports.build_prompts import rounded
from gate.reports.document import VerdictDocument

if TYPE_CHECKING:
    from gate.config import RiskTolerance


def regate(document: VerdictDocument, tolerance: RiskTolerance) -> VerdictDocument:
    """The same document with decision, score, interval, reasons and thresholds under `tolerance`."""
    labelled = [Labelled(detail["prompt_id"], Label(detail["label"])) for detail in document["details"]]
    result = score(labelled, document["total_claims"], course_of(document), tolerance)
    return {
        **document,
        "decision": result.decision.value,
        "score": rounded(result.risk),
        "interval": pair(result.interval),
        "reasons": list(result.reasons),
        "thresholds": tolerance.model_dump(mode="json"),
    }


def against(document: VerdictDocument, baseline: VerdictDocument, tolerance: RiskTolerance) -> VerdictDocument:
    """The document with its comparison to a baseline; where the tolerance says so, a regression is not deployed.

    A comparison that could not be made because of too few prompts leaves the decision alone and is told.
    """
    comparison = compare(baseline, document, max_increase=tolerance.max_increase)
    reasons = list(document["reasons"])
    decision = document["decision"]
    if comparison["word"] == "regression" and tolerance.fail_on_regression:
        reasons.append(f"the risk increased significantly against the baseline, by {comparison['difference']:+.3f}")
        decision = "block" if decision in {"deploy", "warn"} else decision
    return {**document, "decision": decision, "reasons": reasons, "comparison": comparison}


def course_of(document: VerdictDocument) -> Course:
    """How the stored run went, read back from its prompts."""
    speaking = {detail.get("answer_id", detail["prompt_id"]) for detail in document["details"]}
    answered = [
        answer
        for prompt in document["prompts"]
        for answer in (prompt.get("answer_id", prompt["id"]), *(one["id"] for one in prompt.get("answers", [])))
        if prompt.get("missing", 0) < document.get("repeats", 1)
    ]
    return Course(
        prompts=len(document["prompts"]) * document.get("repeats", 1),
        failed_prompts=sum(prompt.get("missing", 0) for prompt in document["prompts"]),
        silent_answers=len(set(answered) - speaking),
        void=tuple(document.get("void", [])),
    )
