"""What a measure is given, what it says of each answer, and what describes one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from gate.config import AtLeast
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


class ProbePassages(Enum):
    """Which passages a probe is given: those of its prompt (or as many), one more, or none."""

    OWN = "own"
    MORE = "more"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Plan:
    """The probes that a measure needs of each prompt, which gate.generation.probes makes: of which kinds, at most one
    of each. `rephrases`: a model may write them. `repeats`: answers to the same prompt do as well. `evidence`: it
    is the evidence that they change, so the model has to be given some."""

    kinds: Mapping[str, ProbePassages]
    rephrases: bool = False
    repeats: bool = False
    evidence: bool = False


@dataclass(frozen=True, slots=True)
class Spec:
    """One measure: the function that rates answers ("module:function", loaded when it is used: runs without measures do
    not wait), what it says in one sentence, its options in the configuration, its scale (None: from 0 up, without an
    end), whether less is better, and the figure that stands for the run: the weighted `mean` of the ratings or their
    `p95`; its unit (`ms`, `USD` or none), and its decimals where it has none. `needs` says why it does not apply to a
    prompt whatever its answer is; empty where it may. `plan` is that of its probes, where it needs some; `repeats`: it
    compares the answers to one prompt, and has nothing to rate where each is asked once."""

    rate: str
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
