"""Agent 5: every claim gets exactly one verdict from the judge, and none keeps a quote that is not in its evidence."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from gate.agents.items import Items, by_answer, of_answers
from gate.agents.retrieve_evidence import lost
from gate.errors import GateError, LimitError, SetupError
from gate.judges.base import Judge, Looking
from gate.judges.lines import line_at
from gate.records import Claim, Evidence, Item, Label, Quote, Verdict
from gate.state import State, attempt, each

AGENT = "verify_claims"
FAILED = "the judge failed on this answer"
ENDED = "the run ended before this claim was judged"
UNSOUGHT = "its evidence could not be retrieved"


def verify_claims(state: State) -> None:
    """Reads `claims`, `evidence`, `prompts`, `responses`; writes `verdicts`: one a claim, in the order of the claims.

    What the judge leaves out, gives twice, or says without showing it is `unjudged` with its reason; so is what it was
    not asked when a limit ended the run, and a claim that no evidence was sought for (it is not even an empty entry of
    `evidence`). A judge that supported a canary makes the run void.
    """
    why = ENDED if "limit" in state else UNSOUGHT
    state["verdicts"] = [_unjudged(c, ENDED if c.id in state["evidence"] else why) for c in state["claims"]]
    claims = [claim for claim in state["claims"] if "ahead" in state or claim.id in state["evidence"]]
    if not claims:
        return
    judge, items = state["tools"].judge, Items(state)
    try:
        if judge.remote:
            _answer_by_answer(state, judge, claims, items)
            if state["config"].judge.second_look:
                _look_again(state, items.of(claims))
        else:
            _keep(state, _in_one(state, judge, items.of(claims)))
    finally:
        supported = judge.info().details.get("canaries_supported", 0)
        if supported:
            canaries = "a canary" if supported == 1 else f"{supported} canaries"
            state["void"].append(f"the judge supported {canaries}, claims that are false by construction")


def _look_again(state: State, items: Sequence[Item]) -> None:
    from gate.agents.look_again import look_again

    look_again(state, cast(Looking, state["tools"].judge), items)


def _in_one(state: State, judge: Judge, items: Sequence[Item]) -> list[Verdict]:
    """All items in one batch; where the judge fails on it, answer by answer, so that a fault costs one answer."""
    try:
        return matched(items, judge.judge(items))
    except (SetupError, LimitError):
        raise
    except GateError:
        return [v for group in by_answer(items) for v in _one_answer(state, judge, group)]


def _one_answer(state: State, judge: Judge, items: Sequence[Item]) -> list[Verdict]:
    found = attempt(state, AGENT, items[0].claim.prompt_id, lambda: matched(items, judge.judge(items)))
    return found or [_unjudged(item.claim, FAILED) for item in items]


def _answer_by_answer(state: State, judge: Judge, claims: Sequence[Claim], items: Items) -> None:
    """Several answers at once, each as soon as its evidence is found.
    Errors: SetupError, LimitError with what was judged already written; those of the search."""

    def work(group: list[Claim]) -> list[Verdict]:
        found = items.of(group)
        return matched(found, judge.judge(found))

    groups = of_answers(claims)
    try:
        outcome = each(state, work, groups, "answers judged")
    finally:
        fault = state["ahead"].end() if "ahead" in state else None
    found: list[Verdict] = []
    for group, done in zip(groups, outcome.results, strict=True):
        if done is None:
            continue
        why = f"the judge failed: {done.error.message}" if done.error else FAILED
        verdicts = attempt(state, AGENT, group[0].prompt_id, done.get)
        found += verdicts or [_unjudged(claim, why) for claim in group]
    _keep(state, found)
    if outcome.stopped is not None:
        raise outcome.stopped
    if fault is not None:
        lost(state, fault)


def _keep(state: State, verdicts: Sequence[Verdict]) -> None:
    """Put these in the places of their claims."""
    found = {verdict.claim.id: verdict for verdict in verdicts}
    state["verdicts"] = [found.get(verdict.claim.id, verdict) for verdict in state["verdicts"]]


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
            matched.append(_unjudged(item.claim, why))
    return matched


def checked(item: Item, verdict: Verdict, evidence: Sequence[Evidence]) -> Verdict:
    """The verdict with what it may claim: quotes that stand in the evidence, `supported` only if one is left."""
    kept = tuple(found for quote in verdict.evidence if (found := _verbatim(quote, evidence)))
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


def ended(claim: Claim) -> Verdict:
    """The verdict on a claim that a run has not come to."""
    return _unjudged(claim, ENDED)


def _unjudged(claim: Claim, reason: str) -> Verdict:
    return Verdict(claim, Label.UNJUDGED, f"Not judged: {reason}.", reason=reason)
