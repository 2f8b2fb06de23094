"""Amounts by value, in whatever notation and unit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text import normalise, numbers
from gate.text.quantities import parts_named, yeardays


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,50 euros", 1.5),
        ("1,234.56", 1234.56),
        ("1 200 euros", 1200.0),
        ("8,00,000", 800000.0),
        ("two hundred and fifty thousand", 250000.0),
        ("a thousand and one", 1001.0),
    ],
)
def test_a_figure(text: str, value: float) -> None:
    assert [one.value for one in numbers(text)] == [value]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("pages 3,4 and 7", [3.0, 4.0, 7.0]),
        ("in 2020 300 people", [2020.0, 300.0]),
        ("two three-day passes", [2.0, 3 * 86400.0]),
        ("between ten and seven", [10.0, 7.0]),
        ("1 hour and 90 minutes", [3600.0, 5400.0]),
    ],
)
def test_several_figures_are_not_one(text: str, values: list[float]) -> None:
    assert [one.value for one in numbers(text)] == values


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("a 30-day trial", 30 * 86400.0, "s"),
        ("the 3rd", 3.0, "ordinal"),
        ("5 per cent", 5.0, "%"),
        ("Rs. 800", 800.0, "INR"),
        ("$3.5 million", 3.5e6, "USD"),
        ("one day", 86400.0, "s"),
        ("2024-01-15", 738900.0, "date"),
        ("at 14:30", 870.0, "clock"),
        ("100 retries", 100.0, "retries"),
        ("5M", 5.0, "m"),  # no length
        ("2 GB", 2e9, "B"),
        ("half an hour", 1800.0, "s"),
        ("an hour and a half", 5400.0, "s"),
        ("two and a half years", 30.0, "month"),
        ("half of your stake", 50.0, "%"),
        ("within a week", 604800.0, "s"),
        ("1 h 30 min", 5400.0, "s"),
    ],
)
def test_an_amount_with_its_unit(text: str, value: float, unit: str) -> None:
    assert [(one.value, one.unit) for one in numbers(normalise(text))] == [(pytest.approx(value), unit)]


@pytest.mark.parametrize(
    "text",
    ["utf-8", "HTTP/2", "sha256", "x_1", "one of them", "9" * 40, "v1.2", "1.2.3", "half of them", "half the day",
     "a week later", "within a day-long", "every quarter", "a third party", "the second half", "a third of it"],
)  # fmt: skip
def test_what_is_no_amount(text: str) -> None:
    assert numbers(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 to 10 minutes", [(300.0, "s"), (600.0, "s")]),
        ("1,5-2,5 kg", [(1500.0, "gram"), (2500.0, "gram")]),
        ("Rs 500-800", [(500.0, "INR"), (800.0, "INR")]),
        ("Rs 500 and 800", [(500.0, "INR"), (800.0, "")]),
    ],
)
def test_the_ends_of_a_range_share_their_unit(text: str, expected: list[tuple[float, str]]) -> None:
    assert [(one.value, one.unit) for one in numbers(text)] == expected


@pytest.mark.parametrize(
    ("text", "other"),
    [("2.500 euros", 2500.0), ("€2,500", None), ("0.500", None), ("2 GB", 2.0 * 1024**3), ("1000 bytes", None)],
)
def test_what_else_an_amount_may_be(text: str, other: float | None) -> None:
    assert [one.other for one in numbers(text)] == [other]


def test_the_days_of_a_year_that_a_date_may_be() -> None:
    (dated,), (day,) = numbers("03/04/2024"), numbers("by 3 April")
    assert yeardays(day) < yeardays(dated)
    assert len(yeardays(dated)) == 2


def test_the_parts_of_a_whole_that_a_text_names() -> None:
    assert [share for share, _, _ in parts_named("half price, and a tenth off")] == [0.5, 0.1]
    assert list(parts_named("halfway")) == []


@given(st.floats(0, 1e9, allow_nan=False), st.sampled_from(["s", "ms", "days", "GB", "%", "USD", "x"]))
def test_written_numbers_are_found(value: float, unit: str) -> None:
    written = f"{value:.3f}"
    (number,) = numbers(f"{written} {unit}")
    assert (number.value == pytest.approx(float(written))) is (unit in ("s", "%", "USD", "x") or float(written) == 0)


@given(st.text(alphabet=st.sampled_from("0123456789.,:-/ $%kmGBst年"), max_size=80))
def test_any_text_gives_ordered_finite_numbers(text: str) -> None:
    found = numbers(text)
    assert all(number.value == number.value and 0 <= number.start < number.end <= len(text) for number in found)
    assert [number.start for number in found] == sorted(number.start for number in found)
