"""Ten bins and the calibration error: what is well calibrated is told so, and what is not is measured."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.measures.agreement import Pair
from gate.measures.reliability import bins, ece
from gate.records import Label


def told(chances, bad, group="{}"):
    return [
        Pair(Label.UNSUPPORTED if b else Label.SUPPORTED, Label.UNSUPPORTED, float(c), group.format(n))
        for n, (c, b) in enumerate(zip(chances, bad, strict=True))
    ]


def test_the_error_of_a_known_table():
    pairs = told([0.2] * 10 + [0.9] * 10, [1] * 5 + [0] * 5 + [1] * 9 + [0])
    assert ece(pairs).value == pytest.approx((10 * 0.3 + 10 * 0.0) / 20)


def test_chances_that_mean_what_they_say_have_little_error():
    rng = np.random.default_rng(3)
    chances = rng.random(2000)
    good = ece(told(chances, rng.random(2000) < chances))
    off = ece(told(chances, rng.random(2000) < chances**3))
    assert good.value < 0.04
    assert off.value == pytest.approx(0.25, abs=0.03)
    assert off.interval[0] <= 0.25 <= off.interval[1]
    assert good.interval[1] < off.interval[0]


@pytest.mark.parametrize("share", [0.5, 0.05])
def test_a_calibrated_judge_has_no_error_within_the_interval(share):
    """With 100 claims, also where few of them are wrong, though noise alone makes the bins differ."""
    rng = np.random.default_rng(7)
    within = 0
    for _ in range(30):
        chances = rng.beta(share, 1 - share, 100)
        within += ece(told(chances, rng.random(100) < chances)).interval[0] == 0
    assert within >= 27


def test_a_few_claims_of_one_kind_leave_much_open():
    low, high = ece(told([0.15] * 6, [0] * 6)).interval
    assert low == 0
    assert high > 0.35


def test_one_group_alone_has_an_error_but_no_interval():
    figure = ece(told([0.2] * 10 + [0.9] * 10, [0] * 10 + [1] * 10, group="one"))
    assert figure.value == pytest.approx(0.15)
    assert figure.interval is None


def test_every_claim_with_a_chance_is_in_one_bin():
    pairs = [*told([0.0, 0.05, 0.1, 0.95, 1.0], [0, 0, 1, 1, 1]), Pair(Label.SUPPORTED, Label.SUPPORTED, None, "x")]
    found = bins(pairs)
    assert [each.n for each in found] == [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]
    assert (found[0].predicted, found[0].observed) == (pytest.approx(0.025), 0)
    assert (found[2].predicted, found[2].observed, found[2].interval) == (None, None, None)
    assert found[9].interval[0] < found[9].observed == 1


def test_a_judge_that_tells_no_chances_has_no_error():
    silent = [Pair(Label.SUPPORTED, Label.SUPPORTED, None, str(n)) for n in range(9)]
    assert ece(silent).value is None
    assert ece([*silent, *told([0.9], [1])]).value is None
    assert ece([]).interval is None


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=2, max_size=60))
def test_the_error_is_a_share_within_its_interval(rows):
    found = ece(told([c for c, _ in rows], [b for _, b in rows], "{0}"))
    assert 0 <= found.interval[0] <= found.value <= found.interval[1] <= 1
