"""The verdict document: the shape of the JSON that a run leaves behind and that every report is rendered from.

Typed dictionaries that pydantic reads: their fields carry the limits and the words of the JSON Schema, which
`scripts/reference.py` writes to verdict.schema.json and docs/reference/verdict.md. A reader takes every minor version
of its own major, so keys that are not known here are allowed everywhere.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import BeforeValidator, Field, GetPydanticSchema
from typing_extensions import TypedDict  # pydantic reads that of typing from Python 3.12 on only

from gate.reports.schema import schema_of

SCHEMA_VERSION = "1.1"  # major.minor: a reader takes every minor of its own major
LABELS = ("unsupported", "weakly_supported", "unjudged", "supported")  # the worst first


def about(text: str) -> Any:
    """What a field means, for the schema and the page made of it."""
    return Field(description=text)


def shaped(shape: Any) -> Any:
    """Have pydantic check a field as `shape`, where the code that fills it deals in a plainer type."""
    return GetPydanticSchema(lambda _, handler: handler(shape))


def _whole(value: Any) -> Any:
    """JSON Schema calls 2.0 an integer, as JSON has one kind of number."""
    return int(value) if type(value) is float and value.is_integer() else value


Count = Annotated[int, Field(ge=0), BeforeValidator(_whole)]
Share = Annotated[float, Field(ge=0, le=1)]
Pair = Annotated[list[float], Field(min_length=2, max_length=2)]
Interval = Annotated[Pair | None, about("A 95 % interval: low end, high end; null where nothing can be said.")]
Detectable = Annotated[
    float | None, Field(ge=0, description="The smallest difference that this many prompts could have shown.")
]
Version = Annotated[
    str,
    Field(pattern=r"^1\.[0-9]+$", description="major.minor; a reader takes every minor version of its own major."),
]
Label = Annotated[str, shaped(Literal["supported", "weakly_supported", "unsupported", "unjudged"])]


class EvidenceEntry(TypedDict):
    """A verbatim quote from a trusted document."""

    source: Annotated[str, about("The document, as it was ingested.")]
    line: Annotated[Count, about("1-based line in the source (page of a PDF); 0: not known.")]
    quote: Annotated[str, about("The words that decide, verbatim from the source.")]
    score: Annotated[float, about("Higher is better.")]


class WaiverEntry(TypedDict):
    """Who accepted a claim, why and until when."""

    reason: str
    who: str
    until: Annotated[str, about("The last day, as YYYY-MM-DD.")]


class ClaimEntry(TypedDict):
    """One claim and its verdict."""

    id: NotRequired[Annotated[str, about("Unique within the run.")]]
    claim: Annotated[str, about("The statement, as the answer has it.")]
    context: NotRequired[
        Annotated[
            str,
            about(
                "What it leans on, a line each: the question (may be empty), its lead-in, up to two units before it."
            ),
        ]
    ]
    earlier: NotRequired[Annotated[str, about("In a conversation: what the user said before the question.")]]
    label: Label
    justification: Annotated[str, about("One sentence: what was found, missing or contradicted.")]
    contradicted: Annotated[bool, about("The documents say otherwise (only with the label unsupported).")]
    confidence: Annotated[
        Share,
        about(
            "The judge's probability of its label; of `weakly_supported` that of the less likely side, at most a half."
        ),
    ]
    prompt_id: Annotated[str, about("The prompt whose answer made the claim.")]
    answer_id: NotRequired[Annotated[str, about("The answer that made it.")]]
    start: NotRequired[Annotated[Count, about("Offset (code points) of the claim's first character in the answer.")]]
    end: NotRequired[Annotated[Count, about("Offset behind its last character.")]]
    reason: NotRequired[Annotated[str, about("Why the claim is unjudged.")]]
    unsure: NotRequired[
        Annotated[bool, about("The judge could not settle the claim for good: a tiered judge sends such claims on.")]
    ]
    case: NotRequired[
        Annotated[bool, about("It answers what a rule means for one case, which the local judge cannot tell.")]
    ]
    fingerprint: NotRequired[
        Annotated[str, about("What the claim is known by across runs: 16 hex digits over its question and its words.")]
    ]
    waived: NotRequired[Annotated[bool, about("A person accepted the claim: it keeps its label and leaves the risk.")]]
    waiver: NotRequired[Annotated[WaiverEntry, about("With `waived`: why, by whom and until when.")]]
    evidence: Annotated[list[EvidenceEntry], about("The quotes that decide, best first.")]
    conflict: NotRequired[
        Annotated[list[EvidenceEntry], about("The words of another document that answers the claim otherwise.")]
    ]


class ToolCallEntry(TypedDict):
    """A call of a tool that the application asked for."""

    name: str
    arguments: Annotated[str, about("The text of a JSON value, as the application wrote it.")]
    id: str


class MessageEntry(TypedDict):
    """A turn of a conversation."""

    role: Annotated[str, about("system, user, assistant or tool.")]
    content: str
    tool_calls: NotRequired[list[ToolCallEntry]]
    tool_call_id: NotRequired[Annotated[str, about("Of a tool: the call that it answers.")]]
    name: NotRequired[Annotated[str, about("Of a tool: its name.")]]


class AnswerEntry(TypedDict):
    """A further answer to a prompt that was asked more than once."""

    id: str
    repeat: Annotated[Count, about("1 for the second answer, and so on.")]
    answer: str
    latency_ms: Annotated[float | None, Field(ge=0)]
    tool_calls: NotRequired[list[ToolCallEntry]]


class AskedEntry(TypedDict):
    """Where a prompt was read from."""

    source: Annotated[str, about("The file of questions or of recorded answers, from where the run was started.")]
    line: Annotated[Count, about("The line in it.")]


class CheckEntry(TypedDict):
    """An exact check that an answer failed."""

    answer_id: str
    check: Annotated[str, about("Its name in the dataset.")]
    why: str


class PromptEntry(TypedDict):
    """One question to the model under test, with what it said."""

    id: Annotated[str, Field(min_length=1)]
    category: Annotated[str, about("factual_recall, edge_cases, policy_boundaries or ambiguous_queries.")]
    question: str
    answer: Annotated[str, about("The first answer; empty where none came.")]
    latency_ms: Annotated[float | None, Field(ge=0, description="Milliseconds; null where not known.")]
    risk: Annotated[Share | None, about("The risk of this prompt's claims; null where none was judged.")]
    answer_id: NotRequired[Annotated[str, about("The id of the first answer.")]]
    model: NotRequired[Annotated[str, about("The model that answered.")]]
    input_tokens: NotRequired[Annotated[Count, about("Over all answers to the prompt.")]]
    output_tokens: NotRequired[Annotated[Count, about("Over all answers to the prompt.")]]
    claims: NotRequired[Annotated[Count, about("How many claims its answers made.")]]
    failed: NotRequired[Annotated[bool, about("At least one answer is missing.")]]
    missing: NotRequired[Annotated[Count, about("How many answers never came.")]]
    answers: NotRequired[
        Annotated[list[AnswerEntry], about("The answers after the first, where the prompt was asked more than once.")]
    ]
    messages: NotRequired[
        Annotated[list[MessageEntry], about("The conversation up to the answer, its newest 40 turns.")]
    ]
    turns_left_out: NotRequired[Annotated[Count, about("How many older turns `messages` does not have.")]]
    tool_calls: NotRequired[Annotated[list[ToolCallEntry], about("What the first answer asked of tools.")]]
    reference: NotRequired[Annotated[str, about("The right answer, where it is known.")]]
    contexts: NotRequired[Annotated[list[str], about("What the assistant was given to answer from.")]]
    source: NotRequired[Annotated[str, about("The document that a generated question comes from.")]]
    line: NotRequired[Annotated[Count, about("The line in it.")]]
    asked_in: NotRequired[AskedEntry]
    probe: NotRequired[Annotated[str, about("How the prompt varies another one.")]]
    of: NotRequired[Annotated[str, about("The id of the prompt that it varies.")]]
    asked_at: NotRequired[Annotated[str, about("When the first answer was given, ISO 8601 in UTC.")]]
    must_pass: NotRequired[Annotated[bool, about("The prompt has to hold, whatever the risk.")]]
    tags: NotRequired[Annotated[list[str], about("Names that the dataset gave it.")]]
    failed_checks: NotRequired[
        Annotated[list[CheckEntry], about("The exact checks that its answers fail; not there where it has no checks.")]
    ]


class RatingEntry(TypedDict):
    """What a measure says of one answer."""

    prompt_id: str
    value: Annotated[float, about("On the scale of the measure.")]
    why: Annotated[str, about("The reason, in a sentence.")]
    answer_id: NotRequired[Annotated[str, about("The answer, where it is not the prompt's first.")]]
    weight: NotRequired[Annotated[float, Field(ge=0, description="What it weighs in the mean, if not 1.")]]
    parts: NotRequired[Annotated[dict[str, float], about("The figures that it was put together from.")]]


class MeasureEntry(TypedDict):
    """A number about the run besides the risk."""

    value: float | None
    interval: Interval
    n: Annotated[Count, about("How many items it was measured on.")]
    threshold: NotRequired[Annotated[float, about("What the configuration asks for.")]]
    passed: NotRequired[
        Annotated[
            bool,
            about("Whether the threshold is met. Not there where too much could not be rated (`max_unjudged`)."),
        ]
    ]
    details: NotRequired[Annotated[dict[str, Any], about("What the value was made of.")]]
    ratings: NotRequired[Annotated[list[RatingEntry], about("What it says of each answer.")]]
    skipped: NotRequired[Annotated[dict[str, str], about("Prompts that it does not apply to: id and why.")]]
    unjudged: NotRequired[
        Annotated[dict[str, str], about("Prompts that it should have rated and could not: id and why.")]
    ]


class FailureEntry(TypedDict):
    """A fault of one item; the run went on."""

    agent: Annotated[str, about("Where it happened.")]
    prompt_id: str
    kind: Annotated[str, about("A stable word.")]
    message: str


class UsageEntry(TypedDict):
    """What the run used."""

    calls: Annotated[Count, about("Calls made.")]
    cached_calls: Annotated[Count, about("Calls answered from the record.")]
    input_tokens: Count
    output_tokens: Count
    cost_usd: Annotated[float | None, Field(ge=0, description="null where a price is not known.")]
    estimated: NotRequired[Annotated[bool, about("Some tokens were estimated, as the provider reported none.")]]


class JudgeEntry(TypedDict):
    """Who judged."""

    provider: str
    model: str
    prompt_version: str
    details: NotRequired[dict[str, Any]]
    calibration: NotRequired[
        Annotated[dict[str, Any], about("How far the judge agreed with people, where that was measured.")]
    ]


class CorrectedEntry(TypedDict):
    """The risk with the judge's own measured error taken off (`decide_on: corrected`)."""

    share: Annotated[Share, about("The share of claims that are truly not supported, as estimated.")]
    low: Annotated[Share, about("The truth lies below it with at most 5 %.")]
    high: Annotated[Share, about("The truth lies above it with at most 5 %.")]
    judge_part: Annotated[Share, about("The part of the uncertainty that is the judge's; the rest is the sample's.")]


