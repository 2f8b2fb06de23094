"""Answers of which people said what each measure should find, made of the labelled HTTPX cases.

Contexts of a question are the chunks that hold the labelled lines of any of its answers. What people say of an answer
is the share of its labelled claims that are supported; where that says nothing (is an answer on the subject, was it
right to decline), answers, questions and contexts are joined so that it is known: TRUTHS says how.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from gate.measures.base import Answered, Case
from gate.records import Answer, Prompt
from ingest.chunk import chunk
from ingest.formats import read_blocks

REFUSALS = (
    "I don't have enough information to answer that.",
    "The material that I was given does not say, so I cannot tell you.",
    "I'm sorry, I could not find anything about this in the documents.",
)


class Told(NamedTuple):
    """One answer for a measure. `people`: the value that it should have, in 0..1 and in the measure's own direction;
    `good`: whether it should pass; answers of one `group` (a question) are not independent."""

    kind: str
    group: str
    case: Case
    people: float
    good: bool
    also: tuple[Case, ...] = ()  # another answer to the same prompt, or to its probe


class Question(NamedTuple):
    """One question with its labelled answers by variant, and the chunks that hold its labelled lines."""

    id: str
    text: str
    answers: Mapping[str, str]
    supported: Mapping[str, float]
    claims: str  # the labelled claims of the faithful answer: the same facts in other words
    contexts: tuple[str, ...]
    source: str = ""


class Truth(NamedTuple):
    """What the answers of one table row are, in words, and how they are made."""

    words: str
    make: Callable[[Sequence[Question]], list[Told]]


def questions(shared: Path, source: str = "httpx") -> list[Question]:
    """The questions with answers that hold claims."""
    folder = shared / "data/docs" / source
    chunks = [
        one
        for path in sorted(folder.rglob("*.md"))
        for one in chunk(read_blocks(path.name, path.read_bytes()), path.relative_to(folder).as_posix())
    ]
    rows: dict[str, list[dict[str, Any]]] = {}
    for line in (shared / f"data/cases/{source}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["claims"]:
            rows.setdefault(row["question"], []).append(row)
    return [_question(text, answers, chunks) for text, answers in rows.items()]


def _question(text: str, rows: Sequence[dict[str, Any]], chunks: Sequence[Any]) -> Question:
    lines = {(claim["source"], claim["line"]) for row in rows for claim in row["claims"] if claim["line"]}
    held = [one.text for one in chunks if any((one.source, line) in lines for line in one.lines)]
    return Question(
        rows[0]["id"].rsplit("-", 1)[0],
        text,
        {row["variant"]: row["answer"] for row in rows},
        {row["variant"]: _share(row["claims"]) for row in rows},
        " ".join(claim["claim"] for row in rows if row["variant"] == "faithful" for claim in row["claims"]),
        tuple(dict.fromkeys(held)),
    )


def _share(claims: Sequence[dict[str, Any]]) -> float:
    return sum(claim["label"] == "supported" for claim in claims) / len(claims)


def full(every: Sequence[Question]) -> list[tuple[Question, Question]]:
    """The questions with a faithful answer, each with another one of its source whose chunks are none of its own."""
    pairs = []
    for source in dict.fromkeys(one.source for one in every):
        some = [one for one in every if one.source == source and "faithful" in one.answers]
        for place, one in enumerate(some):
            others = (some[(place + step) % len(some)] for step in range(len(some) // 2, len(some) + len(some) // 2))
            pairs.append((one, next(other for other in others if not set(one.contexts) & set(other.contexts))))
    return pairs


_numbers = count()


def told(kind: str, one: Question, answer: str, people: float, **more: Any) -> Told:
    """An answer with its prompt; `question`, `contexts` and `reference` stand for the question's own."""
    name = f"{one.id}-{kind}-{next(_numbers)}"
    prompt = Prompt(name, more.get("question", one.text), reference=more.get("reference"))
    case = Case(prompt, Answer(name, name, answer), more.get("contexts", one.contexts))
    return Told(kind, one.id, case, people, more.get("good", people == 1.0))


def own(every: Sequence[Question]) -> list[Told]:
    """Every labelled answer with its own contexts."""
    return [told(kind, one, text, one.supported[kind]) for one in every for kind, text in one.answers.items()]


def lost(every: Sequence[Question]) -> list[Told]:
    """The same, upside down: what is not supported."""
    return [one._replace(people=1.0 - one.people) for one in own(every)]


def subject(every: Sequence[Question]) -> Iterator[Told]:
    """The faithful answer to another question, and declining although the contexts have the answer."""
    for place, (one, other) in enumerate(full(every)):
        yield told("another's", one, other.answers["faithful"], 0.0)
        yield told("declined", one, REFUSALS[place % len(REFUSALS)], 0.0)


def relevance(every: Sequence[Question]) -> list[Told]:
    return [*(told("faithful", one, one.answers["faithful"], 1.0) for one, _ in full(every)), *subject(every)]


def overall(every: Sequence[Question]) -> list[Told]:
    return [*own(every), *subject(every)]


def context_relevance(every: Sequence[Question]) -> list[Told]:
    found = []
    for one, other in full(every):
        answer = one.answers["faithful"]
        half = [text for pair in zip(one.contexts, other.contexts, strict=False) for text in pair]
        found += [
            told("own", one, answer, 1.0),
            told("half", one, answer, 0.5, contexts=tuple(half)),
            told("another's", one, answer, 0.0, contexts=other.contexts),
        ]
    return found


