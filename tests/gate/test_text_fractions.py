"""Amounts by halves and quarters."""

import pytest

from gate.text import numbers
from gate.text_fractions import fractions, parts_named


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("half an hour", 1800.0, "s"),
        ("a half-hour talk", 1800.0, "s"),
        ("a quarter of an hour", 900.0, "s"),
        ("three quarters of an hour", 2700.0, "s"),
        ("an hour and a half", 5400.0, "s"),
        ("2 hours and a half", 9000.0, "s"),
        ("two and a half years", 30.0, "month"),
        ("half a euro", 0.5, "EUR"),
        ("half a megabyte", 500000.0, "B"),
        ("nine tenths of it", 90.0, "%"),
        ("half the price", 50.0, "%"),
        ("half of your stake", 50.0, "%"),
        ("within a week", 604800.0, "s"),
        ("it lasts a year", 12.0, "month"),
        ("a fortnight", 1209600.0, "s"),
        ("1 h 30 min", 5400.0, "s"),
        ("the first half hour", 1800.0, "s"),
        ("one hour and thirty minutes", 5400.0, "s"),
        ("2 minutes, 5 seconds", 125.0, "s"),
        ("2 years and 6 months", 30.0, "month"),
        ("1 week and 3 days", 864000.0, "s"),
        ("3 days 4 hours", 273600.0, "s"),
    ],
)
def test_parts_of_a_unit_and_of_a_whole_are_amounts(text: str, value: float, unit: str) -> None:
    assert [(one.value, one.unit) for one in numbers(text)] == [(pytest.approx(value), unit)]


@pytest.mark.parametrize(
    "text",
    [
        "half of them",
        "the other half of the",
        "half the day",
        "a week later",
        "within a day-long",
        "every quarter",
        "a third party",
        "the second half",
        "a third of it",
    ],
)
def test_parts_of_nothing_measured_are_none(text: str) -> None:
    assert list(fractions(text)) == []
    assert numbers(text) == []


def test_two_units_that_are_no_sum_are_two_amounts() -> None:
    assert [one.value for one in numbers("between 1 hour and 30 minutes")] == [3600.0, 1800.0]
    assert [one.value for one in numbers("1 hour and 90 minutes")] == [3600.0, 5400.0]


def test_what_is_said_by_parts_may_be_for_a_period() -> None:
    assert [one.per for one in numbers("half an hour per week")] == ["week"]


def test_and_joins_a_number_behind_a_hundred_only() -> None:
    assert [one.value for one in numbers("between ten and seven")] == [10.0, 7.0]
    assert [one.value for one in numbers("two hundred and five")] == [205.0]


def test_a_shortened_not_is_no_unit() -> None:
    assert [one.unit for one in numbers("six isn't enough")] == [""]


def test_the_parts_that_a_text_names() -> None:
    assert [share for share, _, _ in parts_named("half price, and a tenth off")] == [0.5, 0.1]
    assert list(parts_named("halfway")) == []
