"""Dates, clock times and versions in text."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text_dates import again, clocks, dates, day_of, days, outside, turned, versions
from tests.support.steps import growth

MONTH_LIST = "January February March April May June July August September October November December"
MONTHS = MONTH_LIST.split()
NOISE = st.text(st.sampled_from("0123456789.:-/ apm,vJjanMarDec\n²٣versionth"), max_size=60) | st.text(max_size=60)


@pytest.mark.parametrize(
    ("text", "year", "month", "day"),
    [
        ("sown on 2023-04-09.", 2023, 4, 9),
        ("sown at 2023-04-09T06:00", 2023, 4, 9),
        ("9 April 2023", 2023, 4, 9),
        ("the 9th of April 2023", 2023, 4, 9),
        ("April 9, 2023", 2023, 4, 9),
        ("Apr. 9th 2023", 2023, 4, 9),
        ("APRIL 9 2023", 2023, 4, 9),
        ("29 Feb 2024", 2024, 2, 29),
        ("3 Sept 1752", 1752, 9, 3),
        ("since 09.04.2023.", 2023, 4, 9),
        ("09/04/2023", 2023, 4, 9),
        ("04/29/2023", 2023, 4, 29),
    ],
)
def test_a_date(text: str, year: int, month: int, day: int) -> None:
    assert [found[0] for found in dates(text)] == [date(year, month, day).toordinal()]


@pytest.mark.parametrize(
    "text", ["", "2023-02-30", "2023-13-01", "31 June 2020", "29 Feb 2023", "April 9", "2023-04-091", "May 2023",
             "0999-01-01", "12023-04-09", "April 0, 2023", "10.4.2.2023", "31.02.2023", "v1.2.2020", "9.4.2023.1"],
)  # fmt: skip
def test_no_date(text: str) -> None:
    assert dates(text) == []


def test_a_date_with_slashes_may_be_another_day() -> None:
    assert turned("09/04/2023") == date(2023, 9, 4).toordinal()
    assert turned("29/04/2023") is None
    assert turned("09.04.2023") is None


@pytest.mark.parametrize(
    ("text", "month", "day"),
    [
        ("by 31 March.", 3, 31),
        ("March 31st", 3, 31),
        ("the 31st of March", 3, 31),
        ("on the 29th day of February", 2, 29),
        ("from 1-5 Sept", 9, 5),
    ],
)
def test_a_day_without_its_year(text: str, month: int, day: int) -> None:
    assert [found[0] for found in days(text)] == [day_of(date(2000, month, day))]


@pytest.mark.parametrize(
    "text", ["31 March 2023", "March 31, 2023", "March 2023", "31 April", "you may 5 times", "March 3.5", "31 marched"]
)
def test_no_day_without_its_year(text: str) -> None:
    assert days(text) == []


def test_dates_in_order_with_their_places() -> None:
    text = "Open from 1 May 2021 to September 30, 2021; closed since 2022-01-10."
    assert [text[start:end] for _, start, end in dates(text)] == ["1 May 2021", "September 30, 2021", "2022-01-10"]


@given(st.dates(date(1000, 1, 1), date(2999, 12, 31)))
def test_every_way_to_write_a_day_is_the_same_day(day: date) -> None:
    name = MONTHS[day.month - 1]
    ways = [day.isoformat(), f"{day.day} {name} {day.year}", f"{name[:3]} {day.day}, {day.year}"]
    assert [dates(way) for way in ways] == [[(day.toordinal(), 0, len(way))] for way in ways]


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("The ferry leaves at 14:30.", [870]),
        ("at 6:05:59", [365]),
        ("5 pm", [1020]),
        ("5PM", [1020]),
        ("5:15 p.m.", [1035]),
        ("12 am", [0]),
        ("12 pm", [720]),
        ("12:30 a.m.", [30]),
        ("00:00 to 24:00", [0, 1440]),
        ("from 9 am to 11:45", [540, 705]),
        ("9 boats", []),
        ("25:00", []),
        ("24:45", []),
        ("13 pm", []),
        ("14:30 am", []),
        ("12:59 am", [59]),
        ("6:05:99", []),
        ("7:60", []),
        ("1.2:30", []),
        ("5 pmx", []),
        ("ratio 3:4", []),
        ("until 7.30 pm", [1170]),
        ("7.30 litres", []),
        ("from noon to midnight", [720, 0]),
        ("at 12 noon", [720]),
        ("at midday", [720]),
        ("the afternoon", []),
        ("at 7 o'clock", [420]),
        ("by four o'clock today, at four o'clock in the afternoon", [240, 960]),
        ("from ten at night till seven in the morning", [1320, 420]),
        ("at 7 o'clock in the evening", [1140]),
        ("at 3 in the afternoon, till 1 at night, by 7:30 in the morning", [900, 60, 450]),
        ("one in the morning and two in the evening", []),
        ("ten at a time", []),
    ],
)
def test_clock_times(text: str, minutes: list[int]) -> None:
    assert [found[0] for found in clocks(text)] == minutes


def test_midnight_and_a_bare_hour_are_two_times_of_day() -> None:
    assert again(0, "12 am") == 1440
    assert again(1440, "24:00") == 0
    assert again(420, "7 o'clock") == 1140
    assert again(1140, "19 o'clock") == 420
    assert again(420, "7 am") is None


@given(st.integers(0, 23), st.integers(0, 59))
def test_both_clocks_agree(hour: int, minute: int) -> None:
    half = f"{(hour + 11) % 12 + 1}:{minute:02} {'ap'[hour // 12]}m"
    expected = [60 * hour + minute]
    assert [found[0] for found in clocks(f"{hour:02}:{minute:02}")] == expected
    assert [found[0] for found in clocks(half)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("release 1.2.3 is out", ["1.2.3"]),
        ("v2 and V3.1", ["2", "3.1"]),
        ("version 3.11", ["3.11"]),
        ("versions 4 and later", ["4"]),
        ("1.2.3-rc1, 1.2.4b2", ["1.2.3", "1.2.4"]),
        ("10.1.2.3.4.5", ["10.1.2.3.4.5"]),
        ("1.3.6.1.4.1.311", ["1.3.6.1.4.1.311"]),
        ("v1.2.3.4.5.6.7.", ["1.2.3.4.5.6.7"]),
        ("1" + ".1" * 12, []),
        ("v1" + ".1" * 12, []),
        ("3.14 litres", []),
        ("42", []),
        ("x1.2.3", []),
        ("v2x", []),
    ],
)
def test_versions(text: str, expected: list[str]) -> None:
    assert [found[0] for found in versions(text)] == expected


@given(st.lists(st.integers(0, 999_999), min_size=3, max_size=12).map(lambda parts: ".".join(map(str, parts))))
def test_a_version_is_found_where_it_stands(version: str) -> None:
    assert versions(f"since {version} only") == [(version, 6, 6 + len(version))]


@given(NOISE)
def test_any_text_gives_spans_in_bounds_and_in_order(text: str) -> None:
    for found in (dates(text), days(text), clocks(text), versions(text)):
        ends = [0, *(end for *_, end in found)]
        assert all(before <= start < end <= len(text) for before, (_, start, end) in zip(ends, found, strict=False))
    assert all(text[start:end] == version for version, start, end in versions(text))
    assert all(0 <= minutes <= 24 * 60 for minutes, *_ in clocks(text))


SPANS = st.lists(st.integers(0, 60), unique=True, max_size=16).map(sorted).map(
    lambda cuts: list(zip(cuts[::2], cuts[1::2], strict=False))
)  # fmt: skip


@given(SPANS, SPANS)
def test_outside_is_what_overlaps_nothing(spans: list[tuple[int, int]], taken: list[tuple[int, int]]) -> None:
    free = [(a, b) for a, b in spans if not any(set(range(a, b)) & set(range(c, d)) for c, d in taken)]
    assert outside(spans, iter(taken)) == free


@pytest.mark.parametrize("unit", ["1.", "12:", "2023-04-", "9 April ", "v", "version ", "1 pm ", "0"])
def test_long_and_hostile_texts_end(unit: str) -> None:
    text = unit * (30_000 // len(unit))
    for found in (dates(text), days(text), clocks(text), versions(text)):
        assert all(0 <= start < end <= len(text) for *_, start, end in found)


def test_many_times_of_day_are_read_in_linear_time():
    assert growth(lambda size: clocks("1:00, at nine in the morning, " * size), 300) < 3


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("on 24 and 25 March", [24, 25]),
        ("on March 24 and 25.", [24, 25]),
        ("on the 3rd, 4th or 5th of March", [3, 4, 5]),
        ("March 3, 4, and 5", [3, 4, 5]),
        ("from 3 to 9 March", [3, 9]),
        ("On March 3 and 12 boats came", [3]),
        ("piers 112 and 9 March", [9]),
        ("piers 40 and 9 March", [9]),
        ("two boats and 9 March", [9]),
    ],
)
def test_days_that_share_their_month(text: str, told: list[int]) -> None:
    assert [found[0] for found in days(text)] == [day_of(date(2000, 3, day)) for day in told]
