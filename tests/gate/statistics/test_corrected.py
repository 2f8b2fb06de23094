"""The corrected risk: bounds in order, judge and sample apart, and few false decisions by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.statistics.intervals import (
    Figure,
    JudgeError,
    Sample,
    correct,
    decided,
    judge_error,
    needed,
    sample_of,
    unlike,
)

FINE = JudgeError(0.03, 0.01, 0.9, 0.02)
shares = st.floats(0, 1)


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
            sample = sample_of(list(zip(weights.tolist(), claims.tolist(), strict=True)), float(weights.sum()))
            good, caught = rng.binomial(300, 0.04) / 300, rng.binomial(300, 0.85) / 300
            error = JudgeError(
                good, (good * (1 - good) / 300) ** 0.5 + 0.002, caught, (caught * (1 - caught) / 300) ** 0.5
            )
            false[word] += decided(correct(sample, error), 0.10, 0.25) == word
    assert max(false.values()) <= 30  # 7.5 % of 400: the 5 % that are allowed, and chance
