"""A stored verdict decided anew: other thresholds, the same labels, no call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gate.compare import compare
from gate.errors import InputFileError
from gate.measures.decide import decide
from gate.measures.missing import unpassed
from gate.measures.risk import Course, Labelled, score
from gate.records import Label
from gate.remeasure import stored_measures
from gate.reports.build import measure_entry, pair
from gate.reports.build_prompts import rounded
from gate.reports.document import Comparison, VerdictDocument

if TYPE_CHECKING:
    from gate.config import RiskTolerance

_STRICTER = ("deploy", "warn", "block", "inconclusive")  # each lets less through than the one before


def regate(
    document: VerdictDocument, tolerance: RiskTolerance, thresholds: Mapping[str, float] | None = None
) -> VerdictDocument:
    """The same document with decision, score, interval, reasons and thresholds under `tolerance`, its measures under
    `thresholds` (None: their own); a regression that it was found to be stays one."""
    labelled = [Labelled(detail["prompt_id"], Label(detail["label"])) for detail in document["details"]]
    measures = unpassed(stored_measures(document, thresholds), tolerance.max_unjudged)
    risk = score(labelled, document["total_claims"], course_of(document), tolerance)
    result = decide(risk, measures, tolerance)
    anew: VerdictDocument = {
        **document,
        "decision": result.decision.value,
        "score": rounded(result.risk),
        "interval": pair(result.interval),
        "reasons": list(result.reasons),
        "thresholds": tolerance.model_dump(mode="json"),
        "measures": {measure.name: measure_entry(measure) for measure in measures},
    }
    return _compared(anew, document["comparison"], tolerance) if "comparison" in document else anew


def tolerance_of(document: VerdictDocument) -> RiskTolerance:
    """The thresholds that a stored verdict was decided by. Errors: InputFileError."""
    from pydantic import ValidationError

    from gate.config import RiskTolerance

    try:
        return RiskTolerance.model_validate(document["thresholds"])
    except ValidationError as error:
        where = ", ".join(".".join(map(str, fault["loc"])) or "all together" for fault in error.errors())
        raise InputFileError(
            f"the thresholds of a verdict cannot be used: {where[:200]}", "decide anew: gate report --config FILE"
        ) from error


def check_decision(document: VerdictDocument) -> None:
    """Errors: InputFileError where a stored decision lets more through than its own labels and thresholds do."""
    stored, due = document["decision"], regate(document, tolerance_of(document))["decision"]
    if _STRICTER.index(stored) < _STRICTER.index(due):
        raise InputFileError(
            f"the verdict says {stored}, but its labels and thresholds give {due}: it was changed after the run",
            "make it again with gate run, or decide anew by thresholds of your own: gate report --config FILE",
        )


def against(document: VerdictDocument, baseline: VerdictDocument, tolerance: RiskTolerance) -> VerdictDocument:
    """The document with its comparison to a baseline; where the tolerance says so, a regression is not deployed.

    A comparison that could not be made because of too few prompts leaves the decision alone and is told.
    """
    return _compared(document, compare(baseline, document, max_increase=tolerance.max_increase), tolerance)


def _compared(document: VerdictDocument, comparison: Comparison, tolerance: RiskTolerance) -> VerdictDocument:
    reasons, decision = list(document["reasons"]), document["decision"]
    if comparison["word"] == "regression" and tolerance.fail_on_regression:
        reasons.append(f"the risk increased significantly against the baseline, by {comparison['difference']:+.3f}")
        decision = "block" if decision in {"deploy", "warn"} else decision
    return {**document, "decision": decision, "reasons": reasons, "comparison": comparison}


def course_of(document: VerdictDocument) -> Course:
    """How the stored run went, read back from its prompts."""
    speaking = {detail.get("answer_id", detail["prompt_id"]) for detail in document["details"]}
    own = [prompt for prompt in document["prompts"] if "probe" not in prompt]
    answered = [
        answer
        for prompt in own
        for answer in (prompt.get("answer_id", prompt["id"]), *(one["id"] for one in prompt.get("answers", [])))
        if prompt.get("missing", 0) < document.get("repeats", 1)
    ]
    return Course(
        prompts=len(own) * document.get("repeats", 1),
        failed_prompts=sum(prompt.get("missing", 0) for prompt in own),
        silent_answers=len(set(answered) - speaking),
        void=tuple(document.get("void", [])),
        repeats=document.get("repeats", 1),
    )
