"""Agent 5: every claim gets exactly one verdict from the judge, and none keeps a quote that is not in its evidence."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from gate.errors import GateError, LimitError, SetupError
from gate.judges.base import Judge
from gate.judges.quotes import line_at
from gate.records import Claim, Evidence, Item, Label, Quote, Verdict
from gate.state import State, attempt

AGENT = "verify_claims"


def verify_claims(state: State) -> None:
    """Reads `claims`, `evidence`, `prompts`, `responses`; writes `verdicts`: one a claim, in the order of the claims.

    What the judge leaves out, gives twice, or says without showing it is `unjudged` with its reason. If a limit
    ends the run, every claim is unjudged.
    """
    questions = {prompt.id: prompt.question for prompt in state.get("prompts", [])}
    answers = {answer.id: answer.text for answer in state.get("responses", [])}
    items = [
        Item(c, state["evidence"].get(c.id, ()), questions.get(c.prompt_id, ""), answers.get(c.answer_id, ""))
        for c in state["claims"]
    ]
    state["verdicts"] = [_unjudged(item.claim, "the run ended before this claim was judged") for item in items]
    if items:
        state["verdicts"] = _judged(state, items)


def _judged(state: State, items: Sequence[Item]) -> list[Verdict]:
    """All items in one batch; where the judge fails on it, answer by answer, so that a fault costs one answer."""
    judge = state["tools"].judge
    try:
        return _matched(items, judge.judge(items))
    except (SetupError, LimitError):
        raise
    except GateError:
        groups = [list(group) for _, group in groupby(items, key=lambda item: item.claim.answer_id)]
        return [verdict for group in groups for verdict in _one_answer(state, judge, group)]


def _one_answer(state: State, judge: Judge, items: Sequence[Item]) -> list[Verdict]:
    found = attempt(state, AGENT, items[0].claim.prompt_id, lambda: _matched(items, judge.judge(items)))
    return found or [_unjudged(item.claim, "the judge failed on this answer") for item in items]


def _matched(items: Sequence[Item], verdicts: Sequence[Verdict]) -> list[Verdict]:
    """One verdict for every item, found by the id of its claim; checked against its evidence."""
    times = Counter(verdict.claim.id for verdict in verdicts)
    by_id = {verdict.claim.id: verdict for verdict in verdicts}
    matched = []
    for item in items:
        count = times[item.claim.id]
        if count == 1:
            matched.append(checked(item, by_id[item.claim.id]))
        else:
            why = "the judge gave no verdict" if count == 0 else f"the judge gave {count} verdicts"
            matched.append(_unjudged(item.claim, why))
    return matched


def checked(item: Item, verdict: Verdict) -> Verdict:
    """The verdict with what it may claim: quotes that stand in the evidence, `supported` only if one is left."""
    kept = tuple(found for quote in verdict.evidence if (found := _verbatim(quote, item.evidence)))
    dropped = len(verdict.evidence) - len(kept)
    if verdict.label is Label.SUPPORTED and not kept:
        return _unjudged(item.claim, "the judge called it supported but showed no words of the documents")
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


def _unjudged(claim: Claim, reason: str) -> Verdict:
    return Verdict(claim, Label.UNJUDGED, f"Not judged: {reason}.", reason=reason)
