"""Completeness: how much of what the question asks for the answer covers, and what it leaves out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from gate.config_measures import AtLeast
from gate.measures.aspects import Aspect, aspects
from gate.measures.base import Case, Outcome, Rating, Reading, Tools
from gate.measures.given import given
from gate.measures.language import why_unread
from gate.measures.likeness import ASKED, cosines
from gate.measures.relevance import rightly_declined
from gate.measures.spoken import Said, said
from gate.measures.told import quoted, shortened
from gate.text import sentences, stem, words
from gate.text_kinds import WANTED, answers_shortly, exact, fits, gives

CONDITION = 0.25  # what coming back to a condition weighs beside an aspect
# How much a statement speaks of an aspect, its cosine and ASKED for all the aspect's words, from which the one is about
# the other, or may be. By 65 questions about the guides in training/stack: of the answers to them the best statement of
# seven in eight lies above NEAR, of those to other questions about the same guide that of one in 14.
NEAR, MAYBE = 0.7, 0.64
# The same of a few words, and of an amount or a time in figures where one is asked for: they have no room for the
# words of the question.
LIKE, LIKELY = 0.64, 0.54
# The same of statements that an answer begins with and that leave their subject to the question: `It is kept in ..`,
# `Because you ..`.
POINTING = 0.56
_POINTS = re.compile(r"(?:it|they|this|these|those|because)\b", re.IGNORECASE)
_BECAUSE = re.compile(r"\W*because\b", re.IGNORECASE)
MARGIN = 0.02  # a statement speaks of the aspect that it is nearest to, and of those that are as near
KEYS = 0.9  # share of an aspect's words in one statement that does as well


@dataclass(frozen=True, slots=True)
class Cover:
    """How far an aspect is covered (0, 0.5 or 1) and what is missing (empty where nothing is)."""

    aspect: Aspect
    value: float
    missing: str = ""


def read(outcome: Outcome, options: AtLeast, tools: Tools) -> Reading:
    """One rating for each answer, in 0..1: the share of the question's aspects that it covers."""
    ratings, skipped, unjudged = [], {}, {}
    for case in outcome.cases:
        name, talk, wanted = case.prompt.id, said(case, tools), aspects(case.prompt.question)
        why = why_unread(question=case.prompt.question, answer=case.answer.text)
        if not wanted:
            skipped[name] = "the question asks for nothing"
        elif why:
            unjudged[name] = why
        elif why := rightly_declined(case, talk, given(case.contexts), tools):
            skipped[name] = why
        elif talk.nothing:
            ratings.append(Rating(name, 0.0, talk.nothing, 1.0, {"aspects": float(len(wanted))}, case.answer.id))
        else:
            ratings.append(_rating(case, _covers(wanted, case, talk, tools)))
    return Reading(tuple(ratings), skipped, unjudged)


def _rating(case: Case, covers: Sequence[Cover]) -> Rating:
    weights = [CONDITION if cover.aspect.condition else 1.0 for cover in covers]
    value = sum(w * cover.value for w, cover in zip(weights, covers, strict=True)) / sum(weights)
    lacking = [f"{quoted(cover.aspect.name)} ({cover.missing})" for cover in covers if cover.missing]
    full = sum(cover.value == 1 for cover in covers)
    what = "aspect" if len(covers) == 1 else "aspects"
    why = f"covers {full} of {len(covers)} {what} of the question"
    if lacking:
        why += f"; not: {', '.join(lacking)}"
    return Rating(case.prompt.id, value, shortened(why), 1.0, {"aspects": float(len(covers))}, case.answer.id)


def _covers(wanted: Sequence[Aspect], case: Case, talk: Said, tools: Tools) -> list[Cover]:
    claims = _statements(case, talk)
    plain = [aspect for aspect in wanted if not aspect.condition]
    if talk.bare:
        return [_short(aspect, talk.bare, len(plain) == 1, tools) for aspect in wanted]
    rows = _spoken(plain, claims, tools)
    found = {aspect: _cover(aspect, claims, row) for aspect, row in zip(plain, _own(plain, claims, rows), strict=True)}
    return [found.get(aspect) or _met(aspect, talk.claims) for aspect in wanted]


