"""Whether answers stay the same where they should (asked again, in other words, with changes that should not matter)
and change where they should: when their evidence is withheld or says otherwise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from gate.measures.base import Answered, Case, Reading, Tools, lost
from gate.measures.texts import BORNE, UNLABELLED, Fact, Facts, agreements, quoted, rouge_l, stated_in, why_unread
from gate.records import Rating

CONSISTENCY, SENSITIVITY, DEPENDENCY = "consistency", "sensitivity", "retrieval_dependency"
ALONE = "one answer only: nothing to compare it with (evaluation.repeats above 1, or a question that can be rephrased)"
UNPHRASED = (
    "no paraphrase could be made of it (evaluation.repeats above 1 asks it twice; evaluation.generator: model writes)"
)
UNWRITTEN = "its paraphrases could not be written: the model that writes them failed"
UNASKED = "no changed form of it was asked (evaluation.probes: [sensitivity])"
UNCHANGED = "no changed form of it could be made"
NO_EVIDENCE = "it was given no evidence that could be withheld or contradicted"
NOT_WITHHELD = "it was not asked without its evidence, or against it (evaluation.probes: [retrieval_dependency])"
NOTHING = "it said nothing that could come from its evidence"
APART = "what the changed evidence says differently is not what it said"
NEAR = 5  # every answer is compared with so many others: with up to 11 answers, each with each
KEPT = 0.5  # share of the facts that were at stake: with more of them left the answer did not change
Couple = tuple[Case, Case]
_NAMES = {"case": "another case", "order": "another word order", "distractor": "a distractor"}


def _families(run: Answered, measure: str) -> Mapping[str, tuple[list[Case], list[Case]]]:
    """prompt id -> (the answers to it, those to its probes for this measure), in the order of the prompts."""
    found: dict[str, tuple[list[Case], list[Case]]] = {}
    for case in run.cases:
        found.setdefault(case.prompt.id, ([], []))[0].append(case)
    for case in run.probes.get(measure, ()):
        if case.prompt.of in found:
            found[case.prompt.of][1].append(case)
    return found


def _couples(families: Mapping[str, tuple[list[Case], list[Case]]]) -> list[Couple]:
    """Each answer to a probe, after the one that it is compared with: that of the same repeat."""
    return [
        (next((case for case in own if case.answer.repeat == probe.answer.repeat), own[0]), probe)
        for own, probes in families.values()
        for probe in probes
    ]


def _agreements(couples: Sequence[Couple], tools: Tools) -> list[Facts]:
    """By the question as it was first asked: it completes answers such as a bare yes."""
    questions = [(b if a.prompt.probe else a).prompt.question for a, b in couples]
    texts = [(a.answer.text, b.answer.text) for a, b in couples]
    return agreements([(*pair, question) for pair, question in zip(texts, questions, strict=True)], tools)


def _kind(probe: Case) -> str:
    """What its probe did: `typos`, `withheld`."""
    return (probe.prompt.probe or "").partition(":")[2]


def rate_consistency(run: Answered, options: Any, tools: Tools) -> Reading:
    """One rating a prompt: the mean agreement of its answers, two by two. Two that decline agree; one that declines
    and one that does not differ. `rouge_l` and `embedding` are the likeness of their words and of their vectors."""
    unjudged = lost(run, CONSISTENCY)
    skipped: dict[str, str] = {}
    found: dict[str, list[Couple]] = {}
    for prompt, (own, probes) in _families(run, CONSISTENCY).items():
        answers = [*own, *probes]
        if prompt in unjudged:
            continue
        if len(answers) > 1:
            found[prompt] = list(_pairs(answers))
        elif prompt in run.unmade:
            unjudged[prompt] = UNWRITTEN
        else:
            skipped[prompt] = UNPHRASED if CONSISTENCY in run.probes else ALONE
    asked = [pair for pairs in found.values() for pair in pairs]
    made = iter(_agreements(asked, tools))
    facts = {prompt: [next(made) for _ in pairs] for prompt, pairs in found.items()}
    unjudged |= {prompt: UNLABELLED for prompt, some in facts.items() if not all(one.judged for one in some)}
    ratings = [
        _consistency(prompt, pairs, facts[prompt], tools) for prompt, pairs in found.items() if prompt not in unjudged
    ]
    return Reading(tuple(ratings), skipped, unjudged)


def _pairs(answers: Sequence[Case]) -> Iterator[Couple]:
    """Each answer with the next ones, in a ring."""
    number = len(answers)
    seen = set()
    for first in range(number):
        for step in range(1, min(NEAR, number // 2) + 1):
            pair = tuple(sorted((first, (first + step) % number)))
            if pair not in seen:
                seen.add(pair)
                yield answers[pair[0]], answers[pair[1]]


def _consistency(prompt: str, pairs: Sequence[Couple], facts: Sequence[Facts], tools: Tools) -> Rating:
    agreed = [found.f1 for found in facts]
    rephrased = [bool(a.prompt.probe or b.prompt.probe) and a.prompt.id != b.prompt.id for a, b in pairs]
    repeated = [value for value, other in zip(agreed, rephrased, strict=True) if not other]
    paraphrased = [value for value, other in zip(agreed, rephrased, strict=True) if other]
    left, right = (tools.embed([pair[side].answer.text for pair in pairs]) for side in (0, 1))
    vectors = zip(left, right, strict=True)
    parts = {
        "rouge_l": fmean(rouge_l(a.answer.text, b.answer.text) for a, b in pairs),
        "embedding": fmean(max(0.0, min(1.0, float(one @ other))) for one, other in vectors),
        **({"repeats": fmean(repeated)} if repeated else {}),
        **({"paraphrases": fmean(paraphrased)} if paraphrased else {}),
    }
    worst = min(range(len(pairs)), key=agreed.__getitem__)
    first = next((case for pair in pairs for case in pair if not case.prompt.probe), pairs[0][0])
    return Rating(prompt, fmean(agreed), _apart(pairs[worst], facts[worst]), 1.0, parts, first.answer.id)


def _apart(pair: Couple, facts: Facts) -> str:
    """Where the two that agree least part."""
    if bool(facts.a) != bool(facts.b):
        return f"one answer says {quoted((facts.a or facts.b)[0].text)}, another declines"
    if not facts.a:
        return "every answer declines"
    apart = [fact for fact in (*facts.a, *facts.b) if fact.borne < 1.0]
    if not apart:
        return "every answer says the same"
    fact = min(apart, key=lambda one: (not one.contradicted, one.borne))
    side, other = (pair[0], pair[1]) if fact in facts.a else (pair[1], pair[0])
    ending = f"another: {quoted(fact.quote or other.answer.text)}" if fact.contradicted else "another does not"
    asked = " (asked in other words)" if side.prompt.probe else ""
    return f"one answer{asked} says {quoted(fact.text)}, {ending}"


def rate_sensitivity(run: Answered, options: Any, tools: Tools) -> Reading:
    """One rating a prompt: the share of facts, of both answers, that a change of the prompt changes; the mean over its
    probes, each kind a part. An answer where there was a refusal, or the reverse, is a change of all."""
    unjudged = lost(run, SENSITIVITY)
    known = {prompt: found for prompt, found in _families(run, SENSITIVITY).items() if prompt not in unjudged}
    facts = iter(_agreements(_couples(known), tools))
    compared = {prompt: [(probe, next(facts)) for probe in probes] for prompt, (_, probes) in known.items()}
    unjudged |= {prompt: UNLABELLED for prompt, some in compared.items() if not all(one.judged for _, one in some)}
    ratings = [
        _sensitivity(known[prompt][0][0], some) for prompt, some in compared.items() if some and prompt not in unjudged
    ]
    why = UNCHANGED if SENSITIVITY in run.probes else UNASKED
    skipped = {prompt: why for prompt, (_, probes) in known.items() if not probes}
    return Reading(tuple(ratings), skipped, unjudged)


def _sensitivity(base: Case, compared: Sequence[tuple[Case, Facts]]) -> Rating:
    parts = _by_kind((probe, 1.0 - facts.f1) for probe, facts in compared)
    worst = max(compared, key=lambda one: 1.0 - one[1].f1)
    return Rating(base.prompt.id, fmean(parts.values()), _moved(*worst), 1.0, parts, base.answer.id)


def _by_kind(values: Iterable[tuple[Case, float]]) -> dict[str, float]:
    """The mean of the values of each kind of probe."""
    kinds: dict[str, list[float]] = defaultdict(list)
    for probe, value in values:
        kinds[_kind(probe)].append(value)
    return {kind: fmean(found) for kind, found in kinds.items()}


def _moved(probe: Case, facts: Facts) -> str:
    """What the change that does most does."""
    kind = _kind(probe)
    change = _NAMES.get(kind, kind)
    if bool(facts.a) != bool(facts.b):
        said = quoted((facts.a or facts.b)[0].text)
        return f"with {change} it declines to say {said}" if facts.a else f"only with {change}: {said}"
    if facts.f1 == 1.0:
        return "the same facts whatever was changed" if facts.a else "it declines whatever was changed"
    gone = [fact for fact in facts.a if fact.borne < 1.0]
    new = [fact for fact in facts.b if fact.borne < 1.0]
    after = quoted(min(new, key=lambda fact: fact.borne).text) if new else "nothing of the kind"
    if not gone:
        return f"with {change} it adds {after}"
    return f"with {change} it says {after} instead of {quoted(min(gone, key=lambda fact: fact.borne).text)}"


@dataclass(frozen=True, slots=True)
class _Look:
    """One answer without its evidence, or against it: the facts at stake, whether it says something else, and why that
    cannot be told (empty where it can)."""

    probe: Case
    stake: tuple[Fact, ...]
    declines: bool
    changed: bool
    unread: str = ""


def rate_retrieval_dependency(run: Answered, options: Any, tools: Tools) -> Reading:
    """One rating a prompt: 1 where the answer changes, 0 where it says the same facts without its evidence or against
    it: then it comes from memory. The mean of `withheld` and `contradicted` where both were tried."""
    unjudged = lost(run, DEPENDENCY)
    known = {prompt: found for prompt, found in _families(run, DEPENDENCY).items() if prompt not in unjudged}
    asked = _couples(known)
    facts = _agreements(asked, tools)
    looks: dict[str, list[_Look]] = defaultdict(list)
    for pair, found, stake in zip(asked, facts, _stakes(asked, facts, tools), strict=True):
        looks[pair[0].prompt.id].append(_look(*pair, found, stake))
    spoke = {base.prompt.id for (base, _), found in zip(asked, facts, strict=True) if found.a}
    ratings, skipped = [], {}
    for prompt, (own, probes) in known.items():
        telling = [look for look in looks[prompt] if look.stake]
        if why := next((look.unread for look in telling if look.unread), ""):
            unjudged[prompt] = why
        elif telling:
            ratings.append(_dependency(own[0], telling))
        elif probes:
            skipped[prompt] = APART if prompt in spoke else NOTHING
        else:
            skipped[prompt] = NOT_WITHHELD if own[0].contexts else NO_EVIDENCE
    return Reading(tuple(ratings), skipped, unjudged)


def _look(base: Case, probe: Case, facts: Facts, stake: tuple[Fact, ...]) -> _Look:
    """Without evidence it is the same if most facts of both are; against it, if most of what was at stake is still
    said."""
    declines = bool(facts.a) and not facts.b
    withheld = _kind(probe) == "withheld"
    gone = facts.f1 <= KEPT if withheld else bool(stake) and fmean(fact.borne for fact in stake) < KEPT
    if not facts.judged:
        return _Look(probe, stake, declines, gone, UNLABELLED)
    # In a language that is not read, the same facts in other words look like others.
    sure = declines or not gone or any(fact.contradicted for fact in facts.a)
    unread = "" if sure else why_unread(answer=base.answer.text, probe=probe.answer.text)
    return _Look(probe, stake, declines, declines or gone, unread)


def _stakes(asked: Sequence[Couple], facts: Sequence[Facts], tools: Tools) -> list[tuple[Fact, ...]]:
    """For each pair the facts of the first answer that should go: all without evidence; with other evidence, those
    that it bears out less than the answer's own did."""
    beside = [
        stated_in(fact, case.contexts)
        for (base, probe), found in zip(asked, facts, strict=True)
        if _kind(probe) != "withheld"
        for fact in found.a
        for case in (base, probe)
    ]
    support = iter(tools.support(beside) if beside else [])
    return [
        found.a
        if _kind(probe) == "withheld"
        else tuple(fact for fact in found.a if BORNE[next(support).label] > BORNE[next(support).label])
        for (_, probe), found in zip(asked, facts, strict=True)
    ]


def _dependency(base: Case, looks: Sequence[_Look]) -> Rating:
    parts = _by_kind((look.probe, float(look.changed)) for look in looks)
    why = _why(next((look for look in looks if not look.changed), looks[0]))
    return Rating(base.prompt.id, fmean(parts.values()), why, 1.0, parts, base.answer.id)


def _why(look: _Look) -> str:
    """What it says without the evidence, or against it."""
    against = _kind(look.probe) != "withheld"
    when = "against its evidence" if against else "without its evidence"
    if not look.changed:
        kept = max(look.stake, key=lambda fact: fact.borne)
        return f"it says the same {when}, from memory: {quoted(kept.text)}"
    gone = min(look.stake, key=lambda fact: fact.borne)
    if look.declines:
        return f"it declines {'where its evidence says otherwise' if against else when}: {quoted(gone.text)} is gone"
    ending = ", as the changed evidence does" if against else ""
    return f"{when.capitalize()} it no longer says {quoted(gone.text)}{ending}"
