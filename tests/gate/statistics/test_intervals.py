"""Intervals: published values, bounds, and that they hold the truth as often as they say. The corrected risk: bounds
in order, judge and sample apart, and few false decisions by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.statistics.intervals import (
    LEAST,
    Figure,
    JudgeError,
    Moments,
    Sample,
    cluster_interval,
    correct,
    decided,
    effective_size,
    judge_error,
    needed,
    sample_of,
    student_t95,
    unlike,
    wilson,
)

FINE = JudgeError(0.03, 0.01, 0.9, 0.02)
shares = st.floats(0, 1)


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


def test_weak_support_varies_less_than_none():
    clusters = [(1.0, 4), (2.0, 4), (3.0, 4), (2.0, 4)]
    halves, wholes = cluster_interval(clusters, 4.0), cluster_interval(clusters, 8.0)
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
        low, high = cluster_interval(found, float((bad - 0.75 * weak).sum()))
        hits += low <= 0.2 <= high
    assert 0.93 <= hits / runs <= 0.97


@given(shares, st.floats(1, 5000), st.floats(0, 0.3), st.floats(0, 0.1), st.floats(0.5, 1), st.floats(0, 0.1))
def test_the_share_lies_between_its_bounds(mean, size, good, good_error, bad, bad_error):
    found = correct(Sample(mean, size), JudgeError(good, good_error, bad, bad_error))
    assert 0 <= found.low <= found.share <= found.high <= 1
    assert 0 <= found.judge_part <= 1


def test_more_prompts_and_more_labels_both_narrow_the_bounds():
    few, many = (correct(Sample(0.12, size), FINE) for size in (50, 5000))
    assert many.high - many.low < few.high - few.low
    assert many.judge_part > few.judge_part
    sure = correct(Sample(0.12, 5000), JudgeError(0.03, 0.001, 0.9, 0.002))
    assert sure.high - sure.low < many.high - many.low


def test_what_is_said_to_be_needed_decides():
    sample = Sample(0.06, 60)
    assert decided(correct(sample, FINE), 0.1, 0.25) == ""
    prompts, labels = needed(sample, FINE, 0.1, 0.25)
    assert prompts is not None
    assert labels is None  # a perfect judge would not decide it either: too few claims
    assert decided(correct(Sample(0.06, 60 * prompts), FINE), 0.1, 0.25) == "deploy"


@pytest.mark.parametrize(
    ("good", "bad", "known"),
    [
        (Figure(0.03, (0.01, 0.05)), Figure(0.9, (0.85, 0.95)), True),
        (Figure(0.5, (0.4, 0.6)), Figure(0.5, (0.4, 0.6)), False),
        (Figure(None, None), Figure(0.9, (0.85, 0.95)), False),
    ],
)
def test_a_judge_that_tells_nothing_apart_has_no_error_to_take_off(good, bad, known):
    assert (judge_error(good, bad) is not None) is known


def test_scores_of_another_kind_of_claims_are_noticed():
    known = [(40.0, 1.0), (20.0, 2.0), (5.0, 5.0), (2.0, 20.0), (1.0, 60.0)]
    rng = np.random.default_rng(0)
    mixed = [0.7 * g / 68 + 0.3 * b / 88 for g, b in known]
    assert sum(unlike(rng.multinomial(200, mixed / np.sum(mixed)), known, 200) for _ in range(60)) <= 4
    assert unlike([10, 10, 150, 10, 20], known, 200)
    assert not unlike([0] * 5, known, 0)


def test_decisions_at_a_threshold_are_seldom_false():
    """A small draw of benchmarks/corrected.py, which goes over the whole grid."""
    rng, false = np.random.default_rng(1), {"deploy": 0, "block": 0}
    for share, word in ((0.10, "deploy"), (0.25, "block")):
        for _ in range(400):
            claims = rng.poisson(3, 40) + 1
            bad = rng.binomial(claims, rng.beta(share * 9, (1 - share) * 9, 40))
            weights = rng.binomial(bad, 0.85) + rng.binomial(claims - bad, 0.04)
            prompts = list(zip(weights.tolist(), claims.tolist(), strict=True))
            sample = sample_of(Moments.of(prompts, float(weights.sum())))
            good, caught = rng.binomial(300, 0.04) / 300, rng.binomial(300, 0.85) / 300
            error = JudgeError(
                good, (good * (1 - good) / 300) ** 0.5 + 0.002, caught, (caught * (1 - caught) / 300) ** 0.5
            )
            false[word] += decided(correct(sample, error), 0.10, 0.25) == word
    assert max(false.values()) <= 30  # 7.5 % of 400: the 5 % that are allowed, and chance
