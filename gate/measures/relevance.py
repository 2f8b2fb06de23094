"""Relevance: how much an answer has to do with its question and its contexts, and the contexts with the question; and
completeness: the share of what a question asks for that its answer covers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean

from gate.config import AtLeast, Relevance
from gate.conversation import sought
from gate.measures.abstention import rate_abstention
from gate.measures.base import Answered, Case, Reading, Stated, Tools
from gate.measures.texts import (
    Claimed,
    Contexts,
    chances,
    claims_of,
    cut_contexts,
    parts,
    quoted,
    shortened,
    why_unread,
)
from gate.records import Rating
from gate.store.passages import Cut, key_terms
from gate.text import sentences, stems

FEW = 8  # words of it
# A question and the likest passage or sentence of a context; that all its words stand in the context adds ASKED. By the
# same pairs, and by 65 questions about the guides in training/stack with their chunks and others.
ASKED = 0.1
NEAREST = 2  # passages of the contexts that an answer is compared with, and of a context that a question is
UNRELATED = 0.35  # contexts below that do not speak of the question
LOW = 0.5  # a statement below that is named
FOREIGN = "the contexts are not in English, which is all that the local tools read, or too long"
IN_PART = "some of its contexts are not in English, which is all that the local tools read, or too long"
NO_EVIDENCE = "it declines to answer, and nothing that it was given speaks of the question"
_START = 2000  # characters of a question that are embedded and searched with
# How much a statement speaks of a part of the question, its cosine and ASKED for all the part's words, from which the
# one is about the other, or may be. By 65 questions about the guides in training/stack.
NEAR, MAYBE = 0.72, 0.66
BRIEFLY = 0.18  # so much less of an answer of a few words: it has no room for those of the question
MARGIN = 0.02  # a statement speaks of the part that it is nearest to, and of those that are as near


@dataclass(frozen=True, slots=True)
class Ramp:
    """Cosines up to `low` are 0, from `high` on 1, and between them in proportion."""

    low: float
    high: float

    def __call__(self, cosine: float) -> float:
        """In 0..1."""
        return min(1.0, max(0.0, (cosine - self.low) / (self.high - self.low)))


# For bge-small-en-v1.5-q, from 40 written questions with a statement and a passage that answer each, with and without
# the name of their subject: `low` is the upper quartile of unrelated texts, `high` about the median of those that
# belong together (benchmarks/likeness.py).
STATEMENT = Ramp(0.49, 0.74)  # a question and a statement
STATED = Ramp(0.52, 0.81)  # a statement and a passage
SENTENCE = Ramp(0.54, 0.81)  # two statements
# A question and an answer of a few words, which has no room for those of the question.
BRIEF = Ramp(0.46, 0.58)
CONTEXT = Ramp(0.55, 0.83)


def cosines(tools: Tools, left: Sequence[str], right: Sequence[str]) -> list[list[float]]:
    """The cosine of every text of `left` with every one of `right`."""
    if not left or not right:
        return [[] for _ in left]
    tools.embed([*left, *right])  # at once: several threads share the work
    found: list[list[float]] = (tools.embed(left) @ tools.embed(right).T).tolist()
    return found


def spelled(claim: Stated) -> str:
    """The words that a claim is compared by: those of FEW words that lean on what stands before them, with that."""
    lead = claim.context.split("\n")[1:]
    return f"{lead[-1]} {claim.text}" if lead and brief(claim.text) else claim.text


def brief(text: str) -> bool:
    """Whether a text has FEW words at most."""
    return len(text.split()) <= FEW


def rate_relevance(run: Answered, options: Relevance, tools: Tools) -> Reading:
    """One rating for each answer, in 0..1: the weighted mean of its likeness to the question and to its contexts; by
    the question alone where there are no contexts. An answer that says nothing has nothing to do with either."""
    ratings, skipped, unjudged = [], {}, {}
    for case in run.cases:
        name, said, contexts = case.prompt.id, claims_of(case, tools), cut_contexts(case.contexts)
        why = why_unread(question=case.prompt.question, answer=case.answer.text)
        if why or (contexts.unread and not contexts.cuts and options.context_weight):
            unjudged[name] = why or FOREIGN
        elif why := rightly_declined(case, said, contexts, tools):
            skipped[name] = why
        elif said.nothing:
            ratings.append(Rating(name, 0.0, said.nothing, 1.0, {}, case.answer.id))
        elif not contexts.cuts and not options.question_weight:
            skipped[name] = "it was given no context, and the question has no weight"
        else:
            ratings.append(_relevance(case, said, contexts, options, tools))
    return Reading(tuple(ratings), skipped, unjudged)


def rate_contexts(run: Answered, options: AtLeast, tools: Tools) -> Reading:
    """One rating for each answer that was given contexts, in 0..1: the mean of their likeness to the question, each by
    its best passage. `best` is that of the best one, `relevant` the share of those that speak of the question."""
    ratings, skipped, unjudged = [], {}, {}
    for case in run.cases:
        contexts = cut_contexts(case.contexts)
        why = why_unread(question=case.prompt.question)
        if not contexts.cuts and not contexts.unread:
            skipped[case.prompt.id] = "no context was given to the assistant"
        elif why or not contexts.cuts:
            unjudged[case.prompt.id] = why or FOREIGN
        else:
            ratings.append(_context_relevance(case, contexts, tools))
            unjudged |= {case.prompt.id: IN_PART} if contexts.unread else {}
    return Reading(tuple(ratings), skipped, unjudged)


def rightly_declined(case: Case, said: Claimed, contexts: Contexts, tools: Tools) -> str:
    """Why an answer that declines is no fault: contexts were given and none of them speaks of the question, or the
    measure of abstention finds it right; empty where it is one, or where the answer does not decline."""
    if not said.declines:
        return ""
    if contexts.cuts and max(_to_question(case, contexts, tools)) < UNRELATED:
        return NO_EVIDENCE
    right = rate_abstention(Answered((case,)), None, tools).ratings  # of this answer alone: the others cost time
    return next((rating.why for rating in right if rating.value == 1), "")


def _to_question(case: Case, contexts: Contexts, tools: Tools) -> list[float]:
    """The likeness of each context to the question, by the likest of its passages and their sentences, and by how many
    of the question's words it has."""
    question = sought(case.prompt)[:_START]
    asked = frozenset(key_terms(question))
    pieces = [_pieces(question, one) for one in contexts.cuts]
    tools.embed([question, *chain.from_iterable(pieces)])  # at once: several threads share the work
    like = [max(cosines(tools, [question], some)[0]) for some in pieces]
    shares = [len(asked & one.where.keys()) / len(asked) if asked else 0.0 for one in contexts.cuts]
    return [CONTEXT(cosine + ASKED * share) for cosine, share in zip(like, shares, strict=True)]


