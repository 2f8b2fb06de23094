"""Agent 6: what the run left is counted, and whatever got lost forbids a decision."""

from types import SimpleNamespace

import pytest

from gate.agents.score_risk import score_risk
from gate.config import Evaluation, RiskTolerance
from gate.config_measures import Measures
from gate.records import Answer, Claim, Decision, Label, Prompt, Verdict
from gate.state import State


def scored(labels, prompts=2, answers=None, claims=None, repeats=1, void=(), **tolerance):
    """`labels`: one claim each, to the answers in turn."""
    said = [Answer(f"p{n}#{r}", f"p{n}", "t", r) for n in range(prompts) for r in range(repeats)][:answers]
    made = [
        Claim(f"{said[n % len(said)].id}:{n}", said[n % len(said)].prompt_id, said[n % len(said)].id, "t", 0, 1)
        for n in range(len(labels) if claims is None else claims)
    ]
    config = SimpleNamespace(
        evaluation=Evaluation(repeats=repeats), risk_tolerance=RiskTolerance(**tolerance), measures=Measures()
    )
    state = State(
        config=config,
        prompts=[Prompt(f"p{n}", "q?") for n in range(prompts)],
        responses=said,
        claims=made,
        verdicts=[Verdict(claim, label, "") for claim, label in zip(made, labels, strict=False)],
        void=list(void),
    )
    score_risk(state)
    return state["score"]


@pytest.mark.parametrize(
    ("labels", "risk", "decision"),
    [
        ([Label.SUPPORTED] * 10, 0.0, Decision.DEPLOY),
        ([Label.SUPPORTED] * 8 + [Label.WEAKLY_SUPPORTED] * 2, 0.1, Decision.DEPLOY),
        ([Label.SUPPORTED] * 8 + [Label.UNSUPPORTED] * 2, 0.2, Decision.WARN),
        ([Label.UNSUPPORTED] * 4, 1.0, Decision.BLOCK),
        ([Label.SUPPORTED, Label.UNJUDGED], 0.0, Decision.INCONCLUSIVE),
        ([Label.UNJUDGED] * 2, None, Decision.INCONCLUSIVE),
    ],
)
def test_labels_become_risk_and_decision(labels, risk, decision):
    score = scored(labels)
    assert (score.risk, score.decision) == (risk, decision)
    assert score.ledger.balanced


def test_a_lost_claim_makes_any_decision_impossible():
    score = scored([Label.SUPPORTED] * 4, claims=5)
    assert score.decision is Decision.INCONCLUSIVE
    assert not score.ledger.balanced
    assert "the run lost some" in " ".join(score.reasons)


@pytest.mark.parametrize(("repeats", "answers", "told"), [(1, 1, "1 of 2 prompts"), (3, 4, "2 of 6 prompts")])
def test_answers_that_are_missing_count_in_every_repeat(repeats, answers, told):
    score = scored([Label.SUPPORTED] * 4, answers=answers, repeats=repeats)
    assert score.decision is Decision.INCONCLUSIVE
    assert f"{told} got no answer" in " ".join(score.reasons)


def test_missing_answers_may_be_allowed():
    assert scored([Label.SUPPORTED] * 4, answers=1, max_unjudged=0.5).decision is Decision.DEPLOY


def test_silent_answers_are_told_and_count_for_nothing():
    score = scored([Label.SUPPORTED])
    assert score.decision is Decision.DEPLOY
    assert "1 answer made no claim" in " ".join(score.reasons)


def test_what_made_the_run_void_comes_first():
    score = scored([Label.SUPPORTED] * 4, void=["a canary was supported"])
    assert score.decision is Decision.INCONCLUSIVE
    assert score.reasons[0] == "a canary was supported"
