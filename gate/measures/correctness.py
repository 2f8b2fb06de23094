"""Correctness: a grade from 1 to 5 of an answer against its reference, by a model or by claims in both directions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gate.measures.answering import all_borne_out
from gate.measures.base import Case, Outcome, Rating, Reading, Tools, unreferenced
from gate.measures.facts import Facts, agreements
from gate.measures.language import why_unread
from gate.measures.short_answers import Match, match, short
from gate.measures.spoken import Said, said
from gate.measures.told import quoted, shortened
from gate.records import Label
from gate.text import tokens

LOWEST, HIGHEST = 1.0, 5.0
# What is left at most of the way from 1 to 5 for an answer that contradicts its reference, and is contradicted by it
# (below the usual pass of 4.0). An item put among those of a list counts more than its share.
CONTRADICTING, AMONG = 0.6, 1.5
INSTEAD = 0.7  # the same for one that says what its reference does but for a phrase
# What claims beside the reference cost, by their share of the answer: true ones, those of which nothing is known, and
# those that neither the documents nor the contexts bear out.
TRUE, UNKNOWN, UNBACKED = 0.1, 0.25, 0.6
NEAR = 0.75  # value from which the words of a short answer decide
_BY_LABEL = {Label.SUPPORTED: TRUE, Label.WEAKLY_SUPPORTED: UNKNOWN, Label.UNSUPPORTED: UNBACKED}
MOST = 3  # claims that are named as wrong, and as missing


@dataclass(frozen=True, slots=True)
class _Judged:
    """An answer's value, 0..1; the shares of it that are `wrong`, and of the reference that are `missing`."""

    value: float
    why: str
    wrong: float = 0.0
    missing: float = 0.0
    settled: bool = True


def read(outcome: Outcome, options: Any, tools: Tools) -> Reading:
    """One rating for each answer to a question with a reference. Errors: LimitError, ProviderError by a model."""
    skipped = {case.prompt.id: why for case in outcome.cases if (why := unreferenced(case.prompt))}
    cases = [case for case in outcome.cases if _reference(case)]
    if options.by == "model":
        return _by_model(cases, skipped, options.pass_at, tools)
    judged: dict[str, _Judged] = {}
    unjudged: dict[str, str] = {}
    open_: list[Case] = []
    for case in cases:
        done = _at_once(case, tools)
        if done:
            judged[case.answer.id] = done
        if done and done.settled:
            continue
        if why := why_unread(answer=case.answer.text, reference=_reference(case)):
            unjudged |= {} if done else {case.prompt.id: why}
        else:
            open_.append(case)
    pairs = [(case.answer.text, _reference(case), case.prompt.question) for case in open_]
    for case, facts in zip(open_, agreements(pairs, tools), strict=True):
        found = _by_facts(case, facts, _costs(case, facts, tools))
        judged[case.answer.id] = max(judged.get(case.answer.id, found), found, key=lambda one: one.value)
    ratings = [_rating(case, judged[case.answer.id], options.pass_at) for case in cases if case.answer.id in judged]
    return Reading(tuple(ratings), skipped, unjudged)


def _reference(case: Case) -> str:
    return (case.prompt.reference or "").strip()


def _rating(case: Case, judged: _Judged, pass_at: float) -> Rating:
    grade = LOWEST + (HIGHEST - LOWEST) * judged.value
    parts = {"passed": float(grade >= pass_at - 1e-9), "wrong": judged.wrong, "missing": judged.missing}
    return Rating(case.prompt.id, grade, shortened(judged.why), 1.0, parts, case.answer.id)


def _at_once(case: Case, tools: Tools) -> _Judged | None:
    """What needs no comparison of claims: refusals, the same words, short answers."""
    reference = _reference(case)
    if tokens(case.answer.text) == tokens(reference) and case.answer.text.strip():
        return _Judged(1.0, "says what the reference says")
    answered, expected = said(case, tools), _expected(case, tools)
    if expected.declines:
        if answered.declines:
            return _Judged(1.0, "declines, as the reference does")
        return _Judged(0.0, f"answers {quoted(case.answer.text)}, the reference declines", 1.0)
    if answered.declines or answered.blank:
        return _Judged(0.0, f"{answered.nothing}; the reference says {quoted(reference)}", 0.0, 1.0)
    if not (short(case.answer.text) or short(reference)):
        return None
    found = match(case.answer.text, reference, case.prompt.question, tools)
    return _by_match(case, found) if found else None


