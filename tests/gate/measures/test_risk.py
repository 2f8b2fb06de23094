"""The ledger, the risk, its interval and the decision."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import RiskTolerance
from gate.measures.risk import Course, Labelled, interval, ledger, risk, score
from gate.records import Decision, Label

S, W, U, N = Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED, Label.UNJUDGED
labels = st.lists(st.sampled_from([S, W, U, N]), min_size=1, max_size=60)


def spread(found, per_prompt=3):
    return [Labelled(f"p{i // per_prompt}", label) for i, label in enumerate(found)]


def decide(found, tolerance=None, course=None):
    return score(spread(found), len(found), course or Course(), tolerance or RiskTolerance())


@pytest.mark.parametrize(
    ("found", "expected"),
    [([S] * 4, 0.0), ([U] * 4, 1.0), ([W] * 4, 0.5), ([S, S, W, U], 0.375), ([U, N, N], 1.0), ([N], None), ([], None)],
)
def test_risk_weighs_the_judged_claims_alone(found, expected):
    assert risk(ledger(found, len(found))) == expected


@pytest.mark.parametrize(
    ("found", "decision"),
    [
        ([S] * 10, Decision.DEPLOY),
        ([S] * 9 + [U], Decision.DEPLOY),  # 0.10 is not above 0.10
        ([S] * 8 + [U, W], Decision.WARN),
        ([S] * 3 + [U], Decision.WARN),  # 0.25 is not above 0.25
        ([S] * 2 + [U], Decision.BLOCK),
        ([U] * 5, Decision.BLOCK),
        ([], Decision.INCONCLUSIVE),
        ([N] * 5, Decision.INCONCLUSIVE),
        ([S] * 99 + [N], Decision.INCONCLUSIVE),  # one claim that nobody judged is enough
    ],
)
def test_decision_by_the_default_thresholds(found, decision):
    assert decide(found).decision is decision


@pytest.mark.parametrize(
    ("course", "part"),
    [
        (Course(prompts=3, failed_prompts=1), "1 of 3 prompts got no answer"),
        (Course(void=("a canary was supported",)), "a canary was supported"),
    ],
)
def test_a_run_that_went_wrong_is_inconclusive(course, part):
    result = decide([S] * 10, course=course)
    assert result.decision is Decision.INCONCLUSIVE
    assert part in result.reasons[0]


def test_a_lost_claim_is_inconclusive():
    result = score(spread([S] * 9), 10, Course(), RiskTolerance(max_unjudged=1.0))
    assert result.decision is Decision.INCONCLUSIVE
    assert "lost" in result.reasons[0]


def test_by_interval_few_claims_neither_deploy_nor_block():
    tolerance = RiskTolerance(decide_on="interval")
    assert decide([S] * 6, tolerance).decision is Decision.WARN
    assert decide([S] * 600, tolerance).decision is Decision.DEPLOY
    assert decide([S, U], tolerance).decision is Decision.WARN
    assert decide([U] * 300, tolerance).decision is Decision.BLOCK


@given(labels)
def test_the_interval_holds_the_risk_and_stays_within_bounds(found):
    band, value = interval(spread(found)), risk(ledger(found, len(found)))
    if value is None:
        assert band is None
    else:
        assert 0.0 <= band[0] <= value + 1e-12
        assert value - 1e-12 <= band[1] <= 1.0
        assert all(math.isfinite(end) for end in band)


@given(labels)
def test_nothing_unjudged_ever_deploys(found):
    result = decide(found)
    if N in found:
        assert result.decision is Decision.INCONCLUSIVE
    assert result.ledger.balanced
