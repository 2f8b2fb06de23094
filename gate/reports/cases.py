"""What all reports say of single prompts: which hold, which fail their exact checks, and how those of each tag came
out. Read back from the document, so that a stored verdict says the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gate.measures.risk import Labelled, PromptCourse, holding, passing
from gate.records import Label
from gate.reports import words
from gate.reports.build import risk_of
from gate.reports.document import ClaimEntry, PromptEntry, VerdictDocument


def labelled_of(details: Iterable[ClaimEntry]) -> list[Labelled]:
    """Claims of a document as the risk needs them."""
    return [
        Labelled(
            claim["prompt_id"],
            Label(claim["label"]),
            claim["contradicted"],
            claim.get("waived", False),
            claim["claim"],
            claim.get("answer_id", claim["prompt_id"]),
        )
        for claim in details
    ]


def asked_of(document: VerdictDocument) -> list[PromptCourse]:
    """Every prompt of the run's own (no probe) with its answers, and what they are held to."""
    return [_asked(prompt, document.get("repeats", 1)) for prompt in document["prompts"] if not prompt.get("probe")]


def _asked(prompt: PromptEntry, repeats: int) -> PromptCourse:
    first = [prompt.get("answer_id", prompt["id"])] if prompt.get("missing", 0) < repeats else []
    failed: dict[str, str] = {}
    for fault in prompt.get("failed_checks", ()):
        failed.setdefault(fault["answer_id"], fault["why"])
    return PromptCourse(
        prompt["id"],
        (*first, *(answer["id"] for answer in prompt.get("answers", ()))),
        prompt.get("must_pass", False),
        failed if "failed_checks" in prompt else None,
    )


@dataclass(frozen=True, slots=True)
class Unmet:
    """A prompt of which too few answers pass its exact checks: `rows` says what failed, each once; `again`, with
    repeats, how many pass."""

    prompt: PromptEntry
    rows: tuple[str, ...]
    again: str = ""

    @property
    def why(self) -> str:
        """All of it in one line."""
        return "; ".join(filter(None, (*self.rows, self.again)))


def unmet(document: VerdictDocument) -> list[Unmet]:
    """The prompts that fail their checks, in order."""
    repeats = document.get("repeats", 1)
    prompts = {prompt["id"]: prompt for prompt in document["prompts"]}
    found = []
    for asked in asked_of(document):
        good = passing(asked)
        if asked.failed is not None and good < document.get("must_hold", repeats):
            prompt = prompts[asked.prompt_id]
            rows = dict.fromkeys(f"{fault['check']}: {fault['why']}" for fault in prompt.get("failed_checks", ()))
            again = f"{good} of {words.count(repeats, 'answer')} hold"
            found.append(Unmet(prompt, tuple(rows), again if repeats > 1 or not rows else ""))
    return found


@dataclass(frozen=True, slots=True)
class Slice:
    """The prompts of one tag: how many, the risk of their claims, and how many do not hold."""

    tag: str
    prompts: int
    risk: float | None
    failed: int

    @property
    def line(self) -> str:
        """`refunds: 12 prompts, risk 0.083, 1 does not hold`."""
        verb = "does" if self.failed == 1 else "do"
        what = f"{words.count(self.prompts, 'prompt')}, risk {words.number(self.risk)}"
        return f"{self.tag}: {what}, {self.failed:,} {verb} not hold"


def slices(document: VerdictDocument) -> list[Slice]:
    """One slice for each tag, the riskiest first. A prompt with several tags is in several of them."""
    labels = {
        name: [claim["label"] for claim in claims if not claim.get("waived")]
        for name, claims in words.by_prompt(document).items()
    }
    due = document.get("must_hold", document.get("repeats", 1))
    held = holding(labelled_of(document["details"]), asked_of(document))
    tagged: dict[str, list[str]] = {}
    for prompt in document["prompts"]:
        for tag in dict.fromkeys(prompt.get("tags", ()) if prompt["id"] in held else ()):
            tagged.setdefault(tag, []).append(prompt["id"])
    found = [
        Slice(
            tag,
            len(names),
            risk_of([label for name in names for label in labels[name]]),
            sum(held[name] < due for name in names),
        )
        for tag, names in tagged.items()
    ]
    return sorted(found, key=lambda each: (1.0 if each.risk is None else -each.risk, each.tag))
