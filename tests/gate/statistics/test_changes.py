"""The paired comparison: known values, exact against drawn, and its rates by simulation. The monitor at nightly looks:
a fair game under its hypothesis, a rise is found, bounds are bounds."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.statistics.changes import ALPHA, YEAR, Monitor, compare

numbers = st.lists(st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0]), min_size=6, max_size=20)
NIGHTS = st.lists(st.floats(0, 1), max_size=12)


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


def year(monitor: Monitor, rng: random.Random, risk: float, nights: int = YEAR, answers: int = 30) -> Monitor:
    for _ in range(nights):
        monitor = monitor.after(sum(rng.random() < risk for _ in range(answers)) / answers)
    return monitor


@given(NIGHTS, st.sampled_from((0.05, 0.2, 0.5)))
def test_the_capital_grows_by_the_stake_of_a_night_on_average_at_the_threshold(
    nights: list[float], threshold: float
) -> None:
    monitor = Monitor(threshold)
    for risk in nights:
        monitor = monitor.after(risk)
    good, bad = monitor.after(0.0).evidence, monitor.after(1.0).evidence
    assert (1 - threshold) * good + threshold * bad == pytest.approx(monitor.evidence + 1 / YEAR)


@given(NIGHTS)
def test_the_interval_stays_within_bounds(nights: list[float]) -> None:
    one = Monitor(0.1)
    assert (one.interval, one.mean, one.evidence) == ((0.0, 1.0), None, 0.0)
    for risk in nights:
        one = one.after(risk)
        low, high = one.interval
        assert 0 <= low <= high <= 1
    assert one.nights == len(nights)


@pytest.mark.parametrize("answers", [30, 1])  # 1: the answers of a night are all alike
def test_no_more_than_the_promised_share_of_years_alarms(answers: int) -> None:
    rng = random.Random(0)  # noqa: S311
    made = [year(Monitor(0.1), rng, 0.1, answers=answers) for _ in range(60)]
    assert sum(bool(one.alarmed) for one in made) <= 60 * ALPHA
    assert sum(one.interval[0] <= 0.1 <= one.interval[1] for one in made) >= 60 * (1 - ALPHA)


def test_a_rise_is_found() -> None:
    rng = random.Random(0)  # noqa: S311
    calm = year(Monitor(0.1), rng, 0.06, 100)
    assert not calm.alarmed
    risen = year(calm, rng, 0.25, 40)
    assert 100 < risen.alarmed < 130
    assert year(risen, rng, 0.0, 20).alarmed == risen.alarmed


@pytest.mark.parametrize("risk", [-0.1, 1.1, math.nan])
def test_what_is_no_risk_is_refused(risk: float) -> None:
    with pytest.raises(ValueError, match="no risk"):
        Monitor(0.1).after(risk)