class RecordedEntry(TypedDict):
    """Answers that were read from the record in place of asking the application."""

    answers: Annotated[Count, about("How many of the answers were recorded before the run began.")]
    oldest: Annotated[str, about("When the oldest was given, ISO 8601 in UTC.")]
    oldest_seconds: Annotated[float, Field(ge=0, description="The age of the oldest when the run began.")]


class ThresholdsEntry(TypedDict):
    """The whole risk_tolerance of the configuration."""

    deploy_threshold: Share
    warn_threshold: Share


class ChangedClaim(TypedDict):
    """A claim that the base did not have, or no longer has."""

    claim: str
    prompt_id: str
    label: str
    contradicted: NotRequired[bool]
    was: NotRequired[Annotated[str, about("The label of what stood there in the base.")]]
    was_contradicted: NotRequired[Annotated[bool, about("The documents denied what stood there in the base.")]]


class MeasureComparison(TypedDict):
    """A measure of both runs, paired by prompt."""

    base: Annotated[float | None, about("The base's value.")]
    head: Annotated[float | None, about("The value of this run.")]
    difference: Annotated[float | None, about("Head minus base, the mean over the prompts that both rated.")]
    interval: Annotated[Pair | None, about("The 95 % interval of the difference.")]
    p_value: Annotated[Share | None, about("One-sided, for the direction that was seen.")]
    smallest_detectable: Detectable
    word: Annotated[str, shaped(Literal["better", "worse", "no difference", "too few prompts"])]
    prompts: Annotated[Count, about("How many prompts both rated.")]


