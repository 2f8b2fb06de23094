"""The period of a rate, right behind its amount."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text import numbers
from gate.text_periods import PERIODS, period, periods_named


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Rs 800 per month", "month"),
        ("Rs. 800/- per month", "month"),
        ("Rs 800/month", "month"),
        ("$5/mo.", "month"),
        ("$5 a year", "year"),
        ("$5 per annum", "year"),
        ("$5 p.a.", "year"),
        ("$5 annually", "year"),
        ("50 km/h", "hour"),
        ("100 requests a second.", "second"),
        ("8 hours every day", "day"),
        ("$90 per night", "day"),
        ("$90 a second time", ""),
        ("14 days a month's notice", ""),
        ("$90 per person", ""),
        ("$90 early", ""),
        ("$90, and a day later more", ""),
        ("$90 a days-long trip", ""),
        ("$90", ""),
    ],
)
def test_a_period(text: str, said: str) -> None:
    (first, *_) = numbers(text)
    assert first.per == said


def test_both_ends_of_a_range_with_one_unit_have_its_period() -> None:
    assert [number.per for number in numbers("5 to 10 GB a month")] == ["month", "month"]


def test_the_end_of_a_period() -> None:
    assert period("Rs 800 a year.", 6) == ("year", 13)
    assert period("Rs 800 early", 6) == ("", 6)


@given(st.text(alphabet=st.sampled_from("/- pera1ndyomth.s\n"), max_size=40), st.integers(0, 40))
def test_any_text_has_a_period_of_the_list_or_none(text: str, at: int) -> None:
    name, end = period(text, at)
    assert name in ("", "second", "minute", "hour", "day", "week", "month", "quarter", "year")
    assert end > at if name else end == at


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("It runs daily, and once a week it is swept.", {"day", "week"}),
        ("Every night it is locked.", {"day"}),
        ("paid quarterly", {"quarter"}),
        ("every two weeks", set()),
        ("a secretary and a minister", set()),
    ],
)
def test_the_periods_that_a_text_names(text: str, named: set[str]) -> None:
    assert periods_named(text) == {PERIODS[name] for name in named}
