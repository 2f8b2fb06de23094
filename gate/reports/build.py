"""From the records of a run to its verdict document: stable order, rounded numbers, nothing of the clock."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from gate.records import (
    Answer,
    FailedCheck,
    Failure,
    JudgeInfo,
    Measure,
    Message,
    Prompt,
    Quote,
    Rating,
    Score,
    ToolCall,
    Verdict,
    fingerprint,
)
from gate.reports.document import (
    SCHEMA_VERSION,
    AnswerEntry,
    AskedEntry,
    CheckEntry,
    ClaimEntry,
    CorrectedEntry,
    EvidenceEntry,
    FailureEntry,
    JudgeEntry,
    MeasureEntry,
    MessageEntry,
    PromptEntry,
    RatingEntry,
    RecordedEntry,
    ToolCallEntry,
    UsageEntry,
    VerdictDocument,
    WaiverEntry,
)

if TYPE_CHECKING:
    from gate.waivers import Waiver

TURNS = 40  # of a conversation that the document holds: each answer in it would repeat all those before
NOTHING_CHECKED: Mapping[str, Sequence[FailedCheck]] = {}


def rounded(value: float | None) -> float | None:
    """Six decimals: enough for every use, and the same on every machine; no zero has a sign. None for what JSON has no
    number for."""
    return None if value is None or not math.isfinite(value) else round(float(value), 6) + 0.0


def risk_of(labels: Sequence[str]) -> float | None:
    """(unsupported x 1.0 + weakly_supported x 0.5) / judged claims; None where nothing was judged."""
    judged = [label for label in labels if label != "unjudged"]
    bad = judged.count("unsupported") + 0.5 * judged.count("weakly_supported")
    return rounded(bad / len(judged)) if judged else None


def prompt_entries(
    prompts: Sequence[Prompt],
    answers: Sequence[Answer],
    verdicts: Sequence[Verdict],
    repeats: int,
    accepted: Collection[str] = (),
    checked: Mapping[str, Sequence[FailedCheck]] = NOTHING_CHECKED,
) -> list[PromptEntry]:
    """One entry for each prompt, in their order, with all its answers by repeat, the risk of its claims without those
    whose ids are `accepted`, and the checks that its answers fail (`checked`, by the id of an answer)."""
    given: dict[str, list[Answer]] = {}
    for answer in sorted(answers, key=lambda a: a.repeat):
        given.setdefault(answer.prompt_id, []).append(answer)
    labels: dict[str, list[str | None]] = {}
    for verdict in verdicts:
        waived = verdict.claim.id in accepted
        labels.setdefault(verdict.claim.prompt_id, []).append(None if waived else verdict.label.value)
    entries = [_prompt(p, given.get(p.id, []), labels.get(p.id, []), repeats) for p in prompts]
    for prompt, entry in zip(prompts, entries, strict=True):
        if prompt.checks:
            entry["failed_checks"] = [
                CheckEntry(answer_id=answer.id, check=fault.check, why=fault.why)
                for answer in given.get(prompt.id, [])
                for fault in checked.get(answer.id, ())
            ]
    return entries


def _prompt(prompt: Prompt, answers: Sequence[Answer], labels: Sequence[str | None], repeats: int) -> PromptEntry:
    """The entry of one prompt; the `labels` of its claims, None for one that is waived."""
    first = answers[0] if answers else Answer(prompt.id, prompt.id, "")
    missing = max(0, repeats - len(answers))
    entry = PromptEntry(
        id=prompt.id,
        category=prompt.category.value,
        question=prompt.question,
        answer=first.text,
        latency_ms=_latency(first),
        risk=risk_of([label for label in labels if label is not None]),
        answer_id=first.id,
        model=first.model,
        input_tokens=sum(a.usage.input_tokens for a in answers),
        output_tokens=sum(a.usage.output_tokens for a in answers),
        claims=len(labels),
        failed=missing > 0,
        missing=missing,
    )
    turns = prompt.messages if prompt.probe is None else ()
    entry |= _there(
        messages=[_turn(turn) for turn in turns[-TURNS:]],
        turns_left_out=max(0, len(turns) - TURNS),
        tool_calls=_calls(first.tool_calls),
        answers=[_further(answer) for answer in answers[1:]],
        asked_at=_moment(first.asked_at) if first.asked_at else "",
        contexts=list(first.contexts_by(prompt)),
    )
    if prompt.reference is not None:
        entry["reference"] = prompt.reference
    if prompt.source:
        entry["source"], entry["line"] = prompt.source, prompt.line
    entry |= _there(
        asked_in=AskedEntry(source=prompt.asked_in, line=prompt.line) if prompt.asked_in else None,
        probe=prompt.probe,
        of=prompt.of,
        must_pass=prompt.must_pass,
        tags=list(prompt.tags),
    )
    return entry


def _there(**values: Any) -> Any:
    """Of the keys that not every entry has, those that say something."""
    return {key: value for key, value in values.items() if value}


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _further(answer: Answer) -> AnswerEntry:
    entry = AnswerEntry(id=answer.id, repeat=answer.repeat, answer=answer.text, latency_ms=_latency(answer))
    return {**entry, **_there(tool_calls=_calls(answer.tool_calls))}


def _turn(turn: Message) -> MessageEntry:
    entry = MessageEntry(role=turn.role, content=turn.content)
    more = _there(tool_calls=_calls(turn.tool_calls), tool_call_id=turn.tool_call_id, name=turn.name)
    return {**entry, **more}


def _calls(calls: Sequence[ToolCall]) -> list[ToolCallEntry]:
    return [ToolCallEntry(name=call.name, arguments=call.arguments, id=call.id) for call in calls]


def _latency(answer: Answer) -> float | None:
    return None if answer.latency_ms is None else round(answer.latency_ms, 3)


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
    begun: float = 0.0  # seconds since 1970
    failures: Sequence[Failure] = ()
    measures: Sequence[Measure] = ()
    criteria: Sequence[Measure] = ()
    usage: UsageEntry = field(default_factory=NO_USAGE.copy)
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
    waived: Mapping[str, Waiver] = field(default_factory=dict)  # by id of the claim
    checked: Mapping[str, Sequence[FailedCheck]] = field(default_factory=dict)  # by the id of an answer
    must_hold: int = 1  # of the `repeats` answers to a prompt
    notes: Sequence[str] = ()


def build(run: Run) -> VerdictDocument:
    """The verdict document of a run. Prompts keep their order, claims follow their prompts and answers; the same
    records give the same document, whatever order concurrent work finished in."""
    order = {prompt.id: place for place, prompt in enumerate(run.prompts)}
    verdicts = sorted(run.verdicts, key=lambda v: order.get(v.claim.prompt_id, len(order)))
    book, questions = run.score.ledger, {prompt.id: prompt.question for prompt in run.prompts}
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
        waived=book.waived,
        details=[_claim(verdict, questions, run.waived) for verdict in verdicts],
        prompts=prompt_entries(run.prompts, run.answers, run.verdicts, run.repeats, run.waived, run.checked),
        measures={measure.name: measure_entry(measure) for measure in sorted(run.measures, key=lambda m: m.name)},
        failures=_failures(run.failures, order),
        usage={**run.usage, "cost_usd": rounded(run.usage["cost_usd"])},
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
        notes=list(run.notes),
    )
    return {**document, **_of_some_runs(run)}


def _of_some_runs(run: Run) -> Any:
    """What only some runs have."""
    # Two prompts with one question share an answer: what was asked for in this run is no recorded answer.
    times = [answer.asked_at for answer in run.answers if answer.cached and 0 < answer.asked_at < run.begun]
    oldest = min(times, default=0.0)
    return _there(
        recorded=times
        and RecordedEntry(answers=len(times), oldest=_moment(oldest), oldest_seconds=round(run.begun - oldest, 1)),
        corrected=run.score.corrected and corrected_entry(run.score.corrected),
        shard=run.shard,
        inputs=run.inputs,
        criteria={criterion.name: measure_entry(criterion) for criterion in run.criteria},
        must_hold=run.must_hold if run.must_hold != run.repeats else None,
        limit=run.limit,
    )


def pair(interval: Sequence[float] | None) -> list[float] | None:
    """An interval as the document holds it."""
    return None if interval is None else [round(float(end), 6) + 0.0 for end in interval]


def _finite(value: Any) -> Any:
    """The same value with null for every number that JSON cannot write."""
    if isinstance(value, float):
        return rounded(value)
    if isinstance(value, Mapping):
        return {str(key): _finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    return value


def corrected_entry(figures: Mapping[str, float]) -> CorrectedEntry:
    """The corrected risk as the document holds it."""
    share, low, high, part = (round(figures[name], 6) for name in ("share", "low", "high", "judge_part"))
    return CorrectedEntry(share=share, low=low, high=high, judge_part=part)


def _claim(verdict: Verdict, questions: Mapping[str, str], waived: Mapping[str, Waiver]) -> ClaimEntry:
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
        fingerprint=fingerprint(questions.get(claim.prompt_id, ""), claim.text, claim.earlier),
        evidence=[quote_entry(quote) for quote in verdict.evidence],
    )
    waiver = waived.get(claim.id)
    more = _there(
        earlier=claim.earlier,
        waived=waiver is not None,
        waiver=waiver and waiver_entry(waiver),
        conflict=[quote_entry(quote) for quote in verdict.conflict],
        reason=verdict.reason,
        unsure=verdict.unsure,
        case=verdict.case,
    )
    return {**entry, **more}


def waiver_entry(waiver: Waiver) -> WaiverEntry:
    """A waiver as the documents hold it."""
    return WaiverEntry(reason=waiver.reason, who=waiver.who, until=waiver.until.isoformat())


def quote_entry(quote: Quote) -> EvidenceEntry:
    """A quote as the documents hold it."""
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
    entries = [FailureEntry(agent=f.agent, prompt_id=f.prompt_id, kind=f.kind, message=f.message) for f in failures]
    return sorted(
        entries,
        key=lambda f: (order.get(f["prompt_id"], len(order)), f["prompt_id"], f["agent"], f["kind"], f["message"]),
    )


def _judge(judge: JudgeInfo, calibration: Mapping[str, Any] | None) -> JudgeEntry:
    entry = JudgeEntry(
        provider=judge.provider, model=judge.model, prompt_version=judge.prompt_version, details=_finite(judge.details)
    )
    if calibration is not None:
        entry["calibration"] = _finite(calibration)
    return entry
