"""The paired comparison: known values, exact against drawn, and its rates by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.statistics.changes import compare

numbers = st.lists(st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0]), min_size=6, max_size=20)


@pytest.mark.parametrize(
    ("differences", "word"),
    [
        ([], "too few prompts"),
        ([1.0] * 5, "too few prompts"),
        ([0.5] * 6, "regression"),
        ([-0.5] * 6, "improvement"),
        ([0.0] * 30, "no difference"),
        ([0.5, -0.5] * 10, "no difference"),
        ([0.3] * 25 + [0.0] * 5, "regression"),
    ],
)
def test_the_word(differences, word):
    assert compare(differences).word == word


def test_the_exact_p_value_of_six_equal_increases():
    assert compare([0.5] * 6).p_worse == pytest.approx(1 / 64)


def test_an_increase_that_is_tolerated_is_none():
    assert compare([0.05] * 20).word == "regression"
    assert compare([0.05] * 20, max_increase=0.1).word == "no difference"
    assert compare([0.25] * 20, max_increase=0.1).word == "regression"


@given(numbers)
def test_the_mirror_image_swaps_the_words(differences):
    there, back = compare(differences), compare([-d for d in differences])
    assert (there.p_worse, there.p_better) == (back.p_better, back.p_worse)
    assert {there.word, back.word} in ({"regression", "improvement"}, {"no difference"})


def test_false_alarms_come_at_the_promised_rate():
    rng = np.random.default_rng(7)
    words = [compare(rng.normal(0.0, 0.3, 12)).word for _ in range(1500)]
    assert 0.03 <= words.count("regression") / len(words) <= 0.07
    assert 0.03 <= words.count("improvement") / len(words) <= 0.07


def claims(rng, prompts, worse):
    """Head minus base of each prompt: 2 to 8 claims, its own rate, in the head `worse` of the good claims bad."""
    rates = rng.beta(0.8, 3.2, prompts)
    base, head = rng.integers(2, 9, (2, prompts))
    return rng.binomial(head, rates + (1 - rates) * worse) / head - rng.binomial(base, rates) / base


def test_the_smallest_detectable_difference_is_found_four_times_of_five():
    rng = np.random.default_rng(3)
    effect = np.mean([compare(claims(rng, 14, 0.0)).smallest_detectable for _ in range(100)])
    found = [compare(claims(rng, 14, effect / 0.8)).word == "regression" for _ in range(800)]
    assert 0.74 <= np.mean(found) <= 0.9


@pytest.mark.parametrize("difference", [0.0, 0.25])
def test_where_all_pairs_differ_by_the_same_nothing_is_said_of_what_could_have_shown(difference: float) -> None:
    assert compare([difference] * 12).smallest_detectable is None
