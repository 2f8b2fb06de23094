"""The records that travel through a run: frozen, compared by value, in the words of the design."""

from __future__ import annotations

import hashlib
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Turns = tuple[tuple[int, str], ...]


class Category(StrEnum):
    """What a prompt tries."""

    FACTUAL_RECALL = "factual_recall"
    EDGE_CASES = "edge_cases"
    POLICY_BOUNDARIES = "policy_boundaries"
    AMBIGUOUS_QUERIES = "ambiguous_queries"


class Label(StrEnum):
    """The label of a claim; `unjudged` is never counted as any of the others."""

    SUPPORTED = "supported"
    WEAKLY_SUPPORTED = "weakly_supported"
    UNSUPPORTED = "unsupported"
    UNJUDGED = "unjudged"


class Decision(StrEnum):
    """The outcome of a run."""

    DEPLOY = "deploy"
    WARN = "warn"
    BLOCK = "block"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Chunk:
    r"""A piece of a document. `id` is the SHA-256 (hex) of `text`; `lines[i]` is the 1-based line (page for PDF) in
    `source` of the i-th line of `text` (`text.split("\n")`), so any offset in the text has a line of its own.
    `heading` is the path of headings above its first line, `turns` the lines of `text` from which on there is another
    path: (index of the line, path), in order. `tags` are those of the source that the document came from."""

    id: str
    text: str
    source: str
    heading: str
    lines: tuple[int, ...]
    turns: Turns = ()
    tags: tuple[str, ...] = ()


def writable(text: str) -> str:
    """The text with half surrogate pairs, which JSON can hold and no file can, as U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool that a model asked for: `arguments` is the text of a JSON value, as a rule an object."""

    name: str
    arguments: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn: role is `system`, `user`, `assistant` or `tool`; the content can be written as UTF-8. An assistant's
    turn may have `tool_calls`; one of a tool says which call it answers, by `tool_call_id`, `name` or both."""

    role: str
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "content", writable(self.content))


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question to the model under test; a probe names the prompt that it varies (`of`) and how (`probe`: the
    measure that asks for it, then the variation). `own_contexts`: its contexts, even none, are those
    that are given to the model: nothing is retrieved for it. `asked_in`: the file in the current folder that it was
    read from, `line` being its line there. `checks`: name -> value, as gate.checks has made them ready. `messages`: the
    conversation with the question in its last turn of the user, empty where there is none (see gate.conversation).
    `recorded`: the answer that stands in the conversation already; it is judged, and not asked for. `about`: tags of
    documents; only documents with one of them are evidence for its answer, all where it is empty."""

    id: str
    question: str
    category: Category = Category.FACTUAL_RECALL
    reference: str | None = None
    contexts: tuple[str, ...] = ()
    source: str = ""  # generated prompts: where the question comes from
    line: int = 0
    probe: str | None = None
    of: str | None = None
    own_contexts: bool = False
    must_pass: bool = False
    tags: tuple[str, ...] = ()
    asked_in: str = ""
    checks: Mapping[str, Any] = field(default_factory=dict, hash=False)
    messages: tuple[Message, ...] = ()
    recorded: Message | None = None
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call; `estimated` where the provider reported none."""

    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model said to one prompt in one repeat. `id` is `prompt_id` for repeat 0, else `prompt_id#repeat`;
    `contexts` are the passages that it was given. `own_contexts`: the application said itself which ones, even none."""

    id: str
    prompt_id: str
    text: str
    repeat: int = 0
    model: str = ""
    latency_ms: float | None = None
    usage: Usage = field(default_factory=Usage)
    cached: bool = False
    contexts: tuple[str, ...] = ()
    asked_at: float = 0.0  # seconds since 1970; 0: not known
    own_contexts: bool = False
    tool_calls: tuple[ToolCall, ...] = ()

    @property
    def only_calls(self) -> bool:
        """Whether it says nothing and asks tools instead."""
        return bool(self.tool_calls) and not self.text.strip()

    def contexts_by(self, prompt: Prompt) -> tuple[str, ...]:
        """The passages that it is measured by: what it was given, else what the prompt has."""
        return self.contexts if self.own_contexts else self.contexts or prompt.contexts


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """An exact check that an answer failed: its name in the dataset, and why."""

    check: str
    why: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A unit of an answer, or one clause of a long one, that states something, as it was written:
    `text == answer.text[start:end]`. `id` is `answer_id:n`. `context` is what it leans on, a piece a line: the
    question, the lead-in of its list, the units before it. `header` is the verbatim header of the
    answer's table that it is a row of. `earlier`: in a conversation, what the user said before the question, in a line.
    """

    id: str
    prompt_id: str
    answer_id: str
    text: str
    start: int
    end: int
    context: str = ""
    header: str = ""
    earlier: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage found for a claim: verbatim text of `source` from `line` on; `lines` as in Chunk; high scores first.

    `header` is that of the table, verbatim, which the passage begins in the middle of; `heading` what most of it
    stands under, `turns` where it stands under several (of a passage they begin with its first line); `tags` as in
    Chunk.
    """

    source: str
    line: int
    text: str
    score: float
    heading: str = ""
    lines: tuple[int, ...] = ()
    chunk_id: str = ""
    header: str = ""
    turns: Turns = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """What a judge is given: a claim, the passages found for it, and the question and answer that it comes from."""

    claim: Claim
    evidence: tuple[Evidence, ...]
    question: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """The words that decide, cut from a document: `quote` stands verbatim in `source` at `line`."""

    source: str
    line: int
    quote: str
    score: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """The label of one claim. `confidence` in 0..1 is the judge's probability of its label; `unsure` marks what it
    could not settle for good (labels are right less than 95 times of 100 there); `reason` says why a claim is unjudged
    (empty otherwise); `support` is the probability that the documents support it, from a judge that has one; `ceiling`
    is the best label that its hard checks leave, whatever anyone else thinks of the claim; `conflict` are the words of
    another document that answers the claim otherwise than `evidence` does; `case`: it answers what a rule means for a
    case, which the judge cannot tell: its label is weakly_supported."""

    claim: Claim
    label: Label
    justification: str
    contradicted: bool = False
    confidence: float = 0.0
    evidence: tuple[Quote, ...] = ()
    reason: str = ""
    unsure: bool = False
    support: float | None = None
    ceiling: Label = Label.SUPPORTED
    conflict: tuple[Quote, ...] = ()
    case: bool = False


