"""Verdicts made from stored verdicts: shards joined, other thresholds, a baseline. No call, and the labels stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import chain, zip_longest
from typing import Any, Literal

from pydantic import ValidationError

from gate.compare import compare
from gate.config import RiskTolerance
from gate.errors import InputFileError, UsageError
from gate.judge_quality import error_of
from gate.judges.base import shares
from gate.measures.base import Reading, Spec
from gate.measures.risk import STRICTNESS, Course, score
from gate.measures.summary import CRITERION, MEASURES, decide, measured, meets, unpassed
from gate.records import Decision, Measure, Rating
from gate.reports.build import corrected_entry, measure_entry, pair, rounded, waiver_entry
from gate.reports.document import (
    ClaimEntry,
    Comparison,
    JudgeEntry,
    MeasureEntry,
    PromptEntry,
    RatingEntry,
    RecordedEntry,
    UsageEntry,
    VerdictDocument,
)
from gate.reports.findings import answers_of, asked_of, calls_alone, labelled_of
from gate.reports.words import NOT_SUPPORTED, Family, count, families, fingerprint_of
from gate.waivers import Waiver, apply, notes_of

_ALIKE = ("config_hash", "documents", "schema_version", "thresholds", "repeats", "model", "limit", "inputs")
_ONE_JUDGE = ("provider", "model", "prompt_version")  # an environment, or a fit, may make another of one configuration
UNKNOWN = "this version of the gate does not know the measure"
ABSENT = "the run did not take it"


def decide_again(
    document: VerdictDocument, tolerance: RiskTolerance, thresholds: Mapping[str, float] | None = None
) -> VerdictDocument:
    """The same document with decision, score, interval, reasons and thresholds under `tolerance`, its measures under
    `thresholds` (None: their own); a regression that it was found to be stays one. See `hold_again` for `pass`."""
    labelled = labelled_of(document["details"])
    error = error_of(document["judge"].get("calibration", {}))
    measures = unpassed(stored_measures(document, thresholds), tolerance.max_unjudged)
    risk = score(labelled, document["total_claims"], course_of(document), tolerance, error)
    result = decide(risk, measures, tolerance)
    anew: VerdictDocument = {
        **document,
        "decision": result.decision.value,
        "score": rounded(result.risk),
        "interval": pair(result.interval),
        "reasons": list(result.reasons),
        "thresholds": tolerance.model_dump(mode="json"),
        "measures": {measure.name: measure_entry(measure) for measure in measures},
        "waived": result.ledger.waived,
    }
    anew.pop("corrected", None)
    if result.corrected is not None:
        anew["corrected"] = corrected_entry(result.corrected)
    return _compared(anew, document["comparison"], tolerance) if "comparison" in document else anew


def hold_again(document: VerdictDocument, needed: Literal["all"] | int) -> VerdictDocument:
    """The document with another number of answers to a prompt that must hold (`evaluation.pass`); decide it again to
    see what that changes. Errors: UsageError for more than the run has."""
    repeats = document.get("repeats", 1)
    if needed != "all" and needed > repeats:
        raise UsageError(
            f"evaluation.pass is {needed}, and the run has {count(repeats, 'answer')} to a prompt",
            "lower `pass`, or run again with more `repeats`",
        )
    anew: VerdictDocument = {**document}
    anew.pop("must_hold", None)
    if needed != "all" and needed < repeats:
        anew["must_hold"] = needed
    return anew


def tolerance_of(document: VerdictDocument) -> RiskTolerance:
    """The thresholds that a stored verdict was decided by. Errors: InputFileError."""
    # A verdict of an earlier version was decided without these: it stays what it was.
    unknown = {"contradicted": "ignore", "must_pass": "ignore", "checks": "ignore"}
    try:
        return RiskTolerance.model_validate({**unknown, **document["thresholds"]})
    except ValidationError as error:
        where = ", ".join(".".join(map(str, fault["loc"])) or "all together" for fault in error.errors())
        raise InputFileError(
            f"the thresholds of a verdict cannot be used: {where[:200]}", "decide anew: gate report --config FILE"
        ) from error


def check_decision(document: VerdictDocument) -> None:
    """Errors: InputFileError where a stored decision lets more through than its own labels and thresholds do."""
    stored, due = document["decision"], decide_again(document, tolerance_of(document))["decision"]
    if STRICTNESS.index(Decision(stored)) < STRICTNESS.index(Decision(due)):
        raise InputFileError(
            f"the verdict says {stored}, but its labels and thresholds give {due}: it was changed after the run",
            "make it again with gate run, or decide anew by thresholds of your own: gate report --config FILE",
        )


def with_baseline(
    document: VerdictDocument, baseline: VerdictDocument | None, tolerance: RiskTolerance
) -> VerdictDocument:
    """The document with its comparison to a baseline; where the tolerance says so, neither a regression is deployed nor
    what too few prompts leave open. Without a baseline, as on the base branch itself, a reason says so."""
    if baseline is None:
        none = ["there is no baseline, so no regression was looked for (fail_on_regression)"]
        return {**document, "reasons": document["reasons"] + none * tolerance.fail_on_regression}
    return _compared(document, compare(baseline, document, max_increase=tolerance.max_increase), tolerance)


def _compared(document: VerdictDocument, comparison: Comparison, tolerance: RiskTolerance) -> VerdictDocument:
    reasons, decision = list(document["reasons"]), document["decision"]
    # A claim may have been accepted after the comparison was made.
    accepted = {(claim["prompt_id"], claim["claim"]) for claim in document["details"] if claim.get("waived")}
    new = [claim for claim in comparison["new"] if (claim["prompt_id"], claim["claim"]) not in accepted]
    comparison = {**comparison, "new": new}
    fresh = sum(claim.get("contradicted", False) for claim in new)
    if fresh and tolerance.contradicted != "ignore":
        what = "1 claim that the documents deny is" if fresh == 1 else f"{fresh} claims that the documents deny are"
        reasons.insert(0, f"{what} new against the baseline")
    if comparison["word"] == "regression" and tolerance.fail_on_regression:
        reasons.append(f"the risk increased significantly against the baseline, by {comparison['difference']:+.3f}")
        decision = "block" if decision in {"deploy", "warn"} else decision
    if comparison["word"] == "too few prompts" and tolerance.fail_on_regression:
        judged = f"{count(comparison.get('prompts', 0), 'prompt')} judged here and in the baseline"
        reasons.append(f"{judged}: too few to see a regression (fail_on_regression)")
        decision = "inconclusive" if decision in {"deploy", "warn"} else decision
    return {**document, "decision": decision, "reasons": reasons, "comparison": comparison}


def course_of(document: VerdictDocument) -> Course:
    """How the stored run went, read back from its prompts."""
    repeats = document.get("repeats", 1)
    speaking = {detail.get("answer_id", detail["prompt_id"]) for detail in document["details"]}
    own, asked = [prompt for prompt in document["prompts"] if "probe" not in prompt], asked_of(document)
    answers = {name for one in asked for name in one.answers}
    return Course(
        prompts=len(own) * repeats,
        failed_prompts=sum(prompt.get("missing", 0) for prompt in own),
        silent_answers=len(answers - speaking),
        void=tuple(document.get("void", [])),
        repeats=repeats,
        must_hold=document.get("must_hold", repeats),
        asked=tuple(asked),
        notes=tuple(document.get("notes", [])),
        checked_alone=bool(answers)
        and all(
            "failed_checks" in prompt and calls_alone(answer)
            for prompt in own
            if prompt.get("missing", 0) < repeats
            for answer in answers_of(prompt)
        ),
    )


def fingerprints(document: VerdictDocument) -> list[str]:
    """The fingerprint of each claim, in order."""
    questions = {prompt["id"]: prompt["question"] for prompt in document["prompts"]}
    return [fingerprint_of(claim, questions.get(claim["prompt_id"], "")) for claim in document["details"]]


def waive_again(document: VerdictDocument, waivers: Sequence[Waiver], today: date) -> VerdictDocument:
    """The document with these waivers applied to its claims; decide it again to see what they change."""
    details_and_marks = zip(document["details"], fingerprints(document), strict=True)
    marked = [(detail, (mark, detail["contradicted"])) for detail, mark in details_and_marks]
    found = apply(waivers, (mark for detail, mark in marked if detail["label"] in NOT_SUPPORTED), today)
    details: list[ClaimEntry] = []
    for detail, mark in marked:
        anew = detail.copy()
        anew.pop("waived", None)
        anew.pop("waiver", None)
        if detail["label"] in NOT_SUPPORTED and mark in found.accepted:
            anew["waived"], anew["waiver"] = True, waiver_entry(found.accepted[mark])
        details.append(anew)
    left = document["unjudged"] or any(prompt.get("missing") for prompt in document["prompts"])
    part = bool(left) or document.get("partial", False) or "shard" in document or "limit" in document
    return {**document, "details": details, "notes": list(notes_of(found, part))}


def merge(shards: Sequence[VerdictDocument]) -> VerdictDocument:
    """Join all shards of one run; the decision is still that of the first (see `decide_again`).

    Errors: UsageError for shards of different runs, one that is missing, or one that is given twice.
    """
    ordered = _in_order(shards)
    if any("comparison" in document for document in ordered):
        raise UsageError(
            "a shard was compared with a baseline: that says nothing about the whole run",
            "run the shards without --baseline, merge them, and use gate compare",
        )
    first = ordered[0]
    _check_alike(ordered)
    prompts = _interleaved([families(document) for document in ordered])
    place = {prompt["id"]: number for number, prompt in enumerate(prompts)}
    if len(place) != len(prompts):
        raise UsageError("a prompt is in two shards", "merge each shard once")
    merged: VerdictDocument = {
        **first,
        "prompts": prompts,
        "details": sorted(_all(ordered, "details"), key=lambda claim: place[claim["prompt_id"]]),
        "failures": sorted(_all(ordered, "failures"), key=lambda failure: place.get(failure["prompt_id"], len(place))),
        "measures": _joined([document["measures"] for document in ordered], place),
        "usage": _usage([document["usage"] for document in ordered]),
        "timings": _sums([document["timings"] for document in ordered]),
        "judge": _judge([document["judge"] for document in ordered]),
        "partial": any(document.get("partial", False) for document in ordered),
        "void": list(dict.fromkeys(reason for document in ordered for reason in document.get("void", []))),
    }
    if recorded := [document["recorded"] for document in ordered if "recorded" in document]:
        merged["recorded"] = _recorded(recorded)
    for key in ("total_claims", "supported", "weakly_supported", "unsupported", "unjudged"):
        merged[key] = sum(document[key] for document in ordered)
    if any("criteria" in document for document in ordered):
        merged["criteria"] = _joined([document.get("criteria", {}) for document in ordered], place, CRITERION)
    merged["notes"] = list(dict.fromkeys(note for document in ordered for note in document.get("notes", [])))
    merged.pop("shard", None)
    merged.pop("inputs", None)
    return merged


def _check_alike(ordered: Sequence[VerdictDocument]) -> None:
    """Errors: UsageError for shards of different runs."""
    first = ordered[0]
    for other in ordered[1:]:
        unlike = [key for key in _ALIKE if first.get(key) != other.get(key)]
        unlike += [f"judge.{key}" for key in _ONE_JUDGE if first["judge"].get(key) != other["judge"].get(key)]
        if unlike:
            raise UsageError(
                f"these are shards of different runs: {unlike[0]} differs",
                "merge verdicts of the same configuration, questions, answers, documents, judge and version",
            )


def _in_order(shards: Sequence[VerdictDocument]) -> list[VerdictDocument]:
    """The shards 1/N to N/N, each once."""
    found: dict[tuple[int, int], VerdictDocument] = {}
    for place, document in enumerate(shards, 1):
        if not (name := document.get("shard")):
            what = f"verdict {place} of the {len(shards)} given is not a shard"
            raise UsageError(what, "make shards with gate run --shard I/N")
        spot = _spot(name)
        if spot in found:
            raise UsageError(f"shard {name} is given twice", "merge each shard once")
        found[spot] = document
    totals = {total for _, total in found}
    if len(totals) != 1:
        raise UsageError("the shards are of different numbers", "merge all shards of one run together")
    (total,) = totals
    spots = [(number, total) for number in range(1, min(total, len(found) + 8) + 1)]
    if missing := [f"{number}/{total}" for number, total in spots if (number, total) not in found]:
        raise UsageError(f"shards are missing: {', '.join(missing)}", "merge all shards of one run together")
    return [found[spot] for spot in spots]


def _spot(name: str) -> tuple[int, int]:
    """(I, N) of `I/N`. Errors: UsageError."""
    left, _, right = name.partition("/")
    if not (left.isdecimal() and right.isdecimal() and 1 <= int(left[:9]) <= int(right[:9])):
        raise UsageError(f"{name[:40]!r} is not the name of a shard like 1/4", "make shards with gate run --shard I/N")
    return int(left[:9]), int(right[:9])


def _interleaved(lists: Sequence[Sequence[Family]]) -> list[PromptEntry]:
    """Shard i of n holds every n-th prompt from the i-th on: dealt back in turn, they stand in the run's order."""
    dealt = chain.from_iterable(zip_longest(*lists))
    return [prompt for family in dealt if family for prompt in (family.prompt, *family.probes)]


