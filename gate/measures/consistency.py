"""Do answers to one question say the same: over repeats, and over the question in other words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from gate.measures.base import Case, Outcome, Rating, Reading, Tools
from gate.measures.facts import UNLABELLED, Facts, agreements
from gate.measures.missing import lost
from gate.measures.probing import cut, families
from gate.measures.rouge import rouge_l

NAME = "consistency"
ALONE = "one answer only: nothing to compare it with (evaluation.repeats above 1, or a question that can be rephrased)"
UNPHRASED = (
    "no paraphrase could be made of it (evaluation.repeats above 1 asks it twice; evaluation.generator: model writes)"
)
UNWRITTEN = "its paraphrases could not be written: the model that writes them failed"
NEAR = 5  # every answer is compared with so many others: with up to 11 answers, each with each

Pair = tuple[Case, Case]


def read(outcome: Outcome, options: Any, tools: Tools) -> Reading:
    """One rating a prompt: the mean agreement of its answers, two by two. Two that decline agree; one that declines
    and one that does not differ. `rouge_l` and `embedding` are the likeness of their words and of their vectors."""
    unjudged = lost(outcome, NAME)
    skipped: dict[str, str] = {}
    found: dict[str, list[Pair]] = {}
    for prompt, (own, probes) in families(outcome, NAME).items():
        answers = [*own, *probes]
        if prompt in unjudged:
            continue
        if len(answers) > 1:
            found[prompt] = list(_pairs(answers))
        elif prompt in outcome.unmade:
            unjudged[prompt] = UNWRITTEN
        else:
            skipped[prompt] = UNPHRASED if NAME in outcome.probes else ALONE
    asked = [pair for pairs in found.values() for pair in pairs]
    made = iter(agreements([(a.answer.text, b.answer.text, _question(a, b)) for a, b in asked], tools))
    facts = {prompt: [next(made) for _ in pairs] for prompt, pairs in found.items()}
    unjudged |= {prompt: UNLABELLED for prompt, some in facts.items() if not all(one.judged for one in some)}
    ratings = [
        _rating(prompt, pairs, facts[prompt], tools) for prompt, pairs in found.items() if prompt not in unjudged
    ]
    return Reading(tuple(ratings), skipped, unjudged)


def _pairs(answers: Sequence[Case]) -> Iterator[Pair]:
    """Each answer with the next ones, in a ring."""
    number = len(answers)
    seen = set()
    for first in range(number):
        for step in range(1, min(NEAR, number // 2) + 1):
            pair = tuple(sorted((first, (first + step) % number)))
            if pair not in seen:
                seen.add(pair)
                yield answers[pair[0]], answers[pair[1]]


def _question(a: Case, b: Case) -> str:
    """The question as it was first asked: it completes answers such as a bare yes."""
    return (b if a.prompt.probe else a).prompt.question


def _rating(prompt: str, pairs: Sequence[Pair], facts: Sequence[Facts], tools: Tools) -> Rating:
    agreed = [found.f1 for found in facts]
    rephrased = [bool(a.prompt.probe or b.prompt.probe) and a.prompt.id != b.prompt.id for a, b in pairs]
    repeated = [value for value, other in zip(agreed, rephrased, strict=True) if not other]
    paraphrased = [value for value, other in zip(agreed, rephrased, strict=True) if other]
    parts = {
        "rouge_l": fmean(rouge_l(a.answer.text, b.answer.text) for a, b in pairs),
        "embedding": fmean(_likeness(pairs, tools)),
        **({"repeats": fmean(repeated)} if repeated else {}),
        **({"paraphrases": fmean(paraphrased)} if paraphrased else {}),
    }
    worst = min(range(len(pairs)), key=agreed.__getitem__)
    first = next((case for pair in pairs for case in pair if not case.prompt.probe), pairs[0][0])
    return Rating(prompt, fmean(agreed), _why(pairs[worst], facts[worst]), 1.0, parts, first.answer.id)


def _likeness(pairs: Sequence[Pair], tools: Tools) -> list[float]:
    """Cosines of the answers' vectors, not below 0."""
    left = tools.embed([a.answer.text for a, _ in pairs])
    right = tools.embed([b.answer.text for _, b in pairs])
    return [max(0.0, min(1.0, float(one @ other))) for one, other in zip(left, right, strict=True)]


def _why(pair: Pair, facts: Facts) -> str:
    """Where the two that agree least part."""
    if bool(facts.a) != bool(facts.b):
        return f'one answer says "{cut((facts.a or facts.b)[0].text)}", another declines'
    if not facts.a:
        return "every answer declines"
    apart = [fact for fact in (*facts.a, *facts.b) if fact.borne < 1.0]
    if not apart:
        return "every answer says the same"
    fact = min(apart, key=lambda one: (not one.contradicted, one.borne))
    side, other = (pair[0], pair[1]) if fact in facts.a else (pair[1], pair[0])
    ending = f'another: "{cut(fact.quote or other.answer.text)}"' if fact.contradicted else "another does not"
    return f'one answer{_asked(side)} says "{cut(fact.text)}", {ending}'


def _asked(case: Case) -> str:
    return " (asked in other words)" if case.prompt.probe else ""
