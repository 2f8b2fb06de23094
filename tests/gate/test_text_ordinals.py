"""Places in a row in words."""

from __future__ import annotations

import pytest

from gate.text_ordinals import ordinals


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("from the fifth day on", [5]),
        ("from day five, or day 6", [5, 6]),
        ("the third of each month", [3]),
        ("on the first working day", [1]),
        ("in week two", [2]),
        ("the twelfth guest", [12]),
        ("First, open it. Wait a second.", []),
        ("first class, second hand, third parties", []),
        ("a fifth of the price", []),
        ("two fifths", []),
        ("once a day 5 boats", []),
        ("each week two trips", []),
        ("day 5.5", []),
        ("that day two boats left", []),
        ("year 2024", []),
    ],
)
def test_places(text: str, places: list[int]) -> None:
    assert [place for place, *_ in ordinals(text)] == places


def test_where_they_stand() -> None:
    text = "Pay by day 3 of it, or the fourth."
    assert [text[start:end] for _, start, end in ordinals(text)] == ["day 3", "fourth"]
