"""The ledger, the risk, its interval and the decision."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import RiskTolerance
from gate.measures.risk import (
    LEAST,
    Course,
    Labelled,
    effective_size,
    interval,
    interval_of,
    ledger,
    risk,
    score,
    student_t95,
    wilson,
)
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


def test_unjudged_share_may_be_allowed():
    assert decide([S] * 99 + [N], RiskTolerance(max_unjudged=0.01)).decision is Decision.DEPLOY
    assert decide([S] * 98 + [N] * 2, RiskTolerance(max_unjudged=0.01)).decision is Decision.INCONCLUSIVE


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


def test_too_few_claims_are_inconclusive():
    few = decide([S] * 4, RiskTolerance(min_claims=5))
    assert few.decision is Decision.INCONCLUSIVE
    assert few.reasons == ("4 claims could be judged, at least 5 are needed (min_claims)",)
    assert decide([]).reasons[0] == "no claims could be judged, at least 1 is needed (min_claims)"
    assert decide([S], RiskTolerance(min_claims=2)).reasons[0].startswith("1 claim could be judged, ")


def test_answers_without_a_claim_are_told():
    assert "2 answers made no claim" in decide([S] * 3, course=Course(prompts=3, silent_answers=2)).reasons[1]


def test_by_interval_few_claims_neither_deploy_nor_block():
    tolerance = RiskTolerance(decide_on="interval")
    assert decide([S] * 6, tolerance).decision is Decision.WARN
    assert decide([S] * 600, tolerance).decision is Decision.DEPLOY
    assert decide([S, U], tolerance).decision is Decision.WARN
    assert decide([U] * 300, tolerance).decision is Decision.BLOCK


@pytest.mark.parametrize(
    ("share", "size", "low", "high"),
    [(0.0, 10, 0.0, 0.27753), (0.5, 10, 0.23659, 0.76341), (0.1, 100, 0.05523, 0.17437), (1.0, 10, 0.72247, 1.0)],
)
def test_wilson_against_published_values(share, size, low, high):
    assert wilson(share, size) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(("freedom", "quantile"), [(5, 2.5706), (10, 2.2281), (29, 2.0452), (199, 1.9720)])
def test_students_t_against_tables(freedom, quantile):
    assert student_t95(freedom) == pytest.approx(quantile, abs=0.01)


def test_claims_that_stand_and_fall_together_are_worth_less():
    apart = [(1.0, 2)] * 20
    together = [(2.0, 2)] * 10 + [(0.0, 2)] * 10
    assert effective_size(together, 0.5) < effective_size(apart, 0.5) <= 40 / LEAST


def test_one_prompt_is_one_observation():
    assert effective_size([(1.0, 10)], 0.1) == 1.0


@given(labels)
def test_the_interval_holds_the_risk_and_stays_within_bounds(found):
    band, value = interval(spread(found)), risk(ledger(found, len(found)))
    if value is None:
        assert band is None
    else:
        assert 0.0 <= band[0] <= value + 1e-12
        assert value - 1e-12 <= band[1] <= 1.0
        assert all(math.isfinite(end) for end in band)


@given(labels, st.randoms())
def test_the_order_of_claims_does_not_matter(found, rng):
    claims = spread(found)
    shuffled = claims[:]
    rng.shuffle(shuffled)
    first, second = (score(c, len(c), Course(), RiskTolerance()) for c in (claims, shuffled))
    assert (first.decision, first.risk, first.ledger) == (second.decision, second.risk, second.ledger)
    assert first.interval == pytest.approx(second.interval) if first.interval else second.interval is None


@given(labels)
def test_a_claim_made_worse_never_lowers_the_risk(found):
    worse = [U if label is S else label for label in found]
    before, after = risk(ledger(found, len(found))), risk(ledger(worse, len(worse)))
    assert (before is None) == (after is None)
    assert before is None or after >= before


@given(labels)
def test_nothing_unjudged_ever_deploys(found):
    result = decide(found)
    if N in found:
        assert result.decision is Decision.INCONCLUSIVE
    assert result.ledger.balanced


def test_weak_support_varies_less_than_none():
    clusters = [(1.0, 4), (2.0, 4), (3.0, 4), (2.0, 4)]
    halves, wholes = interval_of(clusters, 4.0), interval_of(clusters, 8.0)
    assert wholes[0] < halves[0] < 0.5 < halves[1] < wholes[1]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 8)), min_size=1, max_size=30))
def test_the_effective_size_is_a_positive_number(found):
    clusters = [(min(wrong + 0.5 * weak, size), size) for wrong, weak, size in found]
    claims = sum(m for _, m in clusters)
    share = sum(y for y, _ in clusters) / claims
    for alone in (None, 0.0, share * (1 - share)):
        assert 0 < effective_size(clusters, share, alone) <= claims / LEAST**2


@pytest.mark.parametrize(("prompts", "correlation"), [(10, 0.1), (20, 0.3), (80, 0.1)])
def test_the_interval_holds_the_true_risk_95_times_of_100(prompts, correlation):
    rng = np.random.default_rng(5)
    total, hits, runs = 1 / correlation - 1, 0, 1500
    for _ in range(runs):
        sizes = rng.integers(2, 9, prompts)
        bad = rng.binomial(sizes, rng.beta(0.24 * total, 0.76 * total, prompts))
        weak = rng.binomial(bad, 1 / 3)
        found = [(float(b - w / 2), int(m)) for m, b, w in zip(sizes, bad, weak, strict=True)]
        low, high = interval_of(found, float((bad - 0.75 * weak).sum()))
        hits += low <= 0.2 <= high
    assert 0.93 <= hits / runs <= 0.97
