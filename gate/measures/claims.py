"""Measures by the claims of an answer. Faithfulness: the share of them that the contexts bear out which the assistant
was given. Correctness: an answer against its reference, by the claims of both or by a model's grade."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from gate.judges.base import Statement, Support
from gate.measures.base import Answered, Case, Reading, Stated, Tools, unreferenced
from gate.measures.texts import (
    BORNE,
    PASSAGES,
    UNLABELLED,
    Contexts,
    Facts,
    agreements,
    borne_share,
    chances,
    claims_of,
    contradicted_share,
    cut_contexts,
    quoted,
    same_words,
    shortened,
    stated_in,
    text_claims,
    why_unread,
)
from gate.records import Label, Rating
from gate.text.tokenisation import is_foreign

NONE = "no context was given to the assistant"
FOREIGN = "the claims or the contexts are not in English, which is all that the local judge reads, or too long"
NO_LABELS = "the local judge could not label the claims: they are too long or have no words"
SPEAKS = 0.5  # share of a claim's terms from which a passage is about the same matter
WEAK = BORNE[Label.WEAKLY_SUPPORTED]
# How a claim that the trusted documents do not bear out, or only they, stands to the contexts.
DESPITE, WRONG, MISSING, BEYOND = "despite_context", "wrong_context", "missing_context", "beyond_context"
_TOLD = {
    DESPITE: "wrong, although its own context says {quote}",
    WRONG: "its context says so, the documents do not",
    MISSING: "neither its contexts nor the documents say so",
    BEYOND: "the documents say so, its contexts do not",
}
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
class Grounded:
    """A claim by the contexts: `value` 1 (borne out), 0.5 (weakly), 0, or None (not judged); `quote` are the words of a
    context on the matter; `cause` is how that goes with the trusted documents (empty where they agree)."""

    claim: str
    value: float | None
    contradicted: bool = False
    quote: str = ""
    cause: str = ""


@dataclass(frozen=True, slots=True)
class _Asked:
    """One claim of a case beside the passages that may speak of it (none where it stands there word by word), how much
    the best of them does, and whether a context that cannot be read may say more."""

    statement: Statement
    stated: bool = False
    speaks: float = 0.0
    doubtful: bool = False


def rate_faithfulness(run: Answered, options: Any, tools: Tools) -> Reading:
    """One rating for each answer with claims and contexts; its weight is the number of claims that were judged. An
    answer of which some could not be is unjudged as well: what is left may be the better part."""
    skipped: dict[str, str] = {}
    asked: list[tuple[Case, list[_Asked]]] = []
    for case in run.cases:
        contexts = cut_contexts(case.contexts)
        said = claims_of(case, tools)
        why = NONE if not contexts.cuts and not contexts.unread else said.nothing
        if why:
            skipped[case.prompt.id] = why
        else:
            asked.append((case, [_ask(claim, contexts) for claim in said.claims]))
    wanted = [one.statement for _, claims in asked for one in claims if one.statement.texts]
    found = dict(zip(wanted, tools.support(wanted), strict=True)) if wanted else {}
    ratings, unjudged = [], {}
    for case, claims in asked:
        labels = {verdict.claim.text: verdict.label for verdict in case.verdicts}
        facts = [_fact(one, found.get(one.statement)) for one in claims]
        facts = [replace(fact, cause=_cause(labels.get(fact.claim), fact)) for fact in facts]
        judged = [fact for fact in facts if fact.value is not None]
        if len(judged) < len(facts):
            unjudged[case.prompt.id] = FOREIGN if any(one.doubtful for one in claims) else NO_LABELS
        if judged:
            ratings.append(_grounded(case, judged, len(facts) - len(judged)))
    return Reading(tuple(ratings), skipped, unjudged)


def rate_hallucination(run: Answered, options: Any, tools: Tools) -> Reading:
    """1 - faithfulness of every answer."""
    faith = tools.reading("faithfulness")
    return replace(faith, ratings=tuple(replace(one, value=1.0 - one.value) for one in faith.ratings))


def _ask(claim: Stated, contexts: Contexts) -> _Asked:
    if contexts.states(claim.text):
        return _Asked(stated_in(claim, ()), stated=True, speaks=1.0)
    if is_foreign(claim.text):
        return _Asked(stated_in(claim, ()), doubtful=True)
    passages = contexts.passages_of(claim, PASSAGES)
    speaks = max((passage.score for passage in passages), default=0.0)
    asked = stated_in(claim, [passage.text for passage in passages])
    return _Asked(asked, speaks=speaks, doubtful=contexts.unread > 0)


def _fact(asked: _Asked, support: Support | None) -> Grounded:
    """What the judge says. A claim that is not borne out by the contexts that can be read, while others cannot, is
    not judged."""
    claim = asked.statement.claim
    if asked.stated:
        return Grounded(claim, 1.0, quote=claim)
    label = support.label if support else Label.UNSUPPORTED
    value = None if label is Label.UNJUDGED else BORNE[label]
    if asked.doubtful and value != 1.0:
        return Grounded(claim, None)
    if support is None:
        return Grounded(claim, value)
    quote = support.quote if asked.speaks >= SPEAKS or support.contradicted or value else ""
    return Grounded(claim, value, support.contradicted, quote)


def _cause(label: Label | None, fact: Grounded) -> str:
    """Why a wrong answer is wrong: the assistant left its context, or the context was wrong or did not hold it."""
    if label is Label.SUPPORTED:
        return BEYOND if fact.value == 0 else ""
    if label is not Label.UNSUPPORTED or fact.value is None or fact.value == WEAK:
        return ""
    if fact.value == 1:
        return WRONG
    return DESPITE if fact.quote else MISSING


def _grounded(case: Case, judged: Sequence[Grounded], lost: int) -> Rating:
    value = fmean(fact.value or 0.0 for fact in judged)
    why = shortened("; ".join(_told(judged, lost)))
    shares = {
        "weakly_supported": fmean(fact.value == WEAK for fact in judged),
        "contradicted": fmean(fact.contradicted for fact in judged),
        **{cause: fmean(fact.cause == cause for fact in judged) for cause in _TOLD},
    }
    return Rating(case.prompt.id, value, why, float(len(judged)), shares, case.answer.id)


def _told(facts: Sequence[Grounded], lost: int) -> Iterator[str]:
    """The count, then the worst claims first, each with what its context says."""
    borne = sum(fact.value == 1 for fact in facts)
    yield f"{borne} of {len(facts)} claims borne out by its contexts"
    if lost:
        yield f"{lost} claim{'s' * (lost != 1)} not judged: in another language or too long"
    doubted = [fact for fact in facts if fact.value != 1 or fact.cause]
    for fact in sorted(doubted, key=lambda fact: (fact.value or 0.0, not fact.contradicted)):
        yield f"{quoted(fact.claim)}: {_because(fact)}"


def _because(fact: Grounded) -> str:
    if fact.cause:
        return _TOLD[fact.cause].format(quote=quoted(fact.quote))
    if fact.value:
        return f"not surely; nearest is {quoted(fact.quote)}" if fact.quote else "not surely"
    return f"its context says {quoted(fact.quote)}" if fact.quote else "its contexts say nothing of it"


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
    ratings = [_graded(case, judged[case.answer.id], options.pass_at) for case in cases if case.answer.id in judged]
    return Reading(tuple(ratings), skipped, unjudged)


def _reference(case: Case) -> str:
    return (case.prompt.reference or "").strip()


def _graded(case: Case, judged: _Judged, pass_at: float) -> Rating:
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