def _expected(case: Case, tools: Tools) -> Said:
    """What the reference says, read as an answer to the question."""
    return said(Case(case.prompt, replace(case.answer, text=_reference(case))), tools)


def _by_match(case: Case, found: Match) -> _Judged:
    """Where the words do not find what was expected, it may still be said in others."""
    near = found.value >= NEAR
    why = found.wrong or (f"leaves out {quoted(found.missing)}" if found.missing else "")
    why = why or ("says what the reference says" if near else _differs(case))
    missing = 1.0 - found.value if found.missing else 0.0
    return _Judged(found.value, why, float(bool(found.wrong)), missing, settled=near or bool(found.wrong))


def _differs(case: Case) -> str:
    return f"says {quoted(case.answer.text)}, the reference says {quoted(_reference(case))}"


def _costs(case: Case, facts: Facts, tools: Tools) -> dict[str, float]:
    """claim -> what it costs, of the answer's claims that the reference says nothing of. What the run's verdicts do not
    tell, the contexts do that the assistant was given."""
    beside = [fact.claim for fact in facts.a if not fact.borne and not fact.contradicted]
    labels = {verdict.claim.text: verdict.label for verdict in case.verdicts}
    costs = {claim: _BY_LABEL[labels[claim]] for claim in beside if labels.get(claim) in _BY_LABEL}
    rest = [claim for claim in beside if claim not in costs]
    if rest and any(text.strip() for text in case.contexts):
        good = all_borne_out(rest, case.contexts, tools)
        return costs | {claim: TRUE if claim in good else UNBACKED for claim in rest}
    return costs | dict.fromkeys(rest, UNKNOWN)


def _by_facts(case: Case, facts: Facts, costs: Mapping[str, float]) -> _Judged:
    """What is missing lowers the value by its share; what is said beside the reference costs by `costs`, and what
    contradicts it most of its share. Where each contradicts the other, half of what is left and more is lost: the local
    judge alone, in one direction, often takes other words for a contradiction."""
    if not facts.a:
        return _Judged(0.0, f"states nothing; the reference says {quoted(_reference(case))}", 0.0, 1.0)
    if not facts.b:
        return _Judged(0.0, _differs(case))
    spent = sum(costs.get(fact.claim, UNBACKED if fact.contradicted else 0.0) for fact in facts.a)
    value = facts.borne_b * (1.0 - spent / len(facts.a))
    invented = [1 - fact.borne for fact in facts.a if fact.lacking]
    value *= max(0.0, 1.0 - AMONG * max(invented, default=0.0))
    if any(fact.instead for fact in (*facts.a, *facts.b)):
        value = min(value, INSTEAD)
    if facts.contradicted_a and facts.contradicted_b:
        value = min(value, CONTRADICTING) * (1.0 - max(facts.contradicted_a, facts.contradicted_b) / 2)
    return _Judged(value, _why(case, facts, costs), facts.contradicted_a, 1.0 - facts.borne_b)


def _why(case: Case, facts: Facts, costs: Mapping[str, float]) -> str:
    def mine(text: str) -> str:
        return _answering(text, case.prompt.question, case.answer.text)

    def theirs(text: str) -> str:
        return _answering(text, case.prompt.question, _reference(case))

    wrong = [f"says {mine(f.claim)}, the reference {theirs(f.quote)}" for f in facts.a if f.contradicted or f.instead]
    wrong += [f"names {', '.join(map(quoted, f.lacking[:MOST]))}, the reference does not" for f in facts.a if f.lacking]
    wrong = wrong or [
        f"the reference says {theirs(f.claim)}, it {mine(f.quote)}" for f in facts.b if f.contradicted or f.instead
    ]
    wrong += [f"says {mine(claim)}, which nothing bears out" for claim, cost in costs.items() if cost == UNBACKED]
    missing = [theirs(fact.claim) for fact in facts.b if not fact.borne and not fact.contradicted]
    missing += [quoted(item) for fact in facts.b for item in fact.lacking]
    partly = [theirs(fact.claim) for fact in facts.b if 0.0 < fact.borne < 1.0 and not (fact.lacking or fact.instead)]
    told = wrong[:MOST]
    told += [f"leaves out {', '.join(missing[:MOST])}"] if missing else []
    told += [f"says only in part, or in other words: {', '.join(partly[:MOST])}"] if partly else []
    return "; ".join(told) or "says what the reference says"


def _answering(text: str, question: str, whole: str) -> str:
    """What is quoted of a text that is read as an answer: without the question, which a bare answer is read with."""
    return quoted(text.removeprefix(question.strip()).strip() or whole)


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