def _statements(case: Case, talk: Said) -> tuple[str, ...]:
    """The statements; the first one is a reason where the answer says so, though its claim stands without that word,
    and it points where the answer does, though its claim has the subject from the question."""
    first, *others = talk.spread
    text = case.answer.text.lstrip()
    if _BECAUSE.match(text) and not _BECAUSE.match(first):
        return (f"Because {first[:1].lower()}{first[1:]}", *others)
    points = _POINTS.match(text)
    if points and not _POINTS.match(first):
        end = sentences(text)[0][1]
        return (text[:end], *others)
    return talk.spread


def _own(plain: Sequence[Aspect], claims: Sequence[str], rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """The rows without what a statement says of another aspect. A time or an amount counts for an aspect without words
    of its own as well: `Refunds take 5 days` is nearer to `how do I get a refund` than to `how long does it take`."""
    columns = list(zip(*rows, strict=True))
    kinds = [plain[column.index(max(column))].kind for column in columns]

    def own(aspect: Aspect, value: float, place: int) -> bool:
        free = not aspect.keys and kinds[place] != aspect.kind and exact(aspect.kind, claims[place])
        return free or value >= max(columns[place]) - MARGIN

    return [
        [value if own(aspect, value, place) else 0.0 for place, value in enumerate(row)]
        for aspect, row in zip(plain, rows, strict=True)
    ]


def _spoken(plain: Sequence[Aspect], claims: Sequence[str], tools: Tools) -> list[list[float]]:
    """How much each statement speaks of each aspect: their likeness, and the share of the aspect's words in it."""
    rows = cosines(tools, [aspect.text for aspect in plain], claims)
    return [
        [cosine + ASKED * _share(aspect, claim) for cosine, claim in zip(row, claims, strict=True)]
        for aspect, row in zip(plain, rows, strict=True)
    ]


def _cover(aspect: Aspect, claims: Sequence[str], row: Sequence[float]) -> Cover:
    """By the statement that speaks most of the aspect; an amount or a time has to be there where one is asked for."""
    pointing = len(list(takewhile(_POINTS.match, claims)))
    about = [
        claim
        for place, (claim, near) in enumerate(zip(claims, row, strict=True))
        if near >= (POINTING if place < pointing else NEAR) or _share(aspect, claim) >= KEYS
    ]
    if any(_gives(aspect, claim) for claim in about):
        return Cover(aspect, 1.0)
    if about:
        return Cover(aspect, 0.5 if aspect.kind == "reason" else 0.0, f"gives no {WANTED[aspect.kind].split()[1]}")
    near_by = [(claim, value) for claim, value in zip(claims, row, strict=True) if _gives(aspect, claim)]
    if any(value >= LIKELY and exact(aspect.kind, claim) for claim, value in near_by):
        return Cover(aspect, 1.0)  # `It is Rs 800` has little of the question's words
    maybe = any(value >= MAYBE for _, value in near_by)
    return Cover(aspect, 0.5, "only in part") if maybe else Cover(aspect, 0.0, "not spoken of")


def _gives(aspect: Aspect, claim: str) -> bool:
    """Whether a statement gives what such an aspect wants; an amount has to be of the kind that it names."""
    amount = aspect.kind == "amount" and exact("amount", claim)
    return gives(aspect.kind, claim) and (not amount or fits(aspect.text, claim))


def _short(aspect: Aspect, bare: str, alone: bool, tools: Tools) -> Cover:
    """A few words: by their form where the kind has one, else by what they have to do with the question."""
    if aspect.condition or answers_shortly(aspect.kind, bare):
        return Cover(aspect, 1.0)
    if aspect.kind in WANTED and aspect.kind != "reason":
        return Cover(aspect, 0.0, f"gives no {WANTED[aspect.kind].split()[1]}")
    near = cosines(tools, [aspect.text], [bare])[0][0]
    if (alone and near >= LIKELY) or near >= LIKE or _share(aspect, bare) >= KEYS:
        return Cover(aspect, 1.0)
    return Cover(aspect, 0.5, "only in part") if alone else Cover(aspect, 0.0, "not spoken of")


def _met(aspect: Aspect, claims: Sequence[str]) -> Cover:
    """A condition is met where one of its words comes back."""
    if any(_share(aspect, claim) > 0 for claim in claims):
        return Cover(aspect, 1.0)
    return Cover(aspect, 0.0, "does not come back to it")


def _share(aspect: Aspect, text: str) -> float:
    """The share of the aspect's own words that stand in the text."""
    there = {stem(word) for word in words(text)}
    return len(aspect.keys & there) / len(aspect.keys) if aspect.keys else 0.0
