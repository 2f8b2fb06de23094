"""Agent 6: the ledger that must balance, the risk, its interval, and the decision with its reasons."""

from __future__ import annotations

from gate.measures.risk import Course, Labelled, score
from gate.state import State


def score_risk(state: State) -> None:
    """Write `score`: from `verdicts`, `claims`, `prompts` and `responses`, by the configured risk tolerance."""
    answered = {answer.id for answer in state["responses"]}
    expected = len(state["prompts"]) * state["config"].evaluation.repeats
    speaking = {claim.answer_id for claim in state["claims"]}
    course = Course(
        prompts=expected,
        failed_prompts=max(0, expected - len(answered)),
        silent_answers=len(answered - speaking),
        void=tuple(state.get("void", ())),
    )
    labelled = [Labelled(verdict.claim.prompt_id, verdict.label) for verdict in state["verdicts"]]
    state["score"] = score(labelled, len(state["claims"]), course, state["config"].risk_tolerance)