@dataclass(frozen=True, slots=True)
class JudgeInfo:
    """Who judged: named in every verdict; `details` are counters of the run (sent on, unparsed, canaries)."""

    provider: str
    model: str
    prompt_version: str
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Failure:
    """A fault of one item; the run went on. `kind` is a stable word."""

    agent: str
    prompt_id: str
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """Every extracted claim is in exactly one of the four; `balanced` proves it against `total`. `waived` of them are
    not supported and were accepted by a person: they keep their label and leave the risk."""

    total: int
    supported: int
    weakly_supported: int
    unsupported: int
    unjudged: int
    waived: int = 0

    @property
    def judged(self) -> int:
        """Claims that carry one of the three labels."""
        return self.supported + self.weakly_supported + self.unsupported

    @property
    def balanced(self) -> bool:
        """Nothing was lost on the way."""
        return self.judged + self.unjudged == self.total


@dataclass(frozen=True, slots=True)
class Score:
    """The outcome of a run: `risk` and `interval` are None where nothing was judged. `corrected`, with
    `decide_on: corrected`: the true share of claims that are not supported, its bounds, and the judge's part of the
    uncertainty (0..1)."""

    decision: Decision
    risk: float | None
    interval: tuple[float, float] | None
    ledger: Ledger
    reasons: tuple[str, ...]
    corrected: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Rating:
    """What a measure says of one answer: `value` on the measure's scale, how much it `weight`s within the run
    (claims, for a share of claims), why, and the figures that it was put together from."""

    prompt_id: str
    value: float
    why: str = ""
    weight: float = 1.0
    parts: Mapping[str, float] = field(default_factory=dict)
    answer_id: str = ""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number about a run; `threshold` where the user gave one, `passed` only then. `skipped` are prompts that it does
    not apply to, `unjudged` those that it should have rated and could not: prompt id -> why."""

    name: str
    value: float | None
    interval: tuple[float, float] | None
    n: int
    threshold: float | None = None
    passed: bool | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    ratings: tuple[Rating, ...] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)
    unjudged: Mapping[str, str] = field(default_factory=dict)


def fingerprint(question: str, claim: str, earlier: str = "") -> str:
    """What a claim is known by across runs: 16 hex digits of the SHA-256 of its question, in a conversation of what the
    user said before (`earlier`), and of its own words, whatever their case and spacing. Ids, neighbouring sentences and
    evidence may change."""
    texts = (question, claim, earlier) if earlier else (question, claim)
    known = "\0".join(" ".join(text.casefold().split()) for text in texts)
    return hashlib.sha256(known.encode("utf-8", "replace")).hexdigest()[:16]


def heading_at(piece: Chunk | Evidence, row: int) -> str:
    """The path of headings above line `row` (from 0) of the text; the line of a heading stands under that heading."""
    before = bisect(piece.turns, row, key=lambda turn: turn[0])
    return piece.turns[before - 1][1] if before else piece.heading


def heading_of(piece: Chunk | Evidence, start: int, end: int) -> str:
    """The path of headings over most of `text[start:end]`, of equal ones the first.

    Not that of its first line: a passage grows to both sides of what a claim found, so that it often begins with the
    last words of another section than the one that it is about.
    """
    if not piece.turns:
        return piece.heading
    sizes: Counter[str] = Counter()
    for row, line in enumerate(piece.text[start:end].split("\n"), piece.text.count("\n", 0, start)):
        sizes[heading_at(piece, row)] += len(line.strip())
    return max(sizes, key=lambda heading: sizes[heading])


def turns_within(piece: Chunk | Evidence, first: int, last: int) -> Turns:
    """The paths of headings above lines `first` to `last` of the text, as turns of these lines; none for one path."""
    path = heading_at(piece, first)
    inner = tuple((row - first, heading) for row, heading in piece.turns if first < row <= last)
    return ((0, path), *inner) if inner else ()


def parse_turns(pairs: Iterable[tuple[object, object]]) -> Turns:
    """Turns as they were stored. Errors: ValueError, TypeError where they are none."""
    made: list[tuple[int, str]] = []
    for row, heading in pairs:
        if type(row) is not int or not isinstance(heading, str) or row <= (made[-1][0] if made else 0):
            raise ValueError("turns that are none")
        made.append((row, heading))
    return tuple(made)