def _all(documents: Sequence[VerdictDocument], key: str) -> list[Any]:
    return [entry for document in documents for entry in document[key]]  # type: ignore[literal-required]


def _recorded(parts: Sequence[RecordedEntry]) -> RecordedEntry:
    return RecordedEntry(
        answers=sum(part["answers"] for part in parts),
        oldest=min(part["oldest"] for part in parts),
        oldest_seconds=max(part["oldest_seconds"] for part in parts),
    )


def _usage(parts: Sequence[UsageEntry]) -> UsageEntry:
    known = [part["cost_usd"] for part in parts if part["cost_usd"] is not None]
    joined = UsageEntry(
        calls=sum(part["calls"] for part in parts),
        cached_calls=sum(part["cached_calls"] for part in parts),
        input_tokens=sum(part["input_tokens"] for part in parts),
        output_tokens=sum(part["output_tokens"] for part in parts),
        cost_usd=round(sum(known), 6) if len(known) == len(parts) else None,
    )
    if any(part.get("estimated") for part in parts):
        joined["estimated"] = True
    return joined


def _judge(parts: Sequence[JudgeEntry]) -> JudgeEntry:
    """One judge; its counters are added up, shares are of the sums, whatever else it tells is the first shard's."""
    joined: JudgeEntry = {**parts[0]}
    if "details" in parts[0]:
        told = [part.get("details", {}) for part in parts]
        sums = _sums([{key: value for key, value in each.items() if type(value) is int} for each in told])
        joined["details"] = {**parts[0]["details"], **sums, **shares(sums)}
    return joined


