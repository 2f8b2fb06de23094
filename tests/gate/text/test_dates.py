"""Dates, times of day, versions, ordinals and periods."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text import numbers, versions
from gate.text.dates import (
    PERIODS,
    clocks,
    dates,
    day_of,
    days,
    ordinals,
    other_date,
    other_time,
    periods_named,
)
from tests.support.steps import growth

MONTH_LIST = "January February March April May June July August September October November December"
MONTHS = MONTH_LIST.split()
NOISE = st.text(st.sampled_from("0123456789.:-/ apm,vJjanMarDec\n²٣versionth"), max_size=60) | st.text(max_size=60)


@pytest.mark.parametrize(
    ("text", "year", "month", "day"),
    [
        ("sown at 2023-04-09T06:00", 2023, 4, 9),
        ("the 9th of April 2023", 2023, 4, 9),
        ("09/04/2023", 2023, 4, 9),
        ("04/29/2023", 2023, 4, 29),
    ],
)
def test_a_date(text: str, year: int, month: int, day: int) -> None:
    assert [found[0] for found in dates(text)] == [date(year, month, day).toordinal()]


@pytest.mark.parametrize(
    "text", ["2023-02-30", "31 June 2020", "April 9", "2023-04-091", "May 2023", "0999-01-01", "12023-04-09",
             "April 0, 2023", "10.4.2.2023", "31.02.2023", "v1.2.2020", "9.4.2023.1"],
)  # fmt: skip
def test_no_date(text: str) -> None:
    assert dates(text) == []


@given(st.dates(date(1000, 1, 1), date(2999, 12, 31)))
def test_every_way_to_write_a_day_is_the_same_day(day: date) -> None:
    name = MONTHS[day.month - 1]
    ways = [day.isoformat(), f"{day.day} {name} {day.year}", f"{name[:3]} {day.day}, {day.year}"]
    assert [dates(way) for way in ways] == [[(day.toordinal(), 0, len(way))] for way in ways]


def test_a_date_with_slashes_may_be_another_day() -> None:
    assert other_date("09/04/2023") == date(2023, 9, 4).toordinal()
    assert other_date("29/04/2023") is None
    assert other_date("09.04.2023") is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("by 31 March.", [31]),
        ("from 1-5 March", [5]),
        ("on March 24 and 25.", [24, 25]),
        ("On March 3 and 12 boats came", [3]),
        ("31 March 2023", []),
        ("you march 5 times", []),
    ],
)
def test_days_without_their_year(text: str, found: list[int]) -> None:
    assert [day for day, *_ in days(text)] == [day_of(date(2000, 3, day)) for day in found]


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("The ferry leaves at 14:30.", [870]),
        ("5PM, 5:15 p.m.", [1020, 1035]),
        ("00:00 to 24:00", [0, 1440]),
        ("9 boats, 25:00, 24:45, 13 pm, 6:05:99, 7:60, 1.2:30, 5 pmx, ratio 3:4", []),
        ("by four o'clock today, at four o'clock in the afternoon", [240, 960]),
        ("at 3 in the afternoon, till 1 at night, by 7:30 in the morning", [900, 60, 450]),
        ("one in the morning and two in the evening, ten at a time", []),
    ],
)
def test_times_of_day(text: str, minutes: list[int]) -> None:
    assert [found[0] for found in clocks(text)] == minutes


@given(st.integers(0, 23), st.integers(0, 59))
def test_both_clocks_agree(hour: int, minute: int) -> None:
    half = f"{(hour + 11) % 12 + 1}:{minute:02} {'ap'[hour // 12]}m"
    assert [[found[0] for found in clocks(text)] for text in (f"{hour:02}:{minute:02}", half)] == [
        [60 * hour + minute]
    ] * 2


def test_midnight_and_a_bare_hour_are_two_times_of_day() -> None:
    assert (other_time(0, "12 am"), other_time(1440, "24:00")) == (1440, 0)
    assert (other_time(420, "7 o'clock"), other_time(1140, "19 o'clock")) == (1140, 420)
    assert other_time(420, "7 am") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("v2 and V3.1, version 3.11, versions 4 and later", ["2", "3.1", "3.11", "4"]),
        ("1.2.3-rc1, 1.2.4b2", ["1.2.3", "1.2.4"]),
        ("3.14 litres, 42, x1.2.3, v2x, 15.01.2024", []),
    ],
)
def test_versions(text: str, expected: list[str]) -> None:
    assert [found[0] for found in versions(text)] == expected


@given(NOISE)
def test_any_text_gives_spans_in_bounds_and_in_order(text: str) -> None:
    for found in (dates(text), days(text), clocks(text), versions(text), list(ordinals(text))):
        ends = [0, *(end for *_, end in found)]
        assert all(before <= start < end <= len(text) for before, (_, start, end) in zip(ends, found, strict=False))
    assert all(text[start:end] == version for version, start, end in versions(text))
    assert all(0 <= minutes <= 24 * 60 for minutes, *_ in clocks(text))


def test_many_times_of_day_are_found_in_linear_time() -> None:
    assert growth(lambda size: clocks("1:00, at nine in the morning, " * size), 300) < 3


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("from the fifth day on, or from day five, or day 6", [5, 5, 6]),
        ("the third of each month, on the first working day", [3, 1]),
        ("First, open it. Wait a second. First class, second hand, third parties", []),
        ("a fifth of the price, two fifths", []),
    ],
)
def test_ordinals(text: str, places: list[int]) -> None:
    assert [place for place, *_ in ordinals(text)] == places


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rs. 800/- per month", "month"),
        ("$5 p.a.", "year"),
        ("8 hours every day", "day"),
        ("half an hour weekly", "week"),
        ("$90 a second time", ""),
    ],
)
def test_the_period_of_a_rate(text: str, expected: str) -> None:
    assert numbers(text)[0].per == expected


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("It runs daily, and once a week it is swept; paid quarterly.", {"day", "week", "quarter"}),
        ("every two weeks a secretary and a minister", set()),
    ],
)
def test_the_periods_that_a_text_names(text: str, named: set[str]) -> None:
    assert periods_named(text) == {PERIODS[name] for name in named}
