"""What a measure is given, what it says of each answer, and the table of the measures.

A new one is a function `rate_NAME` and an entry of MEASURES; all others ask this table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from gate.config import AtLeast, AtMost, Correctness, Cost, Latency, Overall, Relevance
from gate.judges.base import Grade, Statement, Support
from gate.records import Answer, Claim, Prompt, Rating, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gate.config import Part

NO_REFERENCE = "it has no reference answer"


@dataclass(frozen=True, slots=True)
class Case:
    """One answer as the measures see it. `contexts` is what the assistant itself was given; `claims` and `verdicts` are
    those of the run (a probe has none: its answer is no part of the risk)."""

    prompt: Prompt
    answer: Answer
    contexts: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    verdicts: tuple[Verdict, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """The answers of a run: to its own prompts, in their order with all repeats, and to the probes of each measure that
    plans some (it has its name there even if none could be made). `missing` are prompts and probes that were asked and
    have fewer answers than they should, `unmade` the ids of prompts whose probes a fault kept from being written."""

    cases: tuple[Case, ...]
    probes: Mapping[str, tuple[Case, ...]] = field(default_factory=dict)
    missing: tuple[Prompt, ...] = ()
    unmade: frozenset[str] = frozenset()


class Stated(Protocol):
    """A claim as it stands in a text, and what it leans on."""

    @property
    def text(self) -> str:
        """The words of the claim."""

    @property
    def context(self) -> str:
        """The question (an empty line where there is none), then a line each for the lead-in and the units before."""

    @property
    def header(self) -> str:
        """The header row of the table, as written; empty where the claim is no row."""


class Tools(Protocol):
    """What a measure may ask. Everything but `grade` is local."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, d) float32, rows of length 1; the same text is embedded once a run."""

    def claims(self, text: str, question: str) -> tuple[Stated, ...]:
        """The claims of a text, by the local extractor; none for a refusal."""

    def support(self, statements: Sequence[Statement]) -> list[Support]:
        """For each statement how far its texts bear it out, by the local judge; the same one is judged once."""

    def grade(self, items: Sequence[tuple[str, str, str]]) -> list[Grade]:
        """For each (question, reference, answer) the grade of the judge's model; none of what a limit left ungraded.
        Errors: SetupError, where no call can succeed."""

    def documents(self, question: str) -> tuple[str, ...]:
        """The passages of the trusted documents that speak most of a question, best first."""

    def price(self, answer: Answer) -> float | None:
        """What an answer cost in USD; None where the price of its model is unknown."""

    def reading(self, name: str) -> Reading:
        """What another measure read of this run, with its configured options; computed once."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a measure read of a run. `skipped` are prompts that it does not apply to (no reference, no context, no other
    words to ask it in), `unjudged` those that it should have rated and could not: prompt id -> why."""

    ratings: tuple[Rating, ...] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)
    unjudged: Mapping[str, str] = field(default_factory=dict)


def unreferenced(prompt: Prompt) -> str:
    """Why an answer to a prompt cannot be compared with its reference; empty where it can."""
    return "" if (prompt.reference or "").strip() else NO_REFERENCE


class Shown(Enum):
    """Which passages a probe is given: those of its prompt (or as many), one more, or none."""

    OWN = "own"
    MORE = "more"
    NONE = "none"


Rate = Callable[[Answered, Any, Tools], Reading]


@dataclass(frozen=True, slots=True)
class Plan:
    """The probes that a measure needs of each prompt, which gate.generation.probes makes: of which kinds, at most one
    of each. `rephrases`: a model may write them. `repeats`: answers to the same prompt do as well. `evidence`: it
    is the evidence that they change, so the model has to be given some."""

    kinds: Mapping[str, Shown]
    rephrases: bool = False
    repeats: bool = False
    evidence: bool = False


@dataclass(frozen=True, slots=True)
class Spec:
    """One measure: how answers are rated, what it says in one sentence, its options in the configuration, its scale
    (None: from 0 up, without an end), whether less is better, and the figure that stands for the run: the weighted
    `mean` of the ratings or their `p95`; its unit (`ms`, `USD` or none), and its decimals where it has none. `needs`
    says why it does not apply to a prompt whatever its answer is; empty where it may. `plan` is that of its probes,
    where it needs some; `repeats`: it compares the answers to one prompt, and has nothing to rate where each is asked
    once."""

    rate: Rate
    means: str = ""
    options: type[Part] = AtLeast
    scale: tuple[float, float] | None = (0.0, 1.0)
    less_is_better: bool = False
    figure: str = "mean"
    unit: str = ""
    decimals: int = 3
    needs: Callable[[Prompt], str] = lambda prompt: ""
    plan: Plan | None = None
    repeats: bool = False


def lost(run: Answered, measure: str) -> dict[str, str]:
    """prompt id -> why a prompt cannot be rated of which an answer, or one to its probes, is missing."""
    answered = {case.prompt.id for case in run.cases}
    reasons: dict[str, str] = {}
    for prompt in run.missing:
        if prompt.probe is None:
            reasons[prompt.id] = "an answer is missing" if prompt.id in answered else "it has no answer"
    for prompt in run.missing:
        name, _, kind = (prompt.probe or "").partition(":")
        if name == measure and prompt.of is not None:
            reasons.setdefault(prompt.of, f"its probe {kind} was not answered")
    return reasons


PARAPHRASES = {"paraphrase-1": Shown.OWN, "paraphrase-2": Shown.OWN}
CHANGES = dict.fromkeys(("typos", "case", "politeness", "order"), Shown.OWN) | {"distractor": Shown.MORE}
EVIDENCE = {"withheld": Shown.NONE, "contradicted": Shown.OWN}


def _of(module: str, measure: str = "") -> Any:
    """The function that rates by a measure, loaded when it is first called: runs without measures do not wait."""
    name = f"rate_{measure or module}"
    return lambda *given: getattr(import_module(f"gate.measures.{module}"), name)(*given)


MEASURES: Mapping[str, Spec] = {
    "faithfulness": Spec(
        _of("claims", "faithfulness"),
        "Share of the claims that the contexts bear out which the assistant itself was given.",
    ),
    "hallucination": Spec(
        _of("claims", "hallucination"),
        "Share of the claims that the assistant's own contexts do not bear out: 1 − faithfulness.",
        AtMost,
        less_is_better=True,
    ),
    "relevance": Spec(_of("relevance"), "How close an answer is to its question and to the contexts.", Relevance),
    "context_relevance": Spec(
        _of("relevance", "contexts"),
        "How close the contexts are to the question that they were fetched for.",
    ),
    "completeness": Spec(_of("relevance", "completeness"), "Share of what a question asks for that its answer covers."),
    "overall": Spec(_of("simple", "overall"), "Relevance, faithfulness and completeness in one number.", Overall),
    "correctness": Spec(
        _of("claims", "correctness"),
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
        _of("stability", "retrieval_dependency"),
        "Share of the answers that change when their evidence is withheld or contradicted.",
        plan=Plan(EVIDENCE, evidence=True),
    ),
    "abstention": Spec(_of("abstention"), "Share of the answers that rightly answer or rightly decline."),
    "noise": Spec(
        _of("simple", "noise"),
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


CRITERION = Spec(lambda *given: Reading(), "Share of the answers that meet the criterion, by the judge's model.")


def plans() -> dict[str, Plan]:
    """name -> the plan of every measure that needs probes."""
    return {name: spec.plan for name, spec in MEASURES.items() if spec.plan}
