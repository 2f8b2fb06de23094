"""Figures by value, in whatever notation."""

from __future__ import annotations

import pytest

from gate.text import numbers, same
from gate.text_figures import thousands


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,50 euros", 1.5),
        ("€1,50", 1.5),
        ("€ 1,5", 1.5),
        ("1,5 km", 1500.0),
        ("1.234,56", 1234.56),
        ("10 000 rows", 10000.0),
        ("1 200 euros", 1200.0),
        ("1'200 francs", 1200.0),
        ("1,234.56", 1234.56),
        ("1,00,000", 100000.0),
        ("1,000", 1000.0),
        ("0.125", 0.125),
        ("twenty-five", 25.0),
        ("two hundred and fifty thousand", 250000.0),
        ("two hundred thousand and five", 200005.0),
        ("five million two hundred thousand", 5200000.0),
        ("one thousand five hundred", 1500.0),
        ("twelve hundred", 1200.0),
        ("three hundred sixty-five", 365.0),
        ("a thousand and one", 1001.0),
    ],
)
def test_a_figure(text: str, value: float) -> None:
    assert [one.value for one in numbers(text)] == [value]


def test_both_ends_of_a_range_have_decimal_commas() -> None:
    assert [(one.value, one.unit) for one in numbers("1,5-2,5 kg")] == [(1500.0, "gram"), (2500.0, "gram")]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("pages 3,4 and 7", [3.0, 4.0, 7.0]),
        ("room 12 100 beds", [12.0, 100.0]),
        ("in 2020 300 people", [2020.0, 300.0]),
        ("one seven days after", [7 * 86400.0]),
        ("two three-day passes", [2.0, 3 * 86400.0]),
        ("two-three days", [2 * 86400.0, 3 * 86400.0]),
        ("between two hundred and three hundred", [200.0, 300.0]),
    ],
)
def test_several_figures_are_not_one(text: str, values: list[float]) -> None:
    assert [one.value for one in numbers(text)] == values


def test_a_point_before_three_digits_may_stand_between_thousands() -> None:
    (point,), (comma,), (less,) = (numbers(text) for text in ("2.500 euros", "€2,500", "€25"))
    assert same(point, comma)
    assert not same(point, less)
    assert not thousands("0.500")
    assert not thousands("2.5000")
