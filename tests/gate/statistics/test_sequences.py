"""The monitor at nightly looks: a fair game under its hypothesis, a rise is found, nothing depends on the order."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.statistics.sequences import ALPHA, YEAR, Monitor, Night

NIGHTS = st.lists(st.dictionaries(st.integers(0, 1000), st.integers(1, 50), max_size=4), max_size=12)


def year(monitor: Monitor, rng: random.Random, risk: float, nights: int = YEAR, answers: int = 30) -> Monitor:
    for _ in range(nights):
        bad = sum(rng.random() < risk for _ in range(answers))
        monitor = monitor.after({0: answers - bad, 1000: bad})
    return monitor


@given(NIGHTS, st.sampled_from((0.05, 0.2, 0.5)))
def test_the_capital_grows_by_the_stake_of_a_night_on_average_at_the_threshold(
    nights: list[Night], threshold: float
) -> None:
    monitor = Monitor(threshold)
    for night in nights:
        monitor = monitor.after(night)
    good, bad = monitor.after({0: 1}).evidence, monitor.after({1000: 1}).evidence
    assert (1 - threshold) * good + threshold * bad == pytest.approx(monitor.evidence + 1 / YEAR)


@given(NIGHTS)
def test_a_night_is_a_count_and_the_interval_stays_within_bounds(nights: list[Night]) -> None:
    one = other = Monitor(0.1)
    for night in nights:
        one, other = one.after(night), other.after(dict(reversed(night.items())) | {77: night.get(77, 0)})
        low, high = one.interval
        assert 0 <= low <= high <= 1
    assert one.answers == sum(sum(night.values()) for night in nights)
    assert other.evidence == pytest.approx(one.evidence)
    assert one.after({}) == one


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


@pytest.mark.parametrize("night", [{-1: 1}, {1001: 1}, {0: -1}])
def test_what_is_no_risk_is_refused(night: Night) -> None:
    with pytest.raises(ValueError, match="thousandths"):
        Monitor(0.1).after(night)
