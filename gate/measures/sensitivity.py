"""Do the facts of an answer change with what should not matter: typos, case, courtesy, word order, a distractor."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from gate.measures.base import Case, Outcome, Rating, Reading, Tools
from gate.measures.facts import UNLABELLED, Facts, agreements
from gate.measures.missing import lost
from gate.measures.probing import base_of, cut, families, kind_of

NAME = "sensitivity"
NONE = "no changed form of it was asked (evaluation.probes: [sensitivity])"
UNCHANGED = "no changed form of it could be made"

Compared = tuple[Case, Facts]  # the answer to a probe, and how it agrees with the answer to the prompt itself


def read(outcome: Outcome, options: Any, tools: Tools) -> Reading:
    """One rating a prompt: the share of facts, of both answers, that a change of the prompt changes; the mean over its
    probes, each kind a part. An answer where there was a refusal, or the reverse, is a change of all."""
    unjudged = lost(outcome, NAME)
    known = {prompt: found for prompt, found in families(outcome, NAME).items() if prompt not in unjudged}
    asked = [(base_of(probe, own), probe) for own, probes in known.values() for probe in probes]
    facts = iter(
        agreements([(base.answer.text, probe.answer.text, base.prompt.question) for base, probe in asked], tools)
    )
    compared = {prompt: [(probe, next(facts)) for probe in probes] for prompt, (_, probes) in known.items()}
    unjudged |= {prompt: UNLABELLED for prompt, some in compared.items() if not all(one.judged for _, one in some)}
    ratings = [
        _rating(known[prompt][0][0], some) for prompt, some in compared.items() if some and prompt not in unjudged
    ]
    why = UNCHANGED if NAME in outcome.probes else NONE
    skipped = {prompt: why for prompt, (_, probes) in known.items() if not probes}
    return Reading(tuple(ratings), skipped, unjudged)


def _rating(base: Case, compared: Sequence[Compared]) -> Rating:
    kinds: dict[str, list[float]] = defaultdict(list)
    for probe, facts in compared:
        kinds[kind_of(probe)].append(1.0 - facts.f1)
    parts = {kind: fmean(values) for kind, values in kinds.items()}
    value = fmean(parts.values())
    worst = max(compared, key=lambda one: 1.0 - one[1].f1)
    return Rating(base.prompt.id, value, _why(*worst), 1.0, parts, base.answer.id)


def _why(probe: Case, facts: Facts) -> str:
    """What the change that does most does."""
    kind = kind_of(probe)
    if bool(facts.a) != bool(facts.b):
        said = cut((facts.a or facts.b)[0].text)
        return f'with {_named(kind)} it declines to say "{said}"' if facts.a else f'only with {_named(kind)}: "{said}"'
    if facts.f1 == 1.0:
        return "the same facts whatever was changed" if facts.a else "it declines whatever was changed"
    gone = [fact for fact in facts.a if fact.borne < 1.0]
    new = [fact for fact in facts.b if fact.borne < 1.0]
    before = f'"{cut(min(gone, key=lambda fact: fact.borne).text)}"' if gone else "what it said"
    after = f'"{cut(min(new, key=lambda fact: fact.borne).text)}"' if new else "nothing of the kind"
    return (
        f"with {_named(kind)} it says {after} instead of {before}" if gone else f"with {_named(kind)} it adds {after}"
    )


def _named(kind: str) -> str:
    return {"case": "another case", "order": "another word order", "distractor": "a distractor"}.get(kind, kind)
