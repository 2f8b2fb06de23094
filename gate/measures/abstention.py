"""Abstention: does the assistant answer where the evidence is there, and decline where it is not.

An answer abstains where it states nothing: it has no claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gate.conversation import sought
from gate.measures.base import Answered, Case, Reading, Stated, Tools
from gate.measures.texts import (
    PASSAGES,
    Claimed,
    chances,
    claims_of,
    cut_contexts,
    quoted,
    shortened,
    text_claims,
    why_unread,
)
from gate.records import Label, Rating, Verdict
from gate.text import sentences, stem, stems, tokens
from gate.text.tokenisation import is_foreign

UNREAD = "its contexts cannot be read to the end: they are in another language or too long"
SENTENCES = 8  # of a passage
# Likeness of a question and the best passage, by the shipped embedder. Below FAR the passage is about other things;
# from NEAR on, or from LIKE on with most words of the question, it answers. Questions about a manual, asked to it and
# to another one: 0.65 to 0.91 and 0.52 to 0.72.
FAR, LIKE, NEAR = 0.64, 0.74, 0.82
COVERED, LITTLE = 0.66, 0.25  # share of the question's content words
# Texts that do not hold the answer seem to bear out one claim in 30, none of 292 with a probability above 0.73: one
# claim shows the evidence from SURE on, else FEWEST do, or SOME of many (answers about the guides in training/stack).
SURE, FEWEST, SOME = 0.8, 2, 0.2


@dataclass(frozen=True, slots=True)
class _Found:
    """Whether the evidence is there; None where it cannot be told. `why` says where it stands, or why it is not."""

    there: bool | None
    why: str


def rate_abstention(run: Answered, options: Any, tools: Tools) -> Reading:
    """One rating for each answer: 1 where it rightly answers or abstains, 0 where it does not. The parts are the shares
    of right refusals, of wrong ones, and of answers that should have been refusals."""
    ratings, unjudged = [], {}
    for case in run.cases:
        said = claims_of(case, tools)
        found = _evidence(case, said, tools)
        if found.there is None:
            unjudged[case.prompt.id] = found.why
        else:
            ratings.append(_rating(case, not said.claims, found))
    return Reading(tuple(ratings), {}, unjudged)


def _rating(case: Case, declines: bool, found: _Found) -> Rating:
    right = declines != found.there
    parts = {
        "right_refusals": float(declines and right),
        "wrong_refusals": float(declines and not right),
        "should_have_declined": float(not declines and not right),
    }
    did = f"{'declines' if declines else 'answers'}{', as it should' if right else ', and should not'}"
    return Rating(case.prompt.id, float(right), shortened(f"{did}: {found.why}"), 1.0, parts, case.answer.id)


def _evidence(case: Case, said: Claimed, tools: Tools) -> _Found:
    """What the reference and the answer show by their claims; else what the question alone does. The contexts that the
    assistant was given count; the trusted documents, where it was given none."""
    reference, question = case.prompt.reference, sought(case.prompt)
    expected = None if reference is None else text_claims(reference, question, tools)  # a blank one: no answer is there
    if expected is not None and not expected.claims:
        return _Found(False, "the reference declines" if said.claims else "the reference declines as well")
    if said.claims and (backed := _backed(case, said, tools)):
        return backed
    texts = [text for text in case.contexts if text.strip()]
    if expected is None:
        place = "its contexts" if texts else "the documents"
        return _by_question(question, texts or tools.documents(question), place, tools)
    if not texts:
        return _Found(True, f"the reference answers {quoted(reference or '')}")
    return _by_reference(expected.claims, texts, tools)


def _backed(case: Case, said: Claimed, tools: Tools) -> _Found | None:
    """An answer of which the documents or its contexts bear out enough has its evidence."""
    good = _surest(case)
    if good:
        where = f"{good.evidence[0].source}, line {good.evidence[0].line}" if good.evidence else "the documents"
        return _Found(True, f"{quoted(good.claim.text)} stands in {where}")
    found = borne_out(said.spread, case.contexts, tools)
    return _Found(True, f"{quoted(found)} stands in its contexts") if found else None


def _surest(case: Case) -> Verdict | None:
    """The surest verdict, where the documents bear out enough of the claims; a label without a probability is sure."""
    good = [verdict for verdict in case.verdicts if verdict.label is Label.SUPPORTED]
    sure = [1.0 if verdict.support is None else verdict.support for verdict in good]
    if not good or not enough(len(good), len(case.verdicts), max(sure)):
        return None
    return good[sure.index(max(sure))]


def enough(borne: int, claims: int, surest: float) -> bool:
    """Whether so many claims that are borne out, or the probability of the surest of them, show that the evidence is
    there."""
    return surest >= SURE or borne >= max(min(FEWEST, claims), SOME * claims)


def borne_out(claims: Sequence[Stated], texts: Sequence[str], tools: Tools) -> str:
    """The surest of the claims, where the texts bear out enough of them; else empty."""
    found = chances(claims, texts, tools)
    surest = max(found, key=found.__getitem__, default="")
    return surest if found and enough(len(found), len({claim.text for claim in claims}), found[surest]) else ""


def _by_reference(claims: Sequence[Stated], texts: Sequence[str], tools: Tools) -> _Found:
    found = borne_out(claims, texts, tools)
    if found:
        return _Found(True, f"its contexts say {quoted(found)}")
    whole = " ".join(claim.text for claim in claims)
    if why := why_unread(reference=whole) or (UNREAD if cut_contexts(texts).unread else ""):
        return _Found(None, why)
    return _Found(False, f"its contexts do not say {quoted(claims[0].text)}")


def _by_question(question: str, texts: Sequence[str], place: str, tools: Tools) -> _Found:
    """Whether `texts` answer a question, by their words and their likeness."""
    nothing = _Found(False, f"nothing in {place} answers the question")
    unknown = _Found(None, f"it cannot be told by the question alone whether {place} answer it: give a reference")
    found = cut_contexts(texts)
    if not found.cuts and not found.unread:
        return nothing
    if is_foreign(question) or found.unread:
        return unknown
    passages = [passage.text for passage in found.passages(question, PASSAGES)]
    if not passages:
        return nothing
    # A passage may begin with other matters: its best sentence counts as well.
    pieces = [(passage, piece) for passage in passages for piece in (passage, *_sentences(passage))]
    vectors = tools.embed([question, *(piece for _, piece in pieces)])
    like = [float(vectors[0] @ vector) for vector in vectors[1:]]
    best = max(range(len(pieces)), key=like.__getitem__)
    there = _answers(question, pieces[best][0], like[best])
    if there is None:
        return unknown
    return _Found(True, f"{place} say {quoted(pieces[best][1])}") if there else nothing


def _sentences(passage: str) -> list[str]:
    found = (passage[start:end].strip() for start, end in sentences(passage)[:SENTENCES])
    return [sentence for sentence in found if sentence != passage.strip()]


def _answers(question: str, passage: str, like: float) -> bool | None:
    asked = stems(question)
    share = len(asked & {stem(word) for word in tokens(passage)}) / len(asked) if asked else 0.0
    if like < FAR or (share <= LITTLE and like < LIKE):
        return False
    return True if like >= NEAR or (like >= LIKE and share >= COVERED) else None
