"""Numbers by value and unit; dates, clock times and versions apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text import normalise, numbers, same, versions


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("5 seconds", 5.0, "s"),
        ("5000 ms", 5.0, "s"),
        ("a 30-day trial", 30 * 86400.0, "s"),
        ("two weeks", 14 * 86400.0, "s"),
        ("twenty-one days", 21 * 86400.0, "s"),
        ("from day five you pay", 5.0, "ordinal"),
        ("after 3 it ends", 3.0, ""),
        ("2 years", 24.0, "month"),
        ("10%", 10.0, "%"),
        ("5 per cent", 5.0, "%"),
        ("1,234,567", 1234567.0, ""),
        ("8,00,000", 800000.0, ""),
        ("Rs. 800", 800.0, "INR"),
        ("$3.5 million", 3.5e6, "USD"),
        ("50 EUR", 50.0, "EUR"),
        ("5k", 5000.0, ""),
        ("two dozen", 24.0, ""),
        ("one hundred and five", 105.0, ""),
        ("one day", 86400.0, "s"),
        ("the 3rd", 3.0, "ordinal"),
        ("timeout=10.5", 10.5, ""),
        ("-1", -1.0, ""),
        ("2024-01-15", 738900.0, "date"),
        ("January 15, 2024", 738900.0, "date"),
        ("15 January 2024", 738900.0, "date"),
        ("at 14:30", 870.0, "clock"),
        ("5 p.m.", 1020.0, "clock"),
        ("100 retries", 100.0, "retries"),
        ("5 km", 5000.0, "metre"),
        ("20 millimetres", 0.02, "metre"),
        ("1.5 kg", 1500.0, "gram"),
        ("5 ms", 0.005, "s"),
        ("5M", 5.0, "m"),
        ("4G", 4.0, "g"),
    ],
)
def test_one_amount(text: str, value: float, unit: str) -> None:
    found = numbers(text)
    assert [(number.value, number.unit) for number in found] == [(value, unit)]


@pytest.mark.parametrize(
    "text", ["utf-8", "HTTP/2", "sha256", "x_1", "one of them", "this one", "9" * 40, "v1.2", "1.2.3"]
)
def test_digits_that_are_no_amount(text: str) -> None:
    assert numbers(text) == []


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        ("2 GB", "2048 MB", True),
        ("2 GB", "2000 megabytes", True),
        ("2 GB", "2 GiB", True),
        ("1000 bytes", "1024 bytes", False),
        ("90 minutes", "1.5 hours", True),
        ("5 seconds", "5 minutes", False),
        ("$5", "5 euros", False),
        ("1 year", "12 months", True),
        ("twelve", "12", True),
        ("5 km", "5000 m", True),
        ("1 kg", "1000 grams", True),
        ("5 km", "5 kg", False),
        ("5M", "5 m", False),
        ("1 km²", "1000 m²", False),
        ("50 %", "0.5", True),
        ("0.05", "5 percent", True),
        ("50 %", "0.5 seconds", False),
        ("100 %", "1", False),
        ("50 %", "0.6", False),
        ("Rs 800 a year", "Rs 800 a month", False),
        ("Rs 800 a year", "Rs 800 yearly", True),
        ("Rs 800 a year", "Rs 800", True),
        ("50 km/h", "50 km per hour", True),
        ("50 km/h", "50 km per second", False),
    ],
)
def test_equal_by_value(a: str, b: str, equal: bool) -> None:
    left, right = numbers(normalise(a))[0], numbers(normalise(b))[0]
    assert same(left, right) is same(right, left) is equal


def test_the_first_end_of_a_range_takes_the_unit_of_the_second() -> None:
    assert [number.value for number in numbers("5 to 10 minutes")] == [300.0, 600.0]
    assert [number.unit for number in numbers("5 and then, much later, 10 minutes")] == ["", "s"]


def test_the_second_end_of_a_range_takes_the_currency_of_the_first() -> None:
    assert [(number.value, number.unit) for number in numbers("Rs 500-800")] == [(500.0, "INR"), (800.0, "INR")]
    assert [number.unit for number in numbers("Rs 500 and 800")] == ["INR", ""]


def test_versions_and_their_places() -> None:
    text = "v2 of tool 1.2.3 needs version 3.11, not 2024-01-15"
    assert [found[0] for found in versions(text)] == ["2", "1.2.3", "3.11"]
    assert all(text[start:end] == digits for digits, start, end in versions(text))


def test_a_day_that_no_calendar_has() -> None:
    assert all(number.unit != "date" for number in numbers("2023-02-30"))


@given(st.floats(0, 1e9, allow_nan=False), st.sampled_from(["s", "ms", "days", "GB", "%", "USD", "x"]))
def test_written_numbers_are_read_back(value: float, unit: str) -> None:
    written = f"{value:.3f}"
    (number,) = numbers(f"{written} {unit}")
    assert same(number, numbers(f"{written} {unit}")[0])
    assert (number.value == pytest.approx(float(written))) is (unit in ("s", "%", "USD", "x") or float(written) == 0)


@given(st.text(alphabet=st.sampled_from("0123456789.,:-/ $%kmGBst年"), max_size=80))
def test_any_text_gives_ordered_finite_numbers(text: str) -> None:
    found = numbers(text)
    assert all(number.value == number.value and 0 <= number.start < number.end <= len(text) for number in found)
    assert [number.start for number in found] == sorted(number.start for number in found)


def test_the_word_behind_a_number_is_no_unit_of_our_own():
    found = numbers("0 date, 3 clock and 2 ordinal; 9000000 date")
    assert [(number.value, number.unit, number.known) for number in found] == [
        (value, "", False) for value in (0, 3, 2, 9000000)
    ]
