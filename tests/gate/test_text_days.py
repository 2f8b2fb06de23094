"""Days of the week in text."""

from __future__ import annotations

import pytest

from gate.text_days import named_days, ranges, week_of


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Mon-Fri", {0, 1, 2, 3, 4}),
        ("Monday through Friday", {0, 1, 2, 3, 4}),
        ("Fri. to Mon.", {4, 5, 6, 0}),
        ("on Fridays and on Sunday", {4, 6}),
        ("at the weekend", {5, 6}),
        ("on weekdays", {0, 1, 2, 3, 4}),
        ("open daily.", set(range(7))),
        ("every day from 9", set(range(7))),
        ("the daily limit", set()),
        ("the sun sat on the wed", set()),
    ],
)
def test_days(text: str, days: set[int]) -> None:
    assert week_of(text) == days


def test_ranges() -> None:
    assert ranges("Tue-Thu, Saturday to Sunday") == [{1, 2, 3}, {5, 6}]
    assert ranges("Monday and Friday") == []


def test_short_names_in_a_range_are_spelled_out() -> None:
    assert named_days("Mon-Sat, 9 to 5") == "Monday to Saturday, 9 to 5"
    assert named_days("the sun-fried fish") == "the sun-fried fish"
