"""Faithfulness: the share of an answer's claims that the contexts bear out which the assistant was given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from gate.judges.base import Statement, Support
from gate.measures.base import Answered, Case, Reading, Stated, Tools
from gate.measures.texts import BORNE, PASSAGES, Contexts, claims_of, cut_contexts, quoted, shortened, stated_in
from gate.records import Label, Rating
from gate.text.tokenisation import is_foreign

NONE = "no context was given to the assistant"
FOREIGN = "the claims or the contexts are not in English, which is all that the local judge reads, or too long"
UNLABELLED = "the local judge could not label the claims: they are too long or have no words"
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
            unjudged[case.prompt.id] = FOREIGN if any(one.doubtful for one in claims) else UNLABELLED
        if judged:
            ratings.append(_rating(case, judged, len(facts) - len(judged)))
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


def _rating(case: Case, judged: Sequence[Grounded], lost: int) -> Rating:
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
