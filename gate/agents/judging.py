"""What the judge is given for a claim, and what of its verdicts counts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from gate.judges.base import line_at, unjudged
from gate.records import Claim, Evidence, Item, Label, Quote, Verdict
from gate.state import State

T = TypeVar("T")
ENDED = "the run ended before this claim was judged"


class Items:
    """Makes the items of claims; where their evidence is still sought, it waits."""

    def __init__(self, state: State) -> None:
        self._state, self._ahead = state, state.get("ahead")
        self._questions = {prompt.id: prompt.question for prompt in state.get("prompts", [])}
        self._answers = {answer.id: answer.text for answer in state.get("responses", [])}

    def of(self, claims: Sequence[Claim]) -> list[Item]:
        """One item for each claim, in order. Errors: LimitError, and those of the search."""
        if self._ahead is not None:
            self._ahead.wait(claims, self._state["tools"].budget.check)
        return [self._item(claim) for claim in claims]

    def _item(self, claim: Claim) -> Item:
        question, answer = self._questions.get(claim.prompt_id, ""), self._answers.get(claim.answer_id, "")
        return Item(claim, self._state["evidence"][claim.id], question, answer)


def of_answers(claims: Sequence[Claim]) -> list[list[Claim]]:
    """The claims of each answer, in order."""
    return _grouped(claims, lambda claim: claim.answer_id)


def by_answer(items: Sequence[Item]) -> list[list[Item]]:
    """The items of each answer, in order."""
    return _grouped(items, lambda item: item.claim.answer_id)


def _grouped(things: Sequence[T], answer: Callable[[T], str]) -> list[list[T]]:
    groups: dict[str, list[T]] = {}
    for thing in things:
        groups.setdefault(answer(thing), []).append(thing)
    return list(groups.values())


def matched(items: Sequence[Item], verdicts: Sequence[Verdict]) -> list[Verdict]:
    """One verdict for every item, found by the id of its claim; checked against the evidence of its answer: a judge
    that sees the claims of an answer together may cite what was found for another of them."""
    times = Counter(verdict.claim.id for verdict in verdicts)
    by_id = {verdict.claim.id: verdict for verdict in verdicts}
    evidence = {group[0].claim.answer_id: [e for item in group for e in item.evidence] for group in by_answer(items)}
    matched = []
    for item in items:
        count = times[item.claim.id]
        if count == 1:
            matched.append(checked(item, by_id[item.claim.id], evidence[item.claim.answer_id]))
        else:
            why = "the judge gave no verdict" if count == 0 else f"the judge gave {count} verdicts"
            matched.append(unjudged(item.claim, why))
    return matched


def checked(item: Item, verdict: Verdict, evidence: Sequence[Evidence]) -> Verdict:
    """The verdict with what it may claim: quotes that stand in the evidence, `supported` only if one is left."""
    kept = tuple(found for quote in verdict.evidence if (found := _verbatim(quote, evidence)))
    dropped = len(verdict.evidence) - len(kept)
    if verdict.label is Label.SUPPORTED and not kept:
        return unjudged(item.claim, "the judge called it supported but showed no words of the documents")
    note = f" ({dropped} quote{'s' if dropped > 1 else ''} not verbatim, left out)" if dropped else ""
    reason = verdict.reason or "the judge gave no reason" if verdict.label is Label.UNJUDGED else ""
    return replace(
        verdict,
        claim=item.claim,
        justification=verdict.justification + note,
        contradicted=verdict.contradicted and verdict.label is Label.UNSUPPORTED,
        confidence=min(1.0, max(0.0, verdict.confidence)) if math.isfinite(verdict.confidence) else 0.0,
        evidence=kept,
        reason=reason,
    )


def _verbatim(quote: Quote, evidence: Sequence[Evidence]) -> Quote | None:
    """The quote with the line that it truly stands on; None if no passage of its source holds it."""
    if not quote.quote.strip():
        return None
    places = [
        line_at(passage, at)
        for passage in evidence
        if passage.source == quote.source and (at := passage.text.find(quote.quote)) >= 0
    ]
    if not places:
        return None
    return quote if quote.line in places else replace(quote, line=places[0])


def ended(claim: Claim) -> Verdict:
    """The verdict on a claim that a run has not come to."""
    return unjudged(claim, ENDED)
