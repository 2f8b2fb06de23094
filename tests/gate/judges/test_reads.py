"""What a reader's scores come to."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.judges.reads import SURE, reading_values, reads
from gate.judges.windows import Window

CHANCES = st.tuples(*[st.floats(0.0, 1.0)] * 3)
WINDOWS = st.lists(st.tuples(CHANCES, st.floats(0.0, 1.0)), min_size=1, max_size=6)


def values(*windows: tuple[tuple[float, float, float], float]) -> dict[str, float]:
    return reading_values([score for score, _ in windows], [met for _, met in windows])


def odds(chance: float) -> float:
    return math.log(chance / (1 - chance))


def test_one_window_speaks_for_itself() -> None:
    found = values(((0.7, 0.2, 0.1), 0.5))
    assert found["reads_supported"] == pytest.approx(odds(0.7))
    assert found["reads_contradicted"] == pytest.approx(odds(0.2))


def test_a_window_counts_as_far_as_it_speaks_of_the_claim() -> None:
    near, far = ((0.1, 0.8, 0.1), 0.5), ((0.5, 0.0, 0.5), 0.5)
    assert values(near, far)["reads_supported"] < (odds(0.1) + odds(0.5)) / 2 - 0.5


def test_a_window_counts_as_far_as_it_meets_the_claim() -> None:
    score, other = (0.8, 0.1, 0.1), (0.1, 0.8, 0.1)
    assert values((score, 0.9), (other, 0.2))["reads_supported"] > 0
    assert values((score, 0.2), (other, 0.9))["reads_supported"] < 0


@given(WINDOWS)
def test_support_lies_between_the_least_and_the_most_of_the_windows(
    given: list[tuple[tuple[float, ...], float]],
) -> None:
    scores, met = [list(score) for score, _ in given], [share for _, share in given]
    found = reading_values(scores, met)
    each = [one.supported for one in reads([Window("x", 0, 1)] * len(scores), scores)]
    assert min(each) - 1e-9 <= found["reads_supported"] <= max(each) + 1e-9
    assert all(math.isfinite(value) and abs(value) <= 2 * odds(1 - SURE) for value in found.values())


@given(WINDOWS)
def test_the_order_of_the_windows_says_nothing(given: list[tuple[tuple[float, ...], float]]) -> None:
    turned = given[::-1]
    one = reading_values([list(score) for score, _ in given], [share for _, share in given])
    two = reading_values([list(score) for score, _ in turned], [share for _, share in turned])
    assert one == pytest.approx(two)
