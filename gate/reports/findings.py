"""What all reports tell of single claims and prompts: a finding with its question, its answer, its evidence and what to
do; failures; prompts that fail their exact checks; how the prompts of each tag came out.

Nothing here is escaped or cut: each report does that for its own form. All is taken from the document, so that a stored
verdict says the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from gate.measures.risk import Labelled, PromptCourse, holding, passing
from gate.records import Label
from gate.reports import words
from gate.reports.build import risk_of
from gate.reports.document import AnswerEntry, ClaimEntry, EvidenceEntry, FailureEntry, PromptEntry, VerdictDocument
from gate.reports.marked import deciding
from gate.reports.safe import place

_VARYING = re.compile(r"'[^']*'|\"[^\"]*\"|[0-9]+")
ACCEPTING = (
    "verdict.json is what `gate run -o verdict.json` writes. Who accepts a claim says why and until when. Is a label "
    "wrong? Add --label labels.jsonl to the command, and measure the judge with `gate calibrate labels.jsonl`."
)
QUOTED = 300  # characters of a quote in which words are marked
OPEN, CLOSE = "»", "«"  # around a claim in its answer and the words that decide, where a form has no better mark


@dataclass(frozen=True, slots=True)
class FindingText:
    """A claim that somebody has to look at. `accept` is the command that waives it, where one can."""

    question: str
    before: str
    said: str
    after: str
    why: str
    best: EvidenceEntry | None
    denied: bool
    nearest: bool  # the quote decides nothing: it is the closest that was found
    todo: str
    accept: str
    names: Sequence[str] = ()  # what is known of its prompt

    @property
    def where(self) -> str:
        """The place of the quote; of one that does not decide with a word about it."""
        spot = place(self.best["source"], self.best["line"]) if self.best else ""
        return f"nearest passage, {spot}" if spot and self.nearest else spot

    @property
    def quote(self) -> list[tuple[str, bool]]:
        """The quote in pieces; True: these words decide."""
        text = self.best["quote"][:QUOTED] if self.best else ""
        spans = [] if self.nearest else deciding(text, self.said, self.denied)
        borders = [0, *(border for span in spans for border in span), len(text)]
        pieces = zip(borders, borders[1:], strict=False)
        return [(text[start:end], bool(number % 2)) for number, (start, end) in enumerate(pieces) if end > start]

    @property
    def quoted(self) -> str:
        """The quote with the words marked that decide."""
        return "".join(f"{OPEN}{text}{CLOSE}" if decides else text for text, decides in self.quote)

    @property
    def answer(self) -> str:
        """The answer with the claim marked."""
        return f"{self.before}{OPEN}{self.said}{CLOSE}{self.after}"


def by_id(document: VerdictDocument) -> dict[str, PromptEntry]:
    """Prompts by id."""
    return {prompt["id"]: prompt for prompt in document["prompts"]}


def finding(claim: ClaimEntry, prompt: PromptEntry | None) -> FindingText:
    """All that is told of a claim. One that its answer does not have at its place stands behind its context."""
    found = words.within(prompt, claim) if prompt else None
    before, said, after = found or (words.context_line(claim, asked=False), claim["claim"], "")
    accept = words.remedy(claim)
    return FindingText(
        question=_question(claim, prompt) if prompt else "",
        before=before,
        said=said,
        after=after,
        why=words.why(claim),
        best=next(iter(claim["evidence"]), None),
        denied=words.kind(claim) == "contradicted",
        nearest=words.kind(claim) == "unsupported",
        todo=_todo(claim, bool(accept)),
        accept=accept,
        names=_names(prompt) if prompt else (),
    )


def _question(claim: ClaimEntry, prompt: PromptEntry) -> str:
    """The question, in a conversation behind what the user said before."""
    earlier = claim.get("earlier", "")
    return f"{earlier} … {prompt['question']}" if earlier else prompt["question"]


def _todo(claim: ClaimEntry, acceptable: bool) -> str:
    """What to do about a claim, in a few words."""
    if claim["label"] == "unjudged":
        return "put right what kept the judge from a label, and run again"
    best, kind = next(iter(claim["evidence"]), None), words.kind(claim)
    accept = ", or accept the claim for a time:" if acceptable else ""
    if claim.get("case"):
        return f"let a model judge it (judge.provider: tiered){accept}"
    if best and (rival := next(iter(claim.get("conflict", ())), None)):
        spots = f"{place(best['source'], best['line'])} and {place(rival['source'], rival['line'])}"
        return f"make {spots} say the same{accept}"
    verb = {"contradicted": "fix", "weakly_supported": "make clearer"}.get(kind, "")
    document = f"{verb} {place(best['source'], best['line'])}" if best and verb else "add what it says to the documents"
    return f"fix the answer, or {document}{accept}"


def _names(prompt: PromptEntry) -> list[str]:
    """`must pass`, the tags, then the tools that were called on the way to the answer."""
    tags, called = ", ".join(prompt.get("tags", ())), ", ".join(call["name"] for call in words.calls_of(prompt))
    parts = ("must pass" if prompt.get("must_pass") else "", f"tags: {tags}" if tags else "")
    return [part for part in (*parts, f"called: {called}" if called else "") if part]


def notes(document: VerdictDocument) -> list[str]:
    """What a reader should know of waivers, of the judge's scores, of answers that only call tools and of claims about
    a case, without what the reasons say already."""
    return [note for note in all_notes(document) if note not in document["reasons"]]


def all_notes(document: VerdictDocument) -> list[str]:
    """The notes of a run, with those that follow from its answers and claims."""
    return [*document.get("notes", ()), *only_calling(document), *about_cases(document)]


def about_cases(document: VerdictDocument) -> list[str]:
    """How many claims count a half because nobody can be sure of them, in a line."""
    found = sum(claim.get("case", False) and not claim.get("waived", False) for claim in document["details"])
    return [told_of_cases(found)] if found else []


def told_of_cases(found: int) -> str:
    """That so many claims count a half because nobody can be sure of them, and who can."""
    say, each = ("says", "it") if found == 1 else ("say", "each")
    who = f"{words.count(found, 'claim')} {say} what a rule means for one case, which the local judge cannot tell"
    return f"{who}: {each} counts a half, and a model can judge (judge.provider: tiered)"


def only_calling(document: VerdictDocument) -> list[str]:
    """How many answers state nothing but calls of tools, in a line, so that nobody takes them for judged."""
    found = sum(calls_alone(answer) for prompt in document["prompts"] for answer in answers_of(prompt))
    who = f"{words.count(found, 'answer')} only {'calls' if found == 1 else 'call'} tools"
    return [f"{who}: no judge reads the arguments of a call, checks can (`arguments`)"] if found else []


def answers_of(prompt: PromptEntry) -> list[PromptEntry | AnswerEntry]:
    """The entries of a prompt that hold an answer; none for a probe, whose answers are not judged."""
    return [] if prompt.get("probe") else [prompt, *prompt.get("answers", ())]


def calls_alone(answer: PromptEntry | AnswerEntry) -> bool:
    """Whether an answer states nothing but calls of tools."""
    return bool(answer.get("tool_calls")) and not answer["answer"].strip()


def asked_in(prompt: PromptEntry | None) -> tuple[str, int] | None:
    """(file, line) of the dataset or the recorded answers that the prompt was read from; None where it is not known."""
    found = prompt.get("asked_in") if prompt else None
    return (found["source"], found["line"]) if found else None


def failure_line(failure: FailureEntry) -> str:
    """`run_model q4: timeout: no answer within 30 s`."""
    where = " ".join(filter(None, (failure["agent"], failure["prompt_id"])))
    return f"{where}: {failure['kind']}: {failure['message']}"


def grouped(failures: Sequence[FailureEntry]) -> list[str]:
    """A line for each kind of failure, the most frequent first: messages that differ in numbers or in what they quote
    are of one kind."""
    held: dict[tuple[str, str, str], list[FailureEntry]] = {}
    for failure in failures:
        held.setdefault((failure["agent"], failure["kind"], _VARYING.sub("#", failure["message"])), []).append(failure)
    return [_group(same) for same in sorted(held.values(), key=lambda same: -len(same))]


def _group(same: Sequence[FailureEntry]) -> str:
    if len(same) == 1:
        return failure_line(same[0])
    first = same[0]
    alike = all(one["message"] == first["message"] for one in same)
    named = ", ".join(one["prompt_id"] for one in same[:3]) + (", ..." if len(same) > 3 else "")
    times = f"{len(same):,} times" + ("" if alike else ", the first")
    return f"{times}: {first['agent']} {first['kind']}: {first['message']} ({named})"


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
    """A prompt of which too few answers pass its exact checks, or hold where it must pass: `rows` says what failed,
    each once; `again`, with repeats, how many hold. `kind`: the key of `risk_tolerance` that counts it."""

    prompt: PromptEntry
    rows: tuple[str, ...]
    again: str = ""
    kind: Literal["checks", "must_pass"] = "checks"

    @property
    def title(self) -> str:
        """What it is called."""
        return "Failed check" if self.kind == "checks" else "Must pass"

    @property
    def why(self) -> str:
        """All of it in one line."""
        return "; ".join(filter(None, (*self.rows, self.again)))


def unmet(document: VerdictDocument) -> list[Unmet]:
    """The prompts that fail their checks, and those that must pass and do not hold, in order."""
    repeats, found = document.get("repeats", 1), []
    prompts, asked = by_id(document), asked_of(document)
    claims, due = words.by_prompt(document), document.get("must_hold", repeats)
    held = holding(labelled_of(document["details"]), asked)
    counted = document["thresholds"].get("must_pass", "ignore") != "ignore"
    for one in asked:
        prompt, must, passed = prompts[one.prompt_id], counted and one.must_pass, passing(one)
        good = held[one.prompt_id] if must else passed
        if good < due and (must or one.failed is not None):
            rows = [f"{fault['check']}: {fault['why']}" for fault in prompt.get("failed_checks", ())]
            rows += [
                f"must_pass: {why}"
                for why in (_faults(one, labelled_of(claims[one.prompt_id]), repeats) if must else ())
            ]
            again = f"{good} of {words.count(repeats, 'answer')} hold"
            kind: Literal["checks", "must_pass"] = "must_pass" if one.failed is None or passed >= due else "checks"
            found.append(Unmet(prompt, tuple(dict.fromkeys(rows)), again if repeats > 1 or not rows else "", kind))
    return found


def _faults(asked: PromptCourse, own: Sequence[Labelled], repeats: int) -> Iterator[str]:
    """Why answers to a prompt that must pass do not hold, beside its checks. `own`: its claims."""
    if len(asked.answers) < repeats:
        yield "an answer is missing"
    if asked.failed is None and set(asked.answers) - {item.answer_id for item in own}:
        yield "an answer makes no claim, and the prompt has no checks"
    if any(item.bad for item in own):
        yield "a claim is not supported"
    if any(item.label is Label.UNJUDGED for item in own):
        yield "a claim is not judged"


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
