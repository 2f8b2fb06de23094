"""The monitor at nightly looks: a fair game under its hypothesis, a rise is found, bounds are bounds."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.statistics.sequences import ALPHA, YEAR, Monitor

NIGHTS = st.lists(st.floats(0, 1), max_size=12)


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