def _pieces(question: str, one: Cut) -> list[str]:
    """The passages of a context that speak most of the question, and each of their sentences."""
    passages = [found.text for found in Contexts((one,)).passages(question, NEAREST)]
    lines = [text[start:end] for text in passages for start, end in sentences(text)]
    return [*passages, *lines] or [one.chunk.text]


def _context_relevance(case: Case, contexts: Contexts, tools: Tools) -> Rating:
    found = _to_question(case, contexts, tools)
    speaking = sum(one >= LOW for one in found)
    why = f"{speaking} of {len(found)} contexts speak of the question"
    if speaking < len(found):
        worst = contexts.cuts[min(range(len(found)), key=found.__getitem__)].chunk.text
        why += f"; least does {quoted(worst)}"
    if contexts.unread:
        why += f"; {contexts.unread} not read to the end: in another language or too long"
    shares = {"best": max(found), "relevant": speaking / len(found)}
    return Rating(case.prompt.id, fmean(found), shortened(why), 1.0, shares, case.answer.id)


def _relevance(case: Case, said: Claimed, contexts: Contexts, options: Relevance, tools: Tools) -> Rating:
    claims = said.spread
    texts = [spelled(claim) for claim in claims]
    question = _to_the_question(case, claims, texts, tools)
    likeness = {"question": (max(question) + fmean(question)) / 2}
    there: list[float] = []
    if contexts.cuts:
        there = _to_the_contexts(texts, contexts, tools)
        likeness["contexts"] = fmean(there)
    weights = {"question": options.question_weight, "contexts": options.context_weight}
    total = sum(weights[name] for name in likeness)
    value = sum(weights[name] * one for name, one in likeness.items()) / total if total else 0.0
    why = _why(likeness, texts, [fmean(pair) for pair in zip(question, there or question, strict=True)])
    return Rating(case.prompt.id, value, why, 1.0, likeness, case.answer.id)


