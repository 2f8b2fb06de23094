"""Abstention: does the assistant answer where the evidence is there, and decline where it is not.

An answer abstains where it states nothing: it has no claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gate.measures.base import Case, Outcome, Rating, Reading, Stated, Tools
from gate.measures.contexts import Answerable, answered_by, borne_out, cut_contexts, enough
from gate.measures.texts import Content, content_of, quoted, shortened, text_content, why_unread
from gate.records import Label, Verdict

UNREAD = "its contexts cannot be read to the end: they are in another language or too long"


@dataclass(frozen=True, slots=True)
class _Found:
    """Whether the evidence is there; None where it cannot be told. `why` says where it stands, or why it is not."""

    there: bool | None
    why: str


def rate_abstention(outcome: Outcome, options: Any, tools: Tools) -> Reading:
    """One rating for each answer: 1 where it rightly answers or abstains, 0 where it does not. The parts are the shares
    of right refusals, of wrong ones, and of answers that should have been refusals."""
    ratings, unjudged = [], {}
    for case in outcome.cases:
        content = content_of(case, tools)
        found = _evidence(case, content, tools)
        if found.there is None:
            unjudged[case.prompt.id] = found.why
        else:
            ratings.append(_rating(case, not content.claims, found))
    return Reading(tuple(ratings), {}, unjudged)


def _rating(case: Case, declines: bool, found: _Found) -> Rating:
    there = bool(found.there)
    right = declines != there
    parts = {
        "right_refusals": float(declines and right),
        "wrong_refusals": float(declines and not right),
        "should_have_declined": float(not declines and not right),
    }
    did = f"{'declines' if declines else 'answers'}{', as it should' if right else ', and should not'}"
    return Rating(case.prompt.id, float(right), shortened(f"{did}: {found.why}"), 1.0, parts, case.answer.id)


def _evidence(case: Case, content: Content, tools: Tools) -> _Found:
    """What the reference and the answer show by their claims; else what the question alone does. The contexts that the
    assistant was given count; the trusted documents, where it was given none."""
    expected = _expected(case, tools)
    if expected is not None and not expected.claims:
        return _Found(False, "the reference declines" if content.claims else "the reference declines as well")
    if content.claims and (backed := _backed(case, content, tools)):
        return backed
    texts = [text for text in case.contexts if text.strip()]
    if expected is not None:
        if not texts:
            return _Found(True, f"the reference answers {quoted(case.prompt.reference or '')}")
        return _by_reference(expected.claims, texts, tools)
    place = "its contexts" if texts else "the documents"
    return _by_question(answered_by(case.prompt.question, texts or tools.documents(case.prompt.question), tools), place)


def _expected(case: Case, tools: Tools) -> Content | None:
    """The reference, read as an answer; None without one. A blank one in a dataset says that there is no answer."""
    reference = case.prompt.reference
    return None if reference is None else text_content(reference, case.prompt.question, tools)


def _backed(case: Case, content: Content, tools: Tools) -> _Found | None:
    """An answer of which enough is borne out has its evidence."""
    good = _surest(case)
    if good:
        where = f"{good.evidence[0].source}, line {good.evidence[0].line}" if good.evidence else "the documents"
        return _Found(True, f"{quoted(good.claim.text)} stands in {where}")
    found = borne_out(content.spread, case.contexts, tools)
    return _Found(True, f"{quoted(found)} stands in its contexts") if found else None


def _surest(case: Case) -> Verdict | None:
    """The surest verdict, where the documents bear out enough of the claims; a label without a probability is sure."""
    good = [verdict for verdict in case.verdicts if verdict.label is Label.SUPPORTED]
    chances = [1.0 if verdict.support is None else verdict.support for verdict in good]
    if not good or not enough(len(good), len(case.verdicts), max(chances)):
        return None
    return good[chances.index(max(chances))]


def _by_reference(claims: Sequence[Stated], texts: Sequence[str], tools: Tools) -> _Found:
    found = borne_out(claims, texts, tools)
    if found:
        return _Found(True, f"its contexts say {quoted(found)}")
    whole = " ".join(claim.text for claim in claims)
    if why := why_unread(reference=whole) or (UNREAD if cut_contexts(texts).unread else ""):
        return _Found(None, why)
    return _Found(False, f"its contexts do not say {quoted(claims[0].text)}")


def _by_question(found: Answerable, place: str) -> _Found:
    if found.there is None:
        return _Found(None, f"it cannot be told by the question alone whether {place} answer it: give a reference")
    if found.there:
        return _Found(True, f"{place} say {quoted(found.passage)}")
    return _Found(False, f"nothing in {place} answers the question")
