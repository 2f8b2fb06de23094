"""Correctness: an answer against its reference, by the claims of both or by a model's grade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gate.measures.base import Answered, Case, Reading, Tools, unreferenced
from gate.measures.texts import (
    UNLABELLED,
    Facts,
    agreements,
    borne_share,
    chances,
    claims_of,
    contradicted_share,
    quoted,
    same_words,
    shortened,
    text_claims,
    why_unread,
)
from gate.records import Label, Rating

LOWEST, HIGHEST = 1.0, 5.0
# What is left at most of the way from 1 to 5 for an answer that contradicts its reference, and is contradicted by it
# (below the usual pass of 4.0).
CONTRADICTING = 0.6
# What claims beside the reference cost, by their share of the answer: true ones, those of which nothing is known, and
# those that neither the documents nor the contexts bear out.
TRUE, UNKNOWN, UNBACKED = 0.1, 0.25, 0.6
_BY_LABEL = {Label.SUPPORTED: TRUE, Label.WEAKLY_SUPPORTED: UNKNOWN, Label.UNSUPPORTED: UNBACKED}
MOST = 3  # claims that are named as wrong, and as missing


@dataclass(frozen=True, slots=True)
class _Judged:
    """An answer's value, 0..1; the shares of it that are `wrong`, and of the reference that are `missing`."""

    value: float
    why: str
    wrong: float = 0.0
    missing: float = 0.0


def rate_correctness(run: Answered, options: Any, tools: Tools) -> Reading:
    """One rating for each answer to a question with a reference. Errors: LimitError, ProviderError by a model."""
    skipped = {case.prompt.id: why for case in run.cases if (why := unreferenced(case.prompt))}
    cases = [case for case in run.cases if _reference(case)]
    if options.by == "model":
        return _by_model(cases, skipped, options.pass_at, tools)
    judged: dict[str, _Judged] = {}
    unjudged: dict[str, str] = {}
    open_: list[Case] = []
    for case in cases:
        done = _at_once(case, tools)
        if done:
            judged[case.answer.id] = done
        elif why := why_unread(answer=case.answer.text, reference=_reference(case)):
            unjudged[case.prompt.id] = why
        else:
            open_.append(case)
    pairs = [(case.answer.text, _reference(case), case.prompt.question) for case in open_]
    for case, facts in zip(open_, agreements(pairs, tools), strict=True):
        if facts.judged:
            judged[case.answer.id] = _by_facts(case, facts, _costs(case, facts, tools))
        else:
            unjudged[case.prompt.id] = UNLABELLED
    ratings = [_rating(case, judged[case.answer.id], options.pass_at) for case in cases if case.answer.id in judged]
    return Reading(tuple(ratings), skipped, unjudged)


def _reference(case: Case) -> str:
    return (case.prompt.reference or "").strip()


def _rating(case: Case, judged: _Judged, pass_at: float) -> Rating:
    grade = LOWEST + (HIGHEST - LOWEST) * judged.value
    parts = {"passed": float(grade >= pass_at - 1e-9), "wrong": judged.wrong, "missing": judged.missing}
    return Rating(case.prompt.id, grade, shortened(judged.why), 1.0, parts, case.answer.id)


def _at_once(case: Case, tools: Tools) -> _Judged | None:
    """What needs no comparison of claims: the same words, and refusals."""
    reference = _reference(case)
    if same_words(case.answer.text, reference) and case.answer.text.strip():
        return _Judged(1.0, "says what the reference says")
    answered, expected = claims_of(case, tools), text_claims(reference, case.prompt.question, tools)
    if not expected.claims:
        if answered.declines:
            return _Judged(1.0, "declines, as the reference does")
        return _Judged(0.0, f"answers {quoted(case.answer.text)}, the reference declines", 1.0)
    if not answered.claims:
        return _Judged(0.0, f"{answered.nothing}; the reference says {quoted(reference)}", 0.0, 1.0)
    return None


def _costs(case: Case, facts: Facts, tools: Tools) -> dict[str, float]:
    """claim -> what it costs, of the answer's claims that the reference says nothing of. What the run's verdicts do not
    tell, the contexts do that the assistant was given."""
    beside = [fact for fact in facts.a if not fact.borne and not fact.contradicted]
    labels = {verdict.claim.text: verdict.label for verdict in case.verdicts}
    costs = {fact.text: _BY_LABEL[labels[fact.text]] for fact in beside if labels.get(fact.text) in _BY_LABEL}
    rest = [fact for fact in beside if fact.text not in costs]
    if rest and any(text.strip() for text in case.contexts):
        good = chances(rest, case.contexts, tools)
        return costs | {fact.text: TRUE if fact.text in good else UNBACKED for fact in rest}
    return costs | {fact.text: UNKNOWN for fact in rest}


def _by_facts(case: Case, facts: Facts, costs: Mapping[str, float]) -> _Judged:
    """What is missing lowers the value by its share; what is said beside the reference costs by `costs`, and what
    contradicts it most of its share. Where each contradicts the other, half of what is left and more is lost: the local
    judge alone, in one direction, often takes other words for a contradiction."""
    if not facts.a:
        return _Judged(0.0, f"states nothing; the reference says {quoted(_reference(case))}", 0.0, 1.0)
    if not facts.b:
        return _Judged(0.0, f"says {quoted(case.answer.text)}, the reference says {quoted(_reference(case))}")
    spent = sum(costs.get(fact.text, UNBACKED if fact.contradicted else 0.0) for fact in facts.a)
    borne, wrong, against = borne_share(facts.b), contradicted_share(facts.a), contradicted_share(facts.b)
    value = borne * (1.0 - spent / len(facts.a))
    if wrong and against:
        value = min(value, CONTRADICTING) * (1.0 - max(wrong, against) / 2)
    return _Judged(value, _why(case, facts, costs), wrong, 1.0 - borne)


def _why(case: Case, facts: Facts, costs: Mapping[str, float]) -> str:
    """The worst that can be said of the answer: what is wrong, then what is missing."""
    reference = _reference(case)
    wrong = [f"says {quoted(f.text)}, the reference {quoted(f.quote or reference)}" for f in facts.a if f.contradicted]
    wrong = wrong or [
        f"the reference says {quoted(f.text)}, it {quoted(f.quote or case.answer.text)}"
        for f in facts.b
        if f.contradicted
    ]
    wrong += [f"says {quoted(claim)}, which nothing bears out" for claim, cost in costs.items() if cost == UNBACKED]
    missing = [quoted(fact.text) for fact in facts.b if not fact.borne and not fact.contradicted]
    partly = [quoted(fact.text) for fact in facts.b if 0.0 < fact.borne < 1.0]
    found = wrong[:MOST]
    found += [f"leaves out {', '.join(missing[:MOST])}"] if missing else []
    found += [f"says only in part, or in other words: {', '.join(partly[:MOST])}"] if partly else []
    return "; ".join(found) or "says what the reference says"


def _by_model(cases: Sequence[Case], skipped: dict[str, str], pass_at: float, tools: Tools) -> Reading:
    grades = tools.grade([(case.prompt.question, _reference(case), case.answer.text) for case in cases])
    ratings, unjudged = [], {}
    for case, grade in zip(cases, grades, strict=True):
        if grade.value is None:
            unjudged[case.prompt.id] = grade.why
            continue
        parts = {"passed": float(grade.value >= pass_at), **({"rubric": float(grade.rubric)} if grade.rubric else {})}
        ratings.append(Rating(case.prompt.id, grade.value, shortened(grade.why), 1.0, parts, case.answer.id))
    return Reading(tuple(ratings), skipped, unjudged)
