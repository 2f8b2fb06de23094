"""What a reader's scores come to."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.judges.reads import DENIED, ENOUGH, OPEN, SURE, WHOLE, Read, decided, denied, reading_values, settled
from gate.judges.windows import Window

CHANCES = st.tuples(*[st.floats(0.0, 1.0)] * 3)
READS = st.lists(st.builds(Read, st.just(Window("x", 0, 1)), CHANCES, st.floats(0.0, 1.0)), min_size=1, max_size=6)


def read(chances: tuple[float, float, float], met: float = 0.5) -> Read:
    return Read(Window("x", 0, 1), chances, met)


def odds(chance: float) -> float:
    return math.log(chance / (1 - chance))


def test_one_window_speaks_for_itself() -> None:
    found = reading_values([read((0.7, 0.2, 0.1))])
    assert found["reads_supported"] == pytest.approx(odds(0.7))
    assert found["reads_contradicted"] == pytest.approx(odds(0.2))


def test_a_window_counts_as_far_as_it_speaks_of_the_claim() -> None:
    near, far = read((0.1, 0.8, 0.1)), read((0.5, 0.0, 0.5))
    assert reading_values([near, far])["reads_supported"] < (odds(0.1) + odds(0.5)) / 2 - 0.5


def test_a_window_counts_as_far_as_it_meets_the_claim() -> None:
    one, other = (0.8, 0.1, 0.1), (0.1, 0.8, 0.1)
    assert reading_values([read(one, 0.9), read(other, 0.2)])["reads_supported"] > 0
    assert reading_values([read(one, 0.2), read(other, 0.9)])["reads_supported"] < 0


def test_what_is_found_on_balance_counts_a_window_as_far_as_it_speaks_of_the_claim() -> None:
    found = reading_values([read((0.6, 0.2, 0.2)), read((0.1, 0.4, 0.5))])
    assert found["reads_margin"] == pytest.approx((4 * math.log(3) - 1 * math.log(4)) / 6)


def test_what_every_window_bears_out_is_settled() -> None:
    sure, unsure = read((ENOUGH, 0.1, 0.1)), read((ENOUGH - 0.01, 0.1, 0.1))
    assert settled([sure])
    assert settled([sure, sure])
    assert not settled([unsure, sure])
    assert not settled([])


def test_the_more_was_read_the_sooner_a_claim_is_decided() -> None:
    for windows, (low, high) in enumerate(OPEN, 1):
        assert decided(windows, low - 0.01)
        assert decided(windows, high + 0.01)
        assert not decided(windows, low)
        assert not decided(windows, high)
    assert tuple(sorted(OPEN)) == OPEN
    assert [high for _, high in OPEN] == sorted((high for _, high in OPEN), reverse=True)


def test_what_was_not_read_or_read_to_the_end_is_not_decided_early() -> None:
    assert not decided(0, 0.0)
    assert not decided(0, 1.0)
    assert not decided(len(OPEN) + 1, 1.0)


@given(READS)
def test_support_lies_between_the_least_and_the_most_of_the_windows(given: list[Read]) -> None:
    found = reading_values(given)
    each = [one.supported for one in given]
    assert min(each) - 1e-9 <= found["reads_supported"] <= max(each) + 1e-9
    assert all(math.isfinite(value) and abs(value) <= 2 * odds(1 - SURE) for value in found.values())


@given(READS)
def test_the_order_of_the_windows_says_nothing(given: list[Read]) -> None:
    assert reading_values(given) == pytest.approx(reading_values(given[::-1]))


def test_a_claim_is_denied_where_every_window_with_its_words_is_certain_of_it() -> None:
    certain, unsure, agrees = (0.02, DENIED, 0.06), (0.2, DENIED - 0.02, 0.1), (0.9, 0.05, 0.05)
    assert denied([read(certain, 1.0), read(certain, WHOLE)])
    assert denied([read(certain, 1.0), read(agrees, WHOLE - 0.01)])  # it lacks a word: it may speak of another thing
    assert not denied([read(certain, 1.0), read(unsure, 1.0)])
    assert not denied([read(certain, 1.0), read(agrees, 1.0)])
    assert not denied([read(certain, 0.8)])
    assert not denied([])
