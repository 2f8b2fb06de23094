"""The verdict document: the shape of the JSON that a run leaves behind and that every report is told from."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from gate.reports.document_comparison import ChangedClaim as ChangedClaim
from gate.reports.document_comparison import Comparison as Comparison
from gate.reports.document_comparison import MeasureComparison as MeasureComparison

SCHEMA_VERSION = "1.0"  # major.minor: a reader takes every minor of its own major
DECISIONS = ("deploy", "warn", "block", "inconclusive")
LABELS = ("unsupported", "weakly_supported", "unjudged", "supported")  # the worst first


class EvidenceEntry(TypedDict):
    """A quote: it stands verbatim in `source` at `line` (1-based; the page of a PDF; 0: no line is known)."""

    source: str
    line: int
    quote: str
    score: float


class ClaimEntry(TypedDict):
    """One claim and its verdict; `start` and `end` are offsets (code points) into the answer `answer_id`, `context` the
    lines that it leans on, the question first."""

    id: NotRequired[str]
    claim: str
    context: NotRequired[str]
    label: str
    justification: str
    contradicted: bool
    confidence: float
    prompt_id: str
    answer_id: NotRequired[str]
    start: NotRequired[int]
    end: NotRequired[int]
    reason: NotRequired[str]
    unsure: NotRequired[bool]
    evidence: list[EvidenceEntry]


class AnswerEntry(TypedDict):
    """A further answer to a prompt that was asked more than once."""

    id: str
    repeat: int
    answer: str
    latency_ms: float | None


class PromptEntry(TypedDict):
    """One prompt and its first answer (`""` where none came); `risk` is null where none of its claims was judged."""

    id: str
    category: str
    question: str
    answer: str
    latency_ms: float | None
    risk: float | None
    answer_id: NotRequired[str]
    model: NotRequired[str]
    input_tokens: NotRequired[int]
    output_tokens: NotRequired[int]
    claims: NotRequired[int]
    failed: NotRequired[bool]  # at least one answer is missing
    missing: NotRequired[int]  # how many answers never came
    answers: NotRequired[list[AnswerEntry]]
    reference: NotRequired[str]
    contexts: NotRequired[list[str]]
    source: NotRequired[str]
    line: NotRequired[int]
    probe: NotRequired[str]
    of: NotRequired[str]


class RatingEntry(TypedDict):
    """What a measure says of one answer, and why; `weight` where answers weigh differently, `parts`: what it is made
    of."""

    prompt_id: str
    value: float
    why: str
    answer_id: NotRequired[str]
    weight: NotRequired[float]
    parts: NotRequired[dict[str, float]]


class MeasureEntry(TypedDict):
    """A number about the run; `threshold` and `passed` only where the configuration made it count. `skipped` are
    prompts that it does not apply to, `unjudged` those that it could not rate: prompt id -> why."""

    value: float | None
    interval: list[float] | None
    n: int
    threshold: NotRequired[float]
    passed: NotRequired[bool]
    details: NotRequired[dict[str, Any]]
    ratings: NotRequired[list[RatingEntry]]
    skipped: NotRequired[dict[str, str]]
    unjudged: NotRequired[dict[str, str]]


class FailureEntry(TypedDict):
    """A fault of one item; the run went on."""

    agent: str
    prompt_id: str
    kind: str
    message: str


class UsageEntry(TypedDict):
    """What the run used; `cost_usd` is null where a price is unknown, `estimated` where a provider counted nothing."""

    calls: int
    cached_calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    estimated: NotRequired[bool]


class JudgeEntry(TypedDict):
    """Who judged; `calibration` is how well it agreed with people, where that was measured."""

    provider: str
    model: str
    prompt_version: str
    details: NotRequired[dict[str, Any]]
    calibration: NotRequired[dict[str, Any]]


class VerdictDocument(TypedDict):
    """Everything that is known of a run. Wall-clock figures stand in `timings` alone."""

    schema_version: str
    decision: str
    score: float | None
    interval: list[float] | None
    reasons: list[str]
    total_claims: int
    supported: int
    weakly_supported: int
    unsupported: int
    unjudged: int
    details: list[ClaimEntry]
    prompts: list[PromptEntry]
    measures: dict[str, MeasureEntry]
    failures: list[FailureEntry]
    usage: UsageEntry
    timings: dict[str, float]
    config_hash: str
    judge: JudgeEntry
    thresholds: dict[str, Any]
    use_case: NotRequired[str]
    model: NotRequired[dict[str, str]]
    documents: NotRequired[str]  # fingerprint of the index
    repeats: NotRequired[int]
    partial: NotRequired[bool]  # a limit was hit, or the run was interrupted
    void: NotRequired[list[str]]  # what makes any decision impossible, whatever the thresholds
    shard: NotRequired[str]
    inputs: NotRequired[str]  # of a shard: hash of the files of questions and answers
    limit: NotRequired[int]  # only the first prompts were asked
    comparison: NotRequired[Comparison]