def completeness(every: Sequence[Question]) -> list[Told]:
    """Two questions in one prompt: both answered, one of them, none."""
    pairs = full(every)
    found = []
    for place, (one, other) in enumerate(pairs):
        third = next(q for q, _ in pairs[place + 1 :] + pairs[:place] if q not in (one, other))
        both = {"question": f"{one.text} {other.text}", "contexts": (*one.contexts, *other.contexts)}
        first, second = one.answers["faithful"], other.answers["faithful"]
        found += [
            told("both", one, f"{first}\n\n{second}", 1.0, **both),
            told("the first", one, first, 0.5, **both),
            told("the second", one, second, 0.5, **both),
            told("none", one, third.answers["faithful"], 0.0, **both),
        ]
    return found


def correctness(every: Sequence[Question]) -> list[Told]:
    """The reference says the same facts as the faithful answer in other words."""
    return [
        told(kind, one, text, one.supported[kind], reference=one.claims)
        for one, _ in full(every)
        for kind, text in one.answers.items()
    ]


def correctness_turned(every: Sequence[Question]) -> list[Told]:
    """The reference is the faithful answer; the right answer says its facts in other words."""
    return [
        told(kind, one, text, people, reference=one.answers["faithful"])
        for one, _ in full(every)
        for kind, text, people in [
            ("other words", one.claims, 1.0),
            *((kind, one.answers[kind], one.supported[kind]) for kind in ("subtle", "unsupported")),
        ]
    ]


def abstention(every: Sequence[Question]) -> list[Told]:
    found = []
    for place, (one, other) in enumerate(full(every)):
        refusal, answer = REFUSALS[place % len(REFUSALS)], one.answers["faithful"]
        found += [
            told("answered, evidence there", one, answer, 1.0),
            told("declined, no evidence", one, refusal, 1.0, contexts=other.contexts),
            told("declined, evidence there", one, refusal, 0.0),
            told("answered, no evidence", one, answer, 0.0, contexts=other.contexts),
        ]
    return found


def abstention_known(every: Sequence[Question]) -> list[Told]:
    """The same with a reference, which says what the evidence has to hold."""
    return [one._replace(case=replace(one.case, prompt=_known(one, every))) for one in abstention(every)]


def _known(one: Told, every: Sequence[Question]) -> Prompt:
    return replace(one.case.prompt, reference=next(q.claims for q in every if q.id == one.group))


def same_facts(every: Sequence[Question], probe: str = "") -> list[Told]:
    """Two answers to one question: the faithful one, and one with the same facts in other words or with other facts."""
    found = []
    for one, _ in full(every):
        seconds = [("other words", one.claims, 1.0)]
        seconds += [(kind, one.answers[kind], one.supported[kind]) for kind in ("subtle", "unsupported")]
        for kind, text, people in seconds:
            made = told(kind, one, one.answers["faithful"], people)
            found.append(made._replace(also=(_again(made.case, text, probe),)))
    return found


def changed_facts(every: Sequence[Question]) -> list[Told]:
    return [one._replace(people=1.0 - one.people) for one in same_facts(every, "sensitivity:typos")]


def from_memory(every: Sequence[Question]) -> list[Told]:
    found = []
    for place, (one, other) in enumerate(full(every)):
        kinds = [
            ("the same facts", one.claims, 0.0),
            ("declined", REFUSALS[place % len(REFUSALS)], 1.0),
            ("other facts", other.answers["faithful"], 1.0),
        ]
        for kind, text, people in kinds:
            made = told(kind, one, one.answers["faithful"], people)
            found.append(made._replace(also=(_again(made.case, text, "retrieval_dependency:withheld"),)))
    return found


def _again(case: Case, text: str, probe: str) -> Case:
    """A second answer: of another repeat, or to a probe."""
    if not probe:
        return Case(case.prompt, Answer(f"{case.prompt.id}#1", case.prompt.id, text, repeat=1), case.contexts)
    name = f"{case.prompt.id}~{probe}"
    prompt = Prompt(name, case.prompt.question, probe=probe, of=case.prompt.id)
    return Case(prompt, Answer(name, name, text), () if probe.endswith("withheld") else case.contexts)


def outcome(told: Sequence[Told]) -> Answered:
    """What the measures are given."""
    cases = [case for one in told for case in (one.case, *(each for each in one.also if not each.prompt.probe))]
    probes: dict[str, tuple[Case, ...]] = {}
    for case in (each for one in told for each in one.also if each.prompt.probe):
        name = str(case.prompt.probe).split(":")[0]
        probes[name] = (*probes.get(name, ()), case)
    return Answered(tuple(cases), probes)


SHARE = "share of supported claims"
# measure -> its rows. A measure of the table that is not here has no label to be compared with.
TRUTHS: Mapping[str, Sequence[Truth]] = {
    "faithfulness": [Truth(SHARE, own)],
    "hallucination": [Truth("share of claims that are not supported", lost)],
    "relevance": [Truth("faithful; another question's answer, a refusal", relevance)],
    "context_relevance": [Truth("own chunks; half or all of another question's", context_relevance)],
    "completeness": [Truth("both of two questions answered, one, none", completeness)],
    "overall": [Truth(f"{SHARE}; 0 for another question's answer and a refusal", overall)],
    "correctness": [
        Truth(f"{SHARE}; reference: the faithful answer's labelled claims", correctness),
        Truth(f"{SHARE}; reference: the faithful answer", correctness_turned),
    ],
    "abstention": [
        Truth("answers and refusals, with the evidence and without", abstention),
        Truth("the same, with a reference", abstention_known),
    ],
    "consistency": [Truth(f"{SHARE} of a second answer", same_facts)],
    "sensitivity": [Truth("share of claims of a second answer that are not supported", changed_facts)],
    "retrieval_dependency": [Truth("without evidence: the same facts, a refusal, other facts", from_memory)],
}
