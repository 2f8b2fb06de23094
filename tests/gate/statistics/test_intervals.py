"""Intervals: published values, bounds, and that they hold the truth as often as they say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.statistics.intervals import LEAST, cluster_interval, effective_size, student_t95, wilson


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
