"""Agent 5: every claim gets exactly one verdict from the judge, and none keeps a quote that is not in its evidence.

A model judges claims near the line again, only where another label would change the decision."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

from gate.agents.retrieve_evidence import lost, of_answers
from gate.errors import GateError, LimitError, SetupError
from gate.judges.base import Judge, Looking, chance_of, line_at, unjudged
from gate.measures.risk import Course, Labelled, score
from gate.records import Claim, Decision, Evidence, Item, Label, Quote, Verdict
from gate.state import State, attempt, each
from gate.statistics.intervals import WEIGHTS

Items = Callable[[Sequence[Claim]], list[Item]]
AGENT = "verify_claims"
ENDED = "the run ended before this claim was judged"
FAILED = "the judge failed on this answer"
UNSOUGHT = "its evidence could not be retrieved"
LOOKS = (1, 2)  # after the first: the second decides nothing where it differs, so there is a third
NEAR = 0.2  # of a probability of one half: a claim so near the line may well get the other label


def verify_claims(state: State) -> None:
    """Reads `claims`, `evidence`, `prompts`, `responses`; writes `verdicts`: one a claim, in the order of the claims.

    What the judge leaves out, gives twice, or says without showing it is `unjudged` with its reason; so is what it was
    not asked when a limit ended the run, and a claim that no evidence was sought for (it is not even an empty entry of
    `evidence`). A judge that supported a canary makes the run void.
    """
    why = ENDED if "limit" in state else UNSOUGHT
    state["verdicts"] = [unjudged(c, ENDED if c.id in state["evidence"] else why) for c in state["claims"]]
    claims = [claim for claim in state["claims"] if "ahead" in state or claim.id in state["evidence"]]
    if not claims:
        return
    judge, items = state["tools"].judge, items_of(state)
    try:
        if judge.remote:
            _answer_by_answer(state, judge, claims, items)
            if state["config"].judge.second_look:
                look_again(state, cast(Looking, judge), items(claims))
        else:
            _keep(state, _in_one(state, judge, items(claims)))
    finally:
        supported = judge.info().details.get("canaries_supported", 0)
        if supported:
            canaries = "a canary" if supported == 1 else f"{supported} canaries"
            state["void"].append(f"the judge supported {canaries}, claims that are false by construction")


def items_of(state: State) -> Items:
    """What makes the items of claims, in order; where their evidence is still sought, it waits.
    Errors of what is returned: LimitError, and those of the search."""
    ahead = state.get("ahead")
    questions = {prompt.id: prompt.question for prompt in state.get("prompts", [])}
    answers = {answer.id: answer.text for answer in state.get("responses", [])}

    def made(claims: Sequence[Claim]) -> list[Item]:
        if ahead is not None:
            ahead.wait(claims, state["tools"].budget.check)
        return [
            Item(c, state["evidence"][c.id], questions.get(c.prompt_id, ""), answers.get(c.answer_id, ""))
            for c in claims
        ]

    return made


def by_answer(items: Sequence[Item]) -> list[list[Item]]:
    """The items of each answer, in order."""
    groups: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        groups[item.claim.answer_id].append(item)
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
        conflict=tuple(found for quote in verdict.conflict if (found := _verbatim(quote, evidence))),
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
    return found or [unjudged(item.claim, FAILED) for item in items]


def _answer_by_answer(state: State, judge: Judge, claims: Sequence[Claim], items: Items) -> None:
    """Several answers at once, each as soon as its evidence is found.
    Errors: SetupError, LimitError with what was judged already written; those of the search."""

    def work(group: list[Claim]) -> list[Verdict]:
        found = items(group)
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
        found += verdicts or [unjudged(claim, why) for claim in group]
    _keep(state, found)
    if outcome.stopped is not None:
        raise outcome.stopped
    if fault is not None:
        lost(state, fault)


def _keep(state: State, verdicts: Sequence[Verdict]) -> None:
    """Put these in the places of their claims."""
    found = {verdict.claim.id: verdict for verdict in verdicts}
    state["verdicts"] = [found.get(verdict.claim.id, verdict) for verdict in state["verdicts"]]


def look_again(state: State, judge: Looking, items: Sequence[Item]) -> None:
    """Rewrites `verdicts`: a claim that was judged again has the label of most looks, and says how often it was.

    Each look is a fresh call with other canaries. A call that fails leaves the labels that are there.
    Errors: SetupError, LimitError, with what was judged already written.
    """
    worth = worth_judging_again(state["verdicts"], lambda verdicts: _decision(state, verdicts))
    votes = {verdict.claim.id: [verdict] for verdict in state["verdicts"] if verdict.claim.id in set(worth)}
    for look in LOOKS:
        # All of them in the first round, then those with two labels.
        open_ids = {name for name, said in votes.items() if look == LOOKS[0] or len({v.label for v in said}) > 1}
        open_ = [item for item in items if item.claim.id in open_ids]
        outcome = each(
            state,
            lambda group, look=look: matched(group, judge.judge(group, look)),  # type: ignore[misc]
            by_answer(open_),
            "answers judged again",
        )
        for done in outcome.results:
            for verdict in done.value or () if done else ():
                votes[verdict.claim.id] += [verdict] if verdict.label in WEIGHTS else []
        state["verdicts"] = [_most(votes.get(verdict.claim.id, [verdict])) for verdict in state["verdicts"]]
        if outcome.stopped is not None:
            raise outcome.stopped


def _decision(state: State, verdicts: Sequence[Verdict]) -> Decision:
    """What the labels alone decide."""
    labelled = [Labelled(verdict.claim.prompt_id, verdict.label, verdict.contradicted) for verdict in verdicts]
    return score(labelled, len(labelled), Course(), state["config"].risk_tolerance).decision


def _most(votes: Sequence[Verdict]) -> Verdict:
    """The verdict with the label of most looks; where all differ the middle one, and the first where two do."""
    if len(votes) == 1:
        return votes[0]
    (label, times), *_ = Counter(verdict.label for verdict in votes).most_common()
    if times == 1:
        label = Label.WEAKLY_SUPPORTED if len(votes) > len(LOOKS) else votes[0].label
    chosen = next(verdict for verdict in votes if verdict.label is label)
    told = ", ".join(verdict.label.value.replace("_", " ") for verdict in votes)
    return replace(chosen, justification=f"{chosen.justification} (judged {len(votes)} times: {told})")


def worth_judging_again(
    verdicts: Sequence[Verdict], decision: Callable[[Sequence[Verdict]], Decision]
) -> tuple[str, ...]:
    """The ids of the claims whose label is unsure, where other labels for them would change the decision; nearest to
    the line first. None where the decision stays the same if all of them are supported, and if none is: the risk is
    between these two, whatever a second look says, so it would be wasted."""
    unsure = [verdict for verdict in verdicts if near(verdict)]
    taken = {verdict.claim.id for verdict in unsure}
    now = decision(verdicts)
    worth: list[Verdict] = []
    for label in (Label.SUPPORTED, Label.UNSUPPORTED):
        other = [replace(v, label=label) if v.claim.id in taken else v for v in verdicts]
        if decision(other) is not now:
            worth += [verdict for verdict in unsure if verdict.label is not label and verdict not in worth]
    return tuple(verdict.claim.id for verdict in sorted(worth, key=_distance))


def near(verdict: Verdict) -> bool:
    """Whether the claim may as well have another label: the judge says so, or its probability is near one half."""
    if verdict.label not in WEIGHTS:
        return False
    return verdict.unsure or verdict.label is Label.WEAKLY_SUPPORTED or _distance(verdict) < NEAR


def _distance(verdict: Verdict) -> float:
    chance = chance_of(verdict)
    if chance is None:
        return 0.0 if verdict.label is Label.WEAKLY_SUPPORTED else 0.5
    return abs(chance - 0.5)
