"""Relevance: how much an answer has to do with its question and its contexts, and the contexts with the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from statistics import fmean

from gate.config_measures import AtLeast, Relevance
from gate.measures import abstention
from gate.measures.aspects import Aspect, aspects
from gate.measures.base import Case, Outcome, Rating, Reading, Tools
from gate.measures.given import Given, given
from gate.measures.language import why_unread
from gate.measures.likeness import ASKED, CONTEXT, SENTENCE, STATED, STATEMENT, cosines
from gate.measures.spoken import Said, said
from gate.measures.told import quoted, shortened
from gate.store.passages import Cut, key_terms
from gate.text import sentences
from gate.text_kinds import answers_shortly, exact

PASSAGES = 2  # of the contexts that an answer is compared with, and of a context that a question is
UNRELATED = 0.35  # contexts below that do not speak of the question
LOW = 0.5  # a statement below that is named
FOREIGN = "the contexts are not in English, which is all that the local tools read, or too long"
IN_PART = "some of its contexts are not in English, which is all that the local tools read, or too long"
NO_EVIDENCE = "it declines to answer, and nothing that it was given speaks of the question"
_START = 2000  # characters of a question that are embedded and searched with


def read(outcome: Outcome, options: Relevance, tools: Tools) -> Reading:
    """One rating for each answer, in 0..1: the weighted mean of its likeness to the question and to its contexts; by
    the question alone where there are no contexts. An answer that says nothing has nothing to do with either."""
    ratings, skipped, unjudged = [], {}, {}
    for case in outcome.cases:
        name, talk, contexts = case.prompt.id, said(case, tools), given(case.contexts)
        why = why_unread(question=case.prompt.question, answer=case.answer.text)
        if why or (contexts.unread and not contexts.cuts and options.context_weight):
            unjudged[name] = why or FOREIGN
        elif why := rightly_declined(case, talk, contexts, tools):
            skipped[name] = why
        elif talk.nothing:
            ratings.append(Rating(name, 0.0, talk.nothing, 1.0, {}, case.answer.id))
        elif not contexts.cuts and not options.question_weight:
            skipped[name] = "it was given no context, and the question has no weight"
        else:
            ratings.append(_rating(case, talk, contexts, options, tools))
    return Reading(tuple(ratings), skipped, unjudged)


def contexts_read(outcome: Outcome, options: AtLeast, tools: Tools) -> Reading:
    """One rating for each answer that was given contexts, in 0..1: the mean of their likeness to the question, each by
    its best passage. `best` is that of the best one, `relevant` the share of those that speak of the question."""
    ratings, skipped, unjudged = [], {}, {}
    for case in outcome.cases:
        contexts = given(case.contexts)
        why = why_unread(question=case.prompt.question)
        if not contexts.cuts and not contexts.unread:
            skipped[case.prompt.id] = "no context was given to the assistant"
        elif why or not contexts.cuts:
            unjudged[case.prompt.id] = why or FOREIGN
        else:
            ratings.append(_contexts(case, contexts, tools))
            unjudged |= {case.prompt.id: IN_PART} if contexts.unread else {}
    return Reading(tuple(ratings), skipped, unjudged)


def rightly_declined(case: Case, talk: Said, contexts: Given, tools: Tools) -> str:
    """Why an answer that declines is no fault: contexts were given and none of them speaks of the question, or the
    measure of abstention finds it right; empty where it is one, or where the answer does not decline."""
    if not talk.declines:
        return ""
    if contexts.cuts and max(_to_question(case, contexts, tools)) < UNRELATED:
        return NO_EVIDENCE
    right = abstention.read(Outcome((case,)), None, tools).ratings  # of this answer alone: the others cost time
    return next((rating.why for rating in right if rating.value == 1), "")


def _to_question(case: Case, contexts: Given, tools: Tools) -> list[float]:
    """The likeness of each context to the question, by the likest of its passages and their sentences, and by how many
    of the question's words it has."""
    question = case.prompt.question[:_START]
    asked = frozenset(key_terms(question))
    pieces = [_pieces(question, one) for one in contexts.cuts]
    tools.embed([question, *chain.from_iterable(pieces)])  # at once: several threads share the work
    like = [max(cosines(tools, [question], some)[0]) for some in pieces]
    shares = [len(asked & one.where.keys()) / len(asked) if asked else 0.0 for one in contexts.cuts]
    return [CONTEXT(cosine + ASKED * share) for cosine, share in zip(like, shares, strict=True)]


