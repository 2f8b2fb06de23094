"""Whether answers stay the same: asked again or in other words, and with changes that should not matter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from gate.measures.base import Case, Outcome, Rating, Reading, Tools
from gate.measures.facts import UNLABELLED, Facts, agreements, base_of, families, kind_of, lost, rouge_l
from gate.measures.texts import clip

CONSISTENCY = "consistency"
ALONE = "one answer only: nothing to compare it with (evaluation.repeats above 1, or a question that can be rephrased)"
UNPHRASED = (
    "no paraphrase could be made of it (evaluation.repeats above 1 asks it twice; evaluation.generator: model writes)"
)
UNWRITTEN = "its paraphrases could not be written: the model that writes them failed"
NEAR = 5  # every answer is compared with so many others: with up to 11 answers, each with each
Pair = tuple[Case, Case]
SENSITIVITY = "sensitivity"
UNASKED = "no changed form of it was asked (evaluation.probes: [sensitivity])"
UNCHANGED = "no changed form of it could be made"
Probed = tuple[Case, Facts]  # the answer to a probe, and how it agrees with the answer to the prompt itself


def rate_consistency(outcome: Outcome, options: Any, tools: Tools) -> Reading:
    """One rating a prompt: the mean agreement of its answers, two by two. Two that decline agree; one that declines
    and one that does not differ. `rouge_l` and `embedding` are the likeness of their words and of their vectors."""
    unjudged = lost(outcome, CONSISTENCY)
    skipped: dict[str, str] = {}
    found: dict[str, list[Pair]] = {}
    for prompt, (own, probes) in families(outcome, CONSISTENCY).items():
        answers = [*own, *probes]
        if prompt in unjudged:
            continue
        if len(answers) > 1:
            found[prompt] = list(_pairs(answers))
        elif prompt in outcome.unmade:
            unjudged[prompt] = UNWRITTEN
        else:
            skipped[prompt] = UNPHRASED if CONSISTENCY in outcome.probes else ALONE
    asked = [pair for pairs in found.values() for pair in pairs]
    made = iter(agreements([(a.answer.text, b.answer.text, _question(a, b)) for a, b in asked], tools))
    facts = {prompt: [next(made) for _ in pairs] for prompt, pairs in found.items()}
    unjudged |= {prompt: UNLABELLED for prompt, some in facts.items() if not all(one.judged for one in some)}
    ratings = [
        _consistency(prompt, pairs, facts[prompt], tools) for prompt, pairs in found.items() if prompt not in unjudged
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


def _consistency(prompt: str, pairs: Sequence[Pair], facts: Sequence[Facts], tools: Tools) -> Rating:
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
    return Rating(prompt, fmean(agreed), _apart(pairs[worst], facts[worst]), 1.0, parts, first.answer.id)


def _likeness(pairs: Sequence[Pair], tools: Tools) -> list[float]:
    """Cosines of the answers' vectors, not below 0."""
    left = tools.embed([a.answer.text for a, _ in pairs])
    right = tools.embed([b.answer.text for _, b in pairs])
    return [max(0.0, min(1.0, float(one @ other))) for one, other in zip(left, right, strict=True)]


def _apart(pair: Pair, facts: Facts) -> str:
    """Where the two that agree least part."""
    if bool(facts.a) != bool(facts.b):
        return f'one answer says "{clip((facts.a or facts.b)[0].text)}", another declines'
    if not facts.a:
        return "every answer declines"
    apart = [fact for fact in (*facts.a, *facts.b) if fact.borne < 1.0]
    if not apart:
        return "every answer says the same"
    fact = min(apart, key=lambda one: (not one.contradicted, one.borne))
    side, other = (pair[0], pair[1]) if fact in facts.a else (pair[1], pair[0])
    ending = f'another: "{clip(fact.quote or other.answer.text)}"' if fact.contradicted else "another does not"
    return f'one answer{_asked(side)} says "{clip(fact.text)}", {ending}'


def _asked(case: Case) -> str:
    return " (asked in other words)" if case.prompt.probe else ""


def rate_sensitivity(outcome: Outcome, options: Any, tools: Tools) -> Reading:
    """One rating a prompt: the share of facts, of both answers, that a change of the prompt changes; the mean over its
    probes, each kind a part. An answer where there was a refusal, or the reverse, is a change of all."""
    unjudged = lost(outcome, SENSITIVITY)
    known = {prompt: found for prompt, found in families(outcome, SENSITIVITY).items() if prompt not in unjudged}
    asked = [(base_of(probe, own), probe) for own, probes in known.values() for probe in probes]
    facts = iter(
        agreements([(base.answer.text, probe.answer.text, base.prompt.question) for base, probe in asked], tools)
    )
    compared = {prompt: [(probe, next(facts)) for probe in probes] for prompt, (_, probes) in known.items()}
    unjudged |= {prompt: UNLABELLED for prompt, some in compared.items() if not all(one.judged for _, one in some)}
    ratings = [
        _sensitivity(known[prompt][0][0], some) for prompt, some in compared.items() if some and prompt not in unjudged
    ]
    why = UNCHANGED if SENSITIVITY in outcome.probes else UNASKED
    skipped = {prompt: why for prompt, (_, probes) in known.items() if not probes}
    return Reading(tuple(ratings), skipped, unjudged)


def _sensitivity(base: Case, compared: Sequence[Probed]) -> Rating:
    kinds: dict[str, list[float]] = defaultdict(list)
    for probe, facts in compared:
        kinds[kind_of(probe)].append(1.0 - facts.f1)
    parts = {kind: fmean(values) for kind, values in kinds.items()}
    value = fmean(parts.values())
    worst = max(compared, key=lambda one: 1.0 - one[1].f1)
    return Rating(base.prompt.id, value, _moved(*worst), 1.0, parts, base.answer.id)


def _moved(probe: Case, facts: Facts) -> str:
    """What the change that does most does."""
    kind = kind_of(probe)
    if bool(facts.a) != bool(facts.b):
        said = clip((facts.a or facts.b)[0].text)
        return f'with {_named(kind)} it declines to say "{said}"' if facts.a else f'only with {_named(kind)}: "{said}"'
    if facts.f1 == 1.0:
        return "the same facts whatever was changed" if facts.a else "it declines whatever was changed"
    gone = [fact for fact in facts.a if fact.borne < 1.0]
    new = [fact for fact in facts.b if fact.borne < 1.0]
    before = f'"{clip(min(gone, key=lambda fact: fact.borne).text)}"' if gone else "what it said"
    after = f'"{clip(min(new, key=lambda fact: fact.borne).text)}"' if new else "nothing of the kind"
    return (
        f"with {_named(kind)} it says {after} instead of {before}" if gone else f"with {_named(kind)} it adds {after}"
    )


def _named(kind: str) -> str:
    return {"case": "another case", "order": "another word order", "distractor": "a distractor"}.get(kind, kind)
