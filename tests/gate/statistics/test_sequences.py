"""The monitor at nightly looks: a fair game under its hypothesis, a rise is found, nothing depends on the order."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.statistics.changes import ALPHA, YEAR, Monitor, Night

NIGHTS = st.lists(st.lists(st.floats(0, 1), max_size=20), max_size=12)


def night(*risks: float) -> Night:
    return Night(len(risks), sum(risks), sum(risk * risk for risk in risks))


def year(monitor: Monitor, rng: random.Random, risk: float, nights: int = YEAR, answers: int = 30) -> Monitor:
    for _ in range(nights):
        bad = sum(rng.random() < risk for _ in range(answers))
        monitor = monitor.after(Night(answers, bad, bad))
    return monitor


@given(NIGHTS, st.sampled_from((0.05, 0.2, 0.5)))
def test_the_capital_grows_by_the_stake_of_a_night_on_average_at_the_threshold(
    nights: list[list[float]], threshold: float
) -> None:
    monitor = Monitor(threshold)
    for risks in nights:
        monitor = monitor.after(night(*risks))
    good, bad = monitor.after(night(0.0)).evidence, monitor.after(night(1.0)).evidence
    assert (1 - threshold) * good + threshold * bad == pytest.approx(monitor.evidence + 1 / YEAR)


@given(NIGHTS)
def test_the_interval_stays_within_bounds_and_an_empty_night_changes_nothing(nights: list[list[float]]) -> None:
    one = Monitor(0.1)
    for risks in nights:
        one = one.after(night(*risks))
        low, high = one.interval
        assert 0 <= low <= high <= 1
    assert one.answers == sum(map(len, nights))
    assert one.after(night()) == one


def test_no_more_than_the_promised_share_of_years_alarms_and_a_rise_is_found() -> None:
    rng = random.Random(0)  # noqa: S311
    made = [year(Monitor(0.1), rng, 0.1) for _ in range(60)]
    assert sum(bool(one.alarmed) for one in made) <= 60 * ALPHA
    assert all(one.interval[0] <= 0.1 <= one.interval[1] for one in made)
    calm = year(Monitor(0.1), rng, 0.06, 100)
    assert not calm.alarmed
    risen = year(calm, rng, 0.25, 40)
    assert 100 < risen.alarmed < 130
    assert year(risen, rng, 0.0, 20).alarmed == risen.alarmed


@pytest.mark.parametrize("sums", [(1, -0.1, 0.0), (1, 1.1, 1.0), (1, 0.5, 0.6), (-1, 0.0, 0.0), (1, math.nan, 0.0)])
def test_what_are_no_risks_is_refused(sums: tuple[int, float, float]) -> None:
    with pytest.raises(ValueError, match="sums of risks"):
        Monitor(0.1).after(Night(*sums))
