"""From the records of a run to its verdict document: stable order, rounded numbers, nothing of the clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gate.records import Answer, Failure, JudgeInfo, Measure, Prompt, Quote, Rating, Score, Verdict
from gate.reports.build_prompts import entries, rounded
from gate.reports.document import (
    SCHEMA_VERSION,
    ClaimEntry,
    Comparison,
    EvidenceEntry,
    FailureEntry,
    JudgeEntry,
    MeasureEntry,
    RatingEntry,
    UsageEntry,
    VerdictDocument,
)

NO_USAGE = UsageEntry(calls=0, cached_calls=0, input_tokens=0, output_tokens=0, cost_usd=0.0)


@dataclass(frozen=True, slots=True)
class Run:
    """What a run ended with. `thresholds` is the whole `risk_tolerance`; `timings` maps an agent to seconds."""

    prompts: Sequence[Prompt]
    answers: Sequence[Answer]
    verdicts: Sequence[Verdict]
    score: Score
    judge: JudgeInfo
    thresholds: Mapping[str, Any]
    config_hash: str
    failures: Sequence[Failure] = ()
    measures: Sequence[Measure] = ()
    usage: UsageEntry = field(default_factory=lambda: NO_USAGE.copy())
    timings: Mapping[str, float] = field(default_factory=dict)
    documents: str = ""
    use_case: str = ""
    model: Mapping[str, str] = field(default_factory=dict)
    repeats: int = 1
    partial: bool = False
    void: Sequence[str] = ()
    shard: str = ""
    inputs: str = ""
    limit: int | None = None
    calibration: Mapping[str, Any] | None = None
    comparison: Comparison | None = None


def build(run: Run) -> VerdictDocument:
    """The verdict document of a run. Prompts keep their order, claims follow their prompts and answers; the same
    records give the same document, whatever order concurrent work finished in."""
    order = {prompt.id: place for place, prompt in enumerate(run.prompts)}
    verdicts = sorted(run.verdicts, key=lambda v: order.get(v.claim.prompt_id, len(order)))
    book = run.score.ledger
    document = VerdictDocument(
        schema_version=SCHEMA_VERSION,
        decision=run.score.decision.value,
        score=rounded(run.score.risk),
        interval=pair(run.score.interval),
        reasons=list(run.score.reasons),
        total_claims=book.total,
        supported=book.supported,
        weakly_supported=book.weakly_supported,
        unsupported=book.unsupported,
        unjudged=book.unjudged,
        details=[_claim(verdict) for verdict in verdicts],
        prompts=entries(run.prompts, run.answers, run.verdicts, run.repeats),
        measures={measure.name: measure_entry(measure) for measure in sorted(run.measures, key=lambda m: m.name)},
        failures=_failures(run.failures, order),
        usage=_usage(run.usage),
        timings={agent: round(seconds, 3) for agent, seconds in run.timings.items()},
        config_hash=run.config_hash,
        judge=_judge(run.judge, run.calibration),
        thresholds=dict(run.thresholds),
        use_case=run.use_case,
        model=dict(run.model),
        documents=run.documents,
        repeats=run.repeats,
        partial=run.partial,
        void=list(run.void),
    )
    if run.shard:
        document["shard"], document["inputs"] = run.shard, run.inputs
    if run.limit is not None:
        document["limit"] = run.limit
    if run.comparison is not None:
        document["comparison"] = run.comparison
    return document


def pair(interval: tuple[float, float] | None) -> list[float] | None:
    """An interval as the document holds it."""
    return None if interval is None else [round(float(end), 6) for end in interval]


def _finite(value: Any) -> Any:
    """The same value with null for every number that JSON cannot write."""
    if isinstance(value, float):
        return rounded(value)
    if isinstance(value, Mapping):
        return {str(key): _finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    return value


def _claim(verdict: Verdict) -> ClaimEntry:
    claim = verdict.claim
    entry = ClaimEntry(
        id=claim.id,
        claim=claim.text,
        label=verdict.label.value,
        justification=verdict.justification,
        contradicted=verdict.contradicted,
        confidence=round(float(verdict.confidence), 4),
        prompt_id=claim.prompt_id,
        answer_id=claim.answer_id,
        start=claim.start,
        end=claim.end,
        context=claim.context,
        evidence=[_quote(quote) for quote in verdict.evidence],
    )
    if verdict.reason:
        entry["reason"] = verdict.reason
    if verdict.unsure:
        entry["unsure"] = True
    return entry


def _quote(quote: Quote) -> EvidenceEntry:
    score = round(float(quote.score), 4)
    return EvidenceEntry(source=quote.source, line=quote.line, quote=quote.quote, score=score)


def measure_entry(measure: Measure) -> MeasureEntry:
    """A measure as the document holds it."""
    entry = MeasureEntry(value=rounded(measure.value), interval=pair(measure.interval), n=measure.n)
    if measure.threshold is not None:
        entry["threshold"] = measure.threshold
    if measure.passed is not None:
        entry["passed"] = measure.passed
    if measure.details:
        entry["details"] = _finite(measure.details)
    if measure.ratings:
        entry["ratings"] = [_rating(rating) for rating in measure.ratings]
    if measure.skipped:
        entry["skipped"] = dict(measure.skipped)
    if measure.unjudged:
        entry["unjudged"] = dict(measure.unjudged)
    return entry


def _rating(rating: Rating) -> RatingEntry:
    entry = RatingEntry(prompt_id=rating.prompt_id, value=round(float(rating.value), 6), why=rating.why)
    if rating.answer_id and rating.answer_id != rating.prompt_id:
        entry["answer_id"] = rating.answer_id
    if rating.weight != 1.0:
        entry["weight"] = round(float(rating.weight), 6)
    if rating.parts:
        entry["parts"] = {name: round(float(value), 6) for name, value in rating.parts.items()}
    return entry


def _failures(failures: Sequence[Failure], order: Mapping[str, int]) -> list[FailureEntry]:
    def key(failure: Failure) -> tuple[int, str, str, str, str]:
        place = order.get(failure.prompt_id, len(order))
        return (place, failure.prompt_id, failure.agent, failure.kind, failure.message)

    return [
        FailureEntry(agent=f.agent, prompt_id=f.prompt_id, kind=f.kind, message=f.message)
        for f in sorted(failures, key=key)
    ]


def _usage(usage: UsageEntry) -> UsageEntry:
    entry = usage.copy()
    entry["cost_usd"] = rounded(usage["cost_usd"])
    return entry


def _judge(judge: JudgeInfo, calibration: Mapping[str, Any] | None) -> JudgeEntry:
    entry = JudgeEntry(
        provider=judge.provider, model=judge.model, prompt_version=judge.prompt_version, details=_finite(judge.details)
    )
    if calibration is not None:
        entry["calibration"] = _finite(calibration)
    return entry