def _sums(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    keys = dict.fromkeys(key for part in parts for key in part)
    return {key: round(sum(part.get(key, 0) for part in parts), 3) for key in keys}


def stored_measures(document: VerdictDocument, thresholds: Mapping[str, float] | None = None) -> list[Measure]:
    """The measures of a document by their names, under `thresholds` (None: their own). One that has a threshold and is
    not in the document stands there without a value: what was not measured does not pass."""
    entries = document["measures"]
    own = {name: entry["threshold"] for name, entry in entries.items() if "threshold" in entry}
    asked = own if thresholds is None else thresholds
    prompts = [prompt["id"] for prompt in document["prompts"] if not prompt.get("probe")]
    absent = MeasureEntry(value=None, interval=None, n=0, unjudged=dict.fromkeys(prompts or [""], ABSENT))
    names = sorted(entries.keys() | asked.keys())
    return [_measure(name, entries.get(name, absent), asked.get(name)) for name in names]


def _joined(
    shards: Sequence[Mapping[str, MeasureEntry]], place: Mapping[str, int], spec: Spec | None = None
) -> dict[str, MeasureEntry]:
    """The measures of all shards of one run, each over all their ratings; `place` gives a prompt's place in the run.
    `spec`: that of criteria."""
    entries: dict[str, MeasureEntry] = {}
    for name in sorted({name for shard in shards for name in shard}):
        parts = [shard[name] for shard in shards if name in shard]
        ratings = sorted(
            (rating for part in parts for rating in part.get("ratings", [])),
            key=lambda rating: place.get(rating["prompt_id"], len(place)),
        )
        whole = MeasureEntry(value=None, interval=None, n=0, ratings=ratings)
        whole["skipped"] = {key: why for part in parts for key, why in part.get("skipped", {}).items()}
        whole["unjudged"] = {key: why for part in parts for key, why in part.get("unjudged", {}).items()}
        threshold = next((part["threshold"] for part in parts if "threshold" in part), None)
        entries[name] = measure_entry(_measure(name, whole, threshold, spec))
        if spec and "details" in parts[0]:
            entries[name]["details"] = parts[0]["details"]  # the calibration, which no rating has
    return entries


def _measure(name: str, entry: MeasureEntry, threshold: float | None, spec: Spec | None = None) -> Measure:
    if "ratings" not in entry and entry["value"] is not None:
        band = entry["interval"]
        ends = (band[0], band[1]) if band else None
        met = meets(entry["value"], threshold, MEASURES[name]) if threshold is not None and name in MEASURES else None
        return Measure(name, entry["value"], ends, entry["n"], threshold, met, entry.get("details", {}))
    if name not in MEASURES and spec is None:
        return Measure(name, None, None, 0, threshold, unjudged={"": UNKNOWN})
    ratings = tuple(_rating(rating) for rating in entry.get("ratings", []))
    return measured(name, Reading(ratings, entry.get("skipped", {}), entry.get("unjudged", {})), threshold, spec)


def _rating(entry: RatingEntry) -> Rating:
    return Rating(
        entry["prompt_id"],
        entry["value"],
        entry["why"],
        entry.get("weight", 1.0),
        entry.get("parts", {}),
        entry.get("answer_id", entry["prompt_id"]),
    )
