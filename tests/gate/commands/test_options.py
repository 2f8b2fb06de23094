"""What the shared options take, and what they refuse with a sentence."""

import argparse
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.commands.options import amount, count, output_option, positive, seconds, shard

HOSTILE = ["", " ", "x", "nan", "inf", "-inf", "-1", "1e999", "0x10", "1/2", "\x1b[31m1", "--", "None"]


@pytest.mark.parametrize("text", [*HOSTILE, "0", "-0", "1.5", "1e3"])
def test_not_a_whole_number_from_one_on(text):
    with pytest.raises(argparse.ArgumentTypeError, match="is not a whole number from 1 on"):
        positive(text)


@pytest.mark.parametrize("text", [*HOSTILE, "1.5"])
def test_not_a_whole_number_from_none_on(text):
    with pytest.raises(argparse.ArgumentTypeError, match="is not a whole number from 0 on"):
        count(text)
    assert count("0") == 0


@pytest.mark.parametrize("text", HOSTILE)
def test_not_an_amount(text):
    with pytest.raises(argparse.ArgumentTypeError, match="is not a number from 0 on"):
        amount(text)


@pytest.mark.parametrize("text", ["0", "0.0", "-0", "1e-999"])
def test_a_run_of_no_time_is_refused_but_one_that_costs_nothing_is_not(text):
    assert amount(text) == 0
    with pytest.raises(argparse.ArgumentTypeError, match="0 seconds"):
        seconds(text)


def test_no_time_is_longer_than_a_clock_can_wait_for():
    assert seconds("1e9") == 1e9
    with pytest.raises(argparse.ArgumentTypeError, match="longer than a clock can wait for"):
        seconds("1e300")


@given(st.integers(min_value=1))
def test_any_whole_number_from_one_on_is_read_back(number):
    assert positive(str(number)) == count(str(number)) == number


@given(st.floats(min_value=0, allow_nan=False, allow_infinity=False, exclude_min=True))
def test_any_amount_is_read_back(number):
    assert amount(repr(number)) == number
    if number <= 1e9:
        assert seconds(repr(number)) == number


@given(st.integers(-3, 12), st.integers(-3, 12))
def test_a_shard_is_one_of_its_number(first, second):
    if 1 <= first <= second:
        assert shard(f"{first}/{second}") == (first, second)
    else:
        with pytest.raises(argparse.ArgumentTypeError, match="is not a shard like 1/4"):
            shard(f"{first}/{second}")


@pytest.mark.parametrize("text", ["", "/", "1", "1/", "/1", "1/2/3", "a/b", "+1/2", "1.0/2", " 1/2", "0/0"])
def test_what_is_no_shard(text):
    with pytest.raises(argparse.ArgumentTypeError, match="is not a shard like 1/4"):
        shard(text)


@given(st.text(max_size=12))
def test_no_text_gets_past_the_options_as_something_else(text):
    for read in (positive, count, amount, seconds, shard):
        try:
            value = read(text)
        except argparse.ArgumentTypeError:
            continue
        numbers = value if isinstance(value, tuple) else (value,)
        assert all(math.isfinite(number) and number >= 0 for number in numbers)


def test_outputs_are_gathered_in_their_order_and_do_not_leak_from_one_parse_to_the_next():
    parser = argparse.ArgumentParser()
    output_option(parser)
    assert parser.parse_args(["-o", "b.md", "--output", "a.json"]).output == ["b.md", "a.json"]
    assert parser.parse_args([]).output == []
