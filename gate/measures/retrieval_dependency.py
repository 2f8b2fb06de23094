"""Does an answer come from its evidence: it has to change when the evidence is withheld or says otherwise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from gate.measures.base import Case, Outcome, Rating, Reading, Support, Tools
from gate.measures.facts import BORNE, Fact, Facts, agreements
from gate.measures.probing import base_of, cut, families, kind_of, lost

NAME = "retrieval_dependency"
NONE = "it was given no evidence that could be withheld or contradicted"
NOTHING = "it said nothing that could come from its evidence"
APART = "what the changed evidence says differently is not what it said"
KEPT = 0.5  # share of the facts that were at stake; with more of them left the answer did not change


@dataclass(frozen=True, slots=True)
class _Look:
    """One answer without its evidence, or against it: the facts that were at stake, and whether it still says them."""

    probe: Case
    stake: tuple[Fact, ...]
    declines: bool

    @property
    def changed(self) -> bool:
        """Whether it declines, or no longer says most of what was at stake."""
        return self.declines or fmean(fact.borne for fact in self.stake) <= KEPT


def read(outcome: Outcome, options: Any, tools: Tools) -> Reading:
    """One rating a prompt: 1 where the answer changes, 0 where it says the same facts without its evidence or against
    it: then it comes from memory. The mean of `withheld` and `contradicted` where both were tried."""
    unjudged = lost(outcome, NAME)
    known = {prompt: found for prompt, found in families(outcome, NAME).items() if prompt not in unjudged}
    asked = [(base_of(probe, own), probe) for own, probes in known.values() for probe in probes]
    facts = agreements([(base.answer.text, probe.answer.text, base.prompt.question) for base, probe in asked], tools)
    looks: dict[str, list[_Look]] = defaultdict(list)
    for (base, probe), found, stake in zip(asked, facts, _stakes(asked, facts, tools), strict=True):
        looks[base.prompt.id].append(_Look(probe, stake, bool(found.a) and not found.b))
    spoke = {base.prompt.id for (base, _), found in zip(asked, facts, strict=True) if found.a}
    ratings, skipped = [], {}
    for prompt, (own, probes) in known.items():
        telling = [look for look in looks[prompt] if look.stake]
        if telling:
            ratings.append(_rating(own[0], telling))
        else:
            skipped[prompt] = NONE if not probes else APART if prompt in spoke else NOTHING
    return Reading(tuple(ratings), skipped, unjudged)


def _stakes(asked: Sequence[tuple[Case, Case]], facts: Sequence[Facts], tools: Tools) -> list[tuple[Fact, ...]]:
    """For each pair the facts of the first answer that should go: all without evidence; with other evidence, those
    that it bears out less than the answer's own did."""
    turned = [
        (fact.claim, case.contexts)
        for (base, probe), found in zip(asked, facts, strict=True)
        if kind_of(probe) != "withheld"
        for fact in found.a
        for case in (base, probe)
    ]
    support = iter(tools.support(turned)) if turned else iter(())
    return [
        found.a if kind_of(probe) == "withheld" else tuple(f for f in found.a if _less(next(support), next(support)))
        for (_, probe), found in zip(asked, facts, strict=True)
    ]


def _less(before: Support, after: Support) -> bool:
    return BORNE[after.label] < BORNE[before.label]


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
        return f'it says the same {when}, from memory: "{cut(kept.claim)}"'
    gone = min(look.stake, key=lambda fact: fact.borne)
    if look.declines:
        return f'it declines {"where its evidence says otherwise" if against else when}: "{cut(gone.claim)}" is gone'
    ending = ", as the changed evidence does" if against else ""
    return f'{when.capitalize()} it no longer says "{cut(gone.claim)}"{ending}'
