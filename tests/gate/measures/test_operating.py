"""What mistakes do to a run: exact probabilities against a simulation, Rogan and Gladen against the formula."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.measures.agreement import Pair
from gate.measures.operating import CLAIMS, deployed, operating
from gate.records import Label

GOOD, WEAK, BAD = Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED


def pairs(good, bad, people=BAD):
    """`good`, `bad`: how often the judge says supported, weakly supported, unsupported of such claims."""
    rows = [(GOOD, label) for label, n in zip((GOOD, WEAK, BAD), good, strict=True) for _ in range(n)]
    rows += [(people, label) for label, n in zip((GOOD, WEAK, BAD), bad, strict=True) for _ in range(n)]
    return [Pair(truth, label, None, str(n)) for n, (truth, label) in enumerate(rows)]


def test_a_perfect_judge_measures_what_is_so():
    found = operating(pairs((300, 0, 0), (0, 0, 300)), 0.1, 0.25)
    assert (found.if_supported.value, found.if_not.value) == (0, 1)
    assert found.true_at_deploy.value == pytest.approx(0.1)
    assert found.true_at_warn.value == pytest.approx(0.25)
    assert found.false_pass_rate.value == pytest.approx(0, abs=1e-9)
    assert found.false_alarm_rate.value == pytest.approx(0, abs=1e-9)
    assert found.true_at_deploy.interval[0] < 0.1 <= found.true_at_deploy.interval[1]


def test_the_true_share_is_rogan_and_gladens():
    found = operating(pairs((90, 0, 10), (20, 0, 80)), 0.24, 0.5)
    assert found.true_at_deploy.value == pytest.approx((0.24 - 0.1) / (0.8 - 0.1))


def test_a_risk_below_every_measured_one_means_nothing_is_wrong():
    found = operating(pairs((50, 0, 50), (20, 0, 80)), 0.1, 0.9)
    assert found.true_at_deploy.value == 0
    assert found.true_at_warn.value == 1
    assert found.false_alarm_rate.value > 0.99


def test_a_judge_that_cannot_tell_them_apart():
    found = operating(pairs((50, 0, 50), (50, 0, 50)), 0.1, 0.25)
    assert found.true_at_deploy.value is None
    lenient = operating(pairs((100, 0, 0), (100, 0, 0)), 0.1, 0.25)
    assert lenient.false_pass_rate.value == pytest.approx(1)
    assert lenient.false_alarm_rate.value == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("found", [[], pairs((5, 0, 0), (0, 0, 0)), pairs((0, 0, 0), (0, 0, 5))])
def test_labels_of_one_kind_tell_nothing(found):
    assert operating(found, 0.1, 0.25).false_pass_rate.value is None


def test_no_run_is_above_a_warn_threshold_of_one():
    assert operating(pairs((5, 0, 0), (0, 0, 5)), 0.1, 1.0).false_pass_rate.value is None


def test_claims_that_people_call_weak_weigh_half():
    """26 of 100 wrong claims make a true risk above 0.25; 51 do where each weighs half."""
    strict = operating(pairs((100, 0, 0), (70, 0, 30)), 0.1, 0.25)
    weak = operating(pairs((100, 0, 0), (70, 0, 30), WEAK), 0.1, 0.25)
    assert weak.false_pass_rate.value < strict.false_pass_rate.value


def test_the_probability_of_a_deploy_is_that_of_a_simulation():
    good, bad, wrong = np.array([0.8, 0.15, 0.05]), np.array([0.3, 0.3, 0.4]), 20
    rng = np.random.default_rng(5)
    weights = np.array([0, 0.5, 1])
    risks = rng.multinomial(CLAIMS - wrong, good, 20_000) @ weights + rng.multinomial(wrong, bad, 20_000) @ weights
    for threshold in (0.15, 0.2, 0.25):
        exact = deployed(good[None], bad[None], wrong, threshold)[0]
        assert exact == pytest.approx(np.mean(risks <= threshold * CLAIMS), abs=0.012)


@settings(max_examples=10, deadline=None)
@given(st.tuples(*[st.integers(0, 20)] * 6), st.floats(0, 1), st.floats(0, 1))
def test_every_rate_lies_in_its_interval(counts, one, other):
    found = operating(pairs(counts[:3], counts[3:]), min(one, other), max(one, other))
    for figure in (found.true_at_deploy, found.true_at_warn, found.false_pass_rate, found.false_alarm_rate):
        if figure.value is not None:
            assert 0 <= figure.interval[0] <= figure.value <= figure.interval[1] <= 1
