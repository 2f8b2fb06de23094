"""The second look: a model judges claims near the line again, only where another label would change the decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from gate.agents.items import by_answer
from gate.agents.verify_claims import matched
from gate.judges.base import Looking
from gate.measures.noise import worth_judging_again
from gate.measures.risk import WEIGHTS, Course, Labelled, score
from gate.records import Decision, Item, Label, Verdict
from gate.state import State, each

LOOKS = (1, 2)  # after the first: the second decides nothing where it differs, so there is a third


def look_again(state: State, judge: Looking, items: Sequence[Item]) -> None:
    """Rewrites `verdicts`: a claim that was judged again has the label of most looks, and says how often it was.

    Each look is a fresh call with other canaries. A call that fails leaves the labels that are there.
    Errors: SetupError, LimitError, with what was judged already written.
    """
    worth = worth_judging_again(state["verdicts"], lambda verdicts: _decision(state, verdicts))
    votes = {verdict.claim.id: [verdict] for verdict in state["verdicts"] if verdict.claim.id in set(worth)}
    for look in LOOKS:
        open_ = [item for item in items if item.claim.id in votes and _differ(votes[item.claim.id], look)]
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
    labelled = [Labelled(verdict.claim.prompt_id, verdict.label) for verdict in verdicts]
    return score(labelled, len(labelled), Course(), state["config"].risk_tolerance).decision


def _differ(votes: Sequence[Verdict], look: int) -> bool:
    """Whether a claim is to be looked at: all in the first round, then those with two labels."""
    return look == LOOKS[0] or len({verdict.label for verdict in votes}) > 1


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
