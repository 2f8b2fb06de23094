"""Completeness: the share of what a question asks for that its answer covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.config import AtLeast
from gate.measures.base import Case, Outcome, Rating, Reading, Tools
from gate.measures.contexts import cut_contexts
from gate.measures.relevance import ASKED, brief, cosines, rightly_declined, spelled
from gate.measures.texts import Content, content_of, parts, quoted, shortened, why_unread
from gate.text import stem, words

# How much a statement speaks of a part of the question, its cosine and ASKED for all the part's words, from which the
# one is about the other, or may be. By 65 questions about the guides in training/stack.
NEAR, MAYBE = 0.72, 0.66
FEW = 0.18  # so much less of an answer of a few words: it has no room for those of the question
MARGIN = 0.02  # a statement speaks of the part that it is nearest to, and of those that are as near


@dataclass(frozen=True, slots=True)
class Cover:
    """How far a part of a question is covered (0, 0.5 or 1) and what is missing (empty where nothing is)."""

    part: str
    value: float
    missing: str = ""


def rate_completeness(outcome: Outcome, options: AtLeast, tools: Tools) -> Reading:
    """One rating for each answer, in 0..1: the share of the parts of the question that it covers."""
    ratings, skipped, unjudged = [], {}, {}
    for case in outcome.cases:
        name, content, wanted = case.prompt.id, content_of(case, tools), parts(case.prompt.question)
        why = why_unread(question=case.prompt.question, answer=case.answer.text)
        if not wanted:
            skipped[name] = "the question asks for nothing"
        elif why:
            unjudged[name] = why
        elif why := rightly_declined(case, content, cut_contexts(case.contexts), tools):
            skipped[name] = why
        elif content.nothing:
            ratings.append(Rating(name, 0.0, content.nothing, 1.0, {"aspects": float(len(wanted))}, case.answer.id))
        else:
            ratings.append(_rating(case, _covers(wanted, case, content, tools)))
    return Reading(tuple(ratings), skipped, unjudged)


def _rating(case: Case, covers: Sequence[Cover]) -> Rating:
    lacking = [f"{quoted(cover.part)} ({cover.missing})" for cover in covers if cover.missing]
    full = sum(cover.value == 1 for cover in covers)
    what = "aspect" if len(covers) == 1 else "aspects"
    why = f"covers {full} of {len(covers)} {what} of the question"
    if lacking:
        why += f"; not: {', '.join(lacking)}"
    value = sum(cover.value for cover in covers) / len(covers)
    return Rating(case.prompt.id, value, shortened(why), 1.0, {"aspects": float(len(covers))}, case.answer.id)


def _covers(wanted: Sequence[str], case: Case, content: Content, tools: Tools) -> list[Cover]:
    texts = [spelled(claim) for claim in content.spread]
    room = FEW if len(texts) == 1 and brief(case.answer.text) else 0.0
    rows = [
        [cosine + ASKED * _share(keys, text) + room for text, cosine in zip(texts, row, strict=True)]
        for keys, row in zip(_keys(wanted), cosines(tools, wanted, texts), strict=True)
    ]
    nearest = [max(column) for column in zip(*rows, strict=True)]
    own = [[value for value, most in zip(row, nearest, strict=True) if value >= most - MARGIN] for row in rows]
    return [_cover(part, max(values, default=0.0)) for part, values in zip(wanted, own, strict=True)]


def _share(keys: frozenset[str], text: str) -> float:
    """The share of a part's own words that stand in a statement."""
    return len(keys & _stems(text)) / len(keys) if keys else 0.0


def _cover(part: str, value: float) -> Cover:
    if value >= NEAR:
        return Cover(part, 1.0)
    return Cover(part, 0.5, "only in part") if value >= MAYBE else Cover(part, 0.0, "not spoken of")


def _keys(wanted: Sequence[str]) -> list[frozenset[str]]:
    """Of each part the stems that no other one has."""
    stems = [_stems(part) for part in wanted]
    return [
        own - frozenset[str]().union(*(other for at, other in enumerate(stems) if at != place))
        for place, own in enumerate(stems)
    ]


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text))
