"""Does an answer come from its evidence: it has to change when the evidence is withheld or says otherwise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from gate.judges.base import Support
from gate.measures.base import Case, Outcome, Rating, Reading, Tools
from gate.measures.facts import BORNE, UNLABELLED, Fact, Facts, agreements, base_of, families, kind_of, lost
from gate.measures.texts import clip, stated_in, why_unread

NAME = "retrieval_dependency"
NONE = "it was given no evidence that could be withheld or contradicted"
UNASKED = "it was not asked without its evidence, or against it (evaluation.probes: [retrieval_dependency])"
NOTHING = "it said nothing that could come from its evidence"
APART = "what the changed evidence says differently is not what it said"
KEPT = 0.5  # share of the facts that were at stake: with more of them left the answer did not change


@dataclass(frozen=True, slots=True)
class _Look:
    """One answer without its evidence, or against it: the facts at stake, whether it says something else, and why that
    cannot be told (empty where it can)."""

    probe: Case
    stake: tuple[Fact, ...]
    declines: bool
    changed: bool
    unread: str = ""


def rate_retrieval_dependency(outcome: Outcome, options: Any, tools: Tools) -> Reading:
    """One rating a prompt: 1 where the answer changes, 0 where it says the same facts without its evidence or against
    it: then it comes from memory. The mean of `withheld` and `contradicted` where both were tried."""
    unjudged = lost(outcome, NAME)
    known = {prompt: found for prompt, found in families(outcome, NAME).items() if prompt not in unjudged}
    asked = [(base_of(probe, own), probe) for own, probes in known.values() for probe in probes]
    facts = agreements([(base.answer.text, probe.answer.text, base.prompt.question) for base, probe in asked], tools)
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
            ratings.append(_rating(own[0], telling))
        elif probes:
            skipped[prompt] = APART if prompt in spoke else NOTHING
        else:
            skipped[prompt] = UNASKED if own[0].contexts else NONE
    return Reading(tuple(ratings), skipped, unjudged)


def _look(base: Case, probe: Case, facts: Facts, stake: tuple[Fact, ...]) -> _Look:
    """Without evidence it is the same if most facts of both are; against it, if most of what was at stake is still
    said."""
    declines = bool(facts.a) and not facts.b
    withheld = kind_of(probe) == "withheld"
    gone = facts.f1 <= KEPT if withheld else bool(stake) and fmean(fact.borne for fact in stake) < KEPT
    if not facts.judged:
        return _Look(probe, stake, declines, gone, UNLABELLED)
    # In a language that is not read, the same facts in other words look like others.
    sure = declines or not gone or any(fact.contradicted for fact in facts.a)
    unread = "" if sure else why_unread(answer=base.answer.text, probe=probe.answer.text)
    return _Look(probe, stake, declines, declines or gone, unread)


def _stakes(asked: Sequence[tuple[Case, Case]], facts: Sequence[Facts], tools: Tools) -> list[tuple[Fact, ...]]:
    """For each pair the facts of the first answer that should go: all without evidence; with other evidence, those
    that it bears out less than the answer's own did."""
    beside = [
        stated_in(fact, case.contexts)
        for (base, probe), found in zip(asked, facts, strict=True)
        if kind_of(probe) != "withheld"
        for fact in found.a
        for case in (base, probe)
    ]
    support = iter(tools.support(beside) if beside else [])
    return [
        found.a
        if kind_of(probe) == "withheld"
        else tuple(fact for fact in found.a if _lost(next(support), next(support)))
        for (_, probe), found in zip(asked, facts, strict=True)
    ]


def _lost(before: Support, after: Support) -> bool:
    """Whether the evidence bore out a fact and now does less."""
    return BORNE[before.label] > BORNE[after.label]


def _rating(base: Case, looks: Sequence[_Look]) -> Rating:
    kinds: dict[str, list[float]] = defaultdict(list)
    for look in looks:
        kinds[kind_of(look.probe)].append(float(look.changed))
    parts = {kind: fmean(values) for kind, values in kinds.items()}
    why = _why(next((look for look in looks if not look.changed), looks[0]))
    return Rating(base.prompt.id, fmean(parts.values()), why, 1.0, parts, base.answer.id)


def _why(look: _Look) -> str:
    """What it says without the evidence, or against it."""
    against = kind_of(look.probe) != "withheld"
    when = "against its evidence" if against else "without its evidence"
    if not look.changed:
        kept = max(look.stake, key=lambda fact: fact.borne)
        return f'it says the same {when}, from memory: "{clip(kept.text)}"'
    gone = min(look.stake, key=lambda fact: fact.borne)
    if look.declines:
        return f'it declines {"where its evidence says otherwise" if against else when}: "{clip(gone.text)}" is gone'
    ending = ", as the changed evidence does" if against else ""
    return f'{when.capitalize()} it no longer says "{clip(gone.text)}"{ending}'