def _pieces(question: str, one: Cut) -> list[str]:
    """The passages of a context that speak most of the question, and each of their sentences."""
    passages = [found.text for found in Given((one,)).passages(question, PASSAGES)]
    lines = [text[start:end] for text in passages for start, end in sentences(text)]
    return [*passages, *lines] or [one.chunk.text]


def _contexts(case: Case, contexts: Given, tools: Tools) -> Rating:
    found = _to_question(case, contexts, tools)
    speaking = sum(one >= LOW for one in found)
    why = f"{speaking} of {len(found)} contexts speak of the question"
    if speaking < len(found):
        worst = contexts.cuts[min(range(len(found)), key=found.__getitem__)].chunk.text
        why += f"; least does {quoted(worst)}"
    if contexts.unread:
        why += f"; {contexts.unread} not read to the end: in another language or too long"
    parts = {"best": max(found), "relevant": speaking / len(found)}
    return Rating(case.prompt.id, fmean(found), shortened(why), 1.0, parts, case.answer.id)


def _rating(case: Case, talk: Said, contexts: Given, options: Relevance, tools: Tools) -> Rating:
    claims = talk.spread
    question = _to_the_question(case, talk, claims, tools)
    parts = {"question": (max(question) + fmean(question)) / 2}
    there: list[float] = []
    if contexts.cuts:
        there = _to_the_contexts(claims, contexts, tools)
        parts["contexts"] = fmean(there)
    value = _weighed(parts, {"question": options.question_weight, "contexts": options.context_weight})
    why = _why(parts, claims, [fmean(pair) for pair in zip(question, there or question, strict=True)])
    return Rating(case.prompt.id, value, why, 1.0, parts, case.answer.id)


def _to_the_question(case: Case, talk: Said, claims: Sequence[str], tools: Tools) -> list[float]:
    """The likeness of each statement to the question or to one of its aspects. Of a short answer the form counts as
    well as the words, and an amount or a time where one is asked for makes half of what is missing good."""
    asked = case.prompt.question[:_START]
    wanted = [aspect for aspect in aspects(asked) if not aspect.condition]
    if talk.bare and any(answers_shortly(aspect.kind, talk.bare) for aspect in wanted):
        return [1.0]
    texts = [talk.bare] if talk.bare else list(claims)
    rows = cosines(tools, texts, [asked, *(aspect.text for aspect in wanted)])
    return [_fit(STATEMENT(max(row)), text, wanted) for text, row in zip(texts, rows, strict=True)]


def _fit(likeness: float, text: str, wanted: Sequence[Aspect]) -> float:
    given_ = likeness > 0 and any(exact(aspect.kind, text) for aspect in wanted)
    return (likeness + 1) / 2 if given_ else likeness


def _to_the_contexts(claims: Sequence[str], contexts: Given, tools: Tools) -> list[float]:
    """The likeness of each statement to the passage that is nearest to it; what stands there as it is, is 1."""
    passages = [passage.text for passage in contexts.passages(" ".join(claims), PASSAGES)]
    passages = passages or [cut.chunk.text for cut in contexts.cuts[:PASSAGES]]
    lines = [contexts.sentence(claim) for claim in claims]
    tools.embed([*claims, *passages, *lines])  # at once: several threads share the work
    rows = cosines(tools, claims, passages)
    near = [cosines(tools, [claim], [line])[0][0] if line else 0.0 for claim, line in zip(claims, lines, strict=True)]
    return [
        1.0 if contexts.states(claim) else max(STATED(max(row)), SENTENCE(line))
        for claim, row, line in zip(claims, rows, near, strict=True)
    ]


def _weighed(parts: Mapping[str, float], weights: Mapping[str, float]) -> float:
    total = sum(weights[name] for name in parts)
    return sum(weights[name] * value for name, value in parts.items()) / total if total else 0.0


def _why(parts: Mapping[str, float], claims: Sequence[str], by_claim: Sequence[float]) -> str:
    told = ", ".join(f"likeness to the {name} {value:.2f}" for name, value in parts.items())
    if "contexts" not in parts:
        told += " (no contexts: the question alone counts)"
    worst = min(range(len(claims)), key=lambda place: by_claim[place])
    if by_claim[worst] < LOW:
        told += f"; least to do with them: {quoted(claims[worst])}"
    return shortened(told)