class Comparison(TypedDict):
    """The paired comparison with a base."""

    base_score: Share | None
    difference: Annotated[float | None, about("Head minus base: above zero is worse.")]
    interval: Interval
    p_value: Share | None
    smallest_detectable: Detectable
    word: Annotated[str, shaped(Literal["regression", "improvement", "no difference", "too few prompts"])]
    new: Annotated[list[ChangedClaim], about("Claims that are not supported here and were not so in the base.")]
    fixed: Annotated[list[ChangedClaim], about("Claims that were not supported in the base and are so no more.")]
    gone: NotRequired[
        Annotated[list[ChangedClaim], about("Claims that were not supported in the base and that no answer says now.")]
    ]
    unchanged: Annotated[Count, about("Claims that stayed as they were.")]
    notes: Annotated[list[str], about("What makes the two hard to compare.")]
    prompts: NotRequired[Annotated[Count, about("How many prompts were paired.")]]
    measures: NotRequired[Annotated[dict[str, MeasureComparison], about("The measures that both runs have, by name.")]]
    models: NotRequired[Annotated[dict[str, str], about("base and head: the models under test.")]]


class VerdictDocument(TypedDict):
    """What one run of the gate found. Keys may be added within a major version; none is removed or changes its
    meaning."""

    schema_version: Version
    decision: Annotated[
        str, shaped(Literal["deploy", "warn", "block", "inconclusive"]), about("Whether the change may ship.")
    ]
    score: Annotated[
        Share | None,
        about("The risk: (unsupported x 1.0 + weakly_supported x 0.5) / judged claims; null if nothing was judged."),
    ]
    interval: Annotated[Pair | None, about("The 95 % interval of the risk.")]
    reasons: Annotated[list[str], about("Why the decision is what it is.")]
    total_claims: Annotated[Count, about("supported + weakly_supported + unsupported + unjudged.")]
    supported: Annotated[Count, about("The documents bear the claim out.")]
    weakly_supported: Annotated[Count, about("They do so in part.")]
    unsupported: Annotated[Count, about("They do not, or they contradict it.")]
    unjudged: Annotated[Count, about("No label could be given; counts for no decision but inconclusive.")]
    details: Annotated[list[ClaimEntry], about("Every claim with its verdict, in the order of the prompts.")]
    prompts: Annotated[list[PromptEntry], about("Every prompt with its answer.")]
    measures: Annotated[dict[str, MeasureEntry], about("Measures by name.")]
    criteria: NotRequired[
        Annotated[dict[str, MeasureEntry], about("The share of answers that meet each of `judge.criteria`.")]
    ]
    failures: Annotated[list[FailureEntry], about("What went wrong with single items.")]
    usage: UsageEntry
    timings: Annotated[
        dict[str, Annotated[float, Field(ge=0)]],
        about("Seconds by agent; the only figures that differ between two runs on the same input."),
    ]
    config_hash: Annotated[str, about("SHA-256 of the configuration.")]
    judge: JudgeEntry
    thresholds: Annotated[dict[str, Any], shaped(ThresholdsEntry)]
    use_case: NotRequired[Annotated[str, about("What the assistant is for.")]]
    model: NotRequired[Annotated[dict[str, str], about("The model under test.")]]
    documents: NotRequired[Annotated[str, about("Fingerprint of the index.")]]
    repeats: NotRequired[Annotated[Count, about("Answers asked for each prompt.")]]
    must_hold: NotRequired[
        Annotated[Count, about("`evaluation.pass`: so many answers to a prompt must hold; not there: all.")]
    ]
    waived: NotRequired[Annotated[Count, about("How many claims that are not supported a person accepted.")]]
    recorded: NotRequired[Annotated[RecordedEntry, about("Where answers came from the record.")]]
    corrected: NotRequired[Annotated[CorrectedEntry, about("With `decide_on: corrected`.")]]
    notes: NotRequired[Annotated[list[str], about("What a reader should know of waivers and of the judge's scores.")]]
    partial: NotRequired[Annotated[bool, about("A limit was hit, or the run was interrupted.")]]
    void: NotRequired[Annotated[list[str], about("What makes any decision impossible, whatever the thresholds.")]]
    shard: NotRequired[Annotated[str, about("I/N: which part of a run this is.")]]
    inputs: NotRequired[
        Annotated[str, about("Of a shard: the hash of the files of questions and recorded answers that it read.")]
    ]
    limit: NotRequired[
        Annotated[
            int,
            Field(ge=1, description="Only the first prompts, so many, were asked."),
            BeforeValidator(_whole),
        ]
    ]
    comparison: NotRequired[Annotated[Comparison, about("Where a baseline was given.")]]


def schema() -> dict[str, Any]:
    """The JSON Schema of a verdict document."""
    return schema_of(VerdictDocument, "Verdict of llm-reliability-gate", "urn:llm-reliability-gate:verdict:1")