def _to_the_question(case: Case, claims: Sequence[Stated], texts: Sequence[str], tools: Tools) -> list[float]:
    """The likeness of each statement to the question or to one of its parts. An answer of a few words has hardly any
    words to compare: it answers where the contexts bear it out, read as an answer to the question."""
    asked = case.prompt.question[:_START]
    rows = cosines(tools, texts, [asked, *parts(asked)])
    if len(claims) > 1 or not brief(case.answer.text):
        return [STATEMENT(max(row)) for row in rows]
    if chances(claims, case.contexts, tools):
        return [1.0]
    return [max(STATEMENT(max(row)), BRIEF(max(row))) for row in rows]


def _to_the_contexts(claims: Sequence[str], contexts: Contexts, tools: Tools) -> list[float]:
    """The likeness of each statement to the passage that is nearest to it; what stands there as it is, is 1."""
    passages = [passage.text for passage in contexts.passages(" ".join(claims), NEAREST)]
    passages = passages or [cut.chunk.text for cut in contexts.cuts[:NEAREST]]
    lines = [contexts.sentence(claim) for claim in claims]
    tools.embed([*claims, *passages, *lines])  # at once: several threads share the work
    rows = cosines(tools, claims, passages)
    near = [cosines(tools, [claim], [line])[0][0] if line else 0.0 for claim, line in zip(claims, lines, strict=True)]
    return [
        1.0 if contexts.states(claim) else max(STATED(max(row)), SENTENCE(line))
        for claim, row, line in zip(claims, rows, near, strict=True)
    ]


def _why(likeness: Mapping[str, float], claims: Sequence[str], by_claim: Sequence[float]) -> str:
    told = ", ".join(f"likeness to the {name} {value:.2f}" for name, value in likeness.items())
    if "contexts" not in likeness:
        told += " (no contexts: the question alone counts)"
    worst = min(range(len(claims)), key=lambda place: by_claim[place])
    if by_claim[worst] < LOW:
        told += f"; least to do with them: {quoted(claims[worst])}"
    return shortened(told)


def rate_completeness(run: Answered, options: AtLeast, tools: Tools) -> Reading:
    """One rating for each answer, in 0..1: the share of the parts of the question that it covers."""
    ratings, skipped, unjudged = [], {}, {}
    for case in run.cases:
        name, said, wanted = case.prompt.id, claims_of(case, tools), parts(case.prompt.question)
        why = why_unread(question=case.prompt.question, answer=case.answer.text)
        if not wanted:
            skipped[name] = "the question asks for nothing"
        elif why:
            unjudged[name] = why
        elif why := rightly_declined(case, said, cut_contexts(case.contexts), tools):
            skipped[name] = why
        elif said.nothing:
            ratings.append(Rating(name, 0.0, said.nothing, 1.0, {"aspects": float(len(wanted))}, case.answer.id))
        else:
            ratings.append(_completeness(case, wanted, _nearness(wanted, case, said, tools)))
    return Reading(tuple(ratings), skipped, unjudged)


def _completeness(case: Case, wanted: Sequence[str], near: Sequence[float]) -> Rating:
    """Each part counts whole where a statement is near to it, and half where one may be."""
    covered = [1.0 if one >= NEAR else 0.5 if one >= MAYBE else 0.0 for one in near]
    full = covered.count(1.0)
    why = f"covers {full} of {len(wanted)} aspect{'s' * (len(wanted) != 1)} of the question"
    if full < len(wanted):
        missing = {0.5: "only in part", 0.0: "not spoken of"}
        lacking = [f"{quoted(part)} ({missing[one]})" for part, one in zip(wanted, covered, strict=True) if one < 1]
        why += f"; not: {', '.join(lacking)}"
    aspects = {"aspects": float(len(wanted))}
    return Rating(case.prompt.id, fmean(covered), shortened(why), 1.0, aspects, case.answer.id)


def _nearness(wanted: Sequence[str], case: Case, said: Claimed, tools: Tools) -> list[float]:
    """How much the statements that are nearest to a part of the question speak of it, for each part."""
    texts = [spelled(claim) for claim in said.spread]
    room = BRIEFLY if len(texts) == 1 and brief(case.answer.text) else 0.0
    keys = [stems(part) for part in wanted]
    rows = []
    for place, row in enumerate(cosines(tools, wanted, texts)):
        own = keys[place].difference(*keys[:place], *keys[place + 1 :])  # that no other part has
        shares = [len(own & stems(text)) / len(own) if own else 0.0 for text in texts]
        rows.append([cosine + ASKED * share + room for cosine, share in zip(row, shares, strict=True)])
    nearest = [max(column) for column in zip(*rows, strict=True)]
    near = [[value for value, most in zip(row, nearest, strict=True) if value >= most - MARGIN] for row in rows]
    return [max(values, default=0.0) for values in near]
