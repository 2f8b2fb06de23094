"""What the shared options take, and what they refuse with a sentence."""

import math

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from gate.commands.options import amount, count, positive, seconds, shard, whole
from tests.support.arguments import parse


@pytest.mark.parametrize(
    ("reader", "text", "message"),
    [
        (positive, "0", "is not a whole number from 1 on"),
        (positive, "1.5", "is not a whole number from 1 on"),
        (count, "-1", "is not a whole number from 0 on"),
        (whole, "0x10", "is not a whole number"),
        (amount, "nan", "is not a number from 0 on"),
        (amount, "1e999", "is not a number from 0 on"),
        (seconds, "1e-999", "0 seconds"),
        (seconds, "1e300", "longer than a clock can wait for"),
        (shard, "3/2", "is not a shard like 1/4"),
    ],
)
def test_what_is_refused(reader, text, message):
    with pytest.raises(typer.BadParameter, match=message):
        reader(text)


@given(st.integers(min_value=1))
def test_any_whole_number_from_one_on_is_read_back(number):
    assert positive(str(number)) == count(str(number)) == whole(str(number)) == number


@given(st.floats(min_value=0, max_value=1e9, exclude_min=True))
def test_any_amount_is_read_back(number):
    assert amount(repr(number)) == seconds(repr(number)) == number


@given(st.integers(-3, 12), st.integers(-3, 12))
def test_a_shard_is_one_of_its_number(first, second):
    if 1 <= first <= second:
        assert shard(f"{first}/{second}") == (first, second)
    else:
        with pytest.raises(typer.BadParameter, match="is not a shard like 1/4"):
            shard(f"{first}/{second}")


@given(st.text(max_size=12) | st.sampled_from(["1/", "1/2/3", "+1/2", " 1/2", "inf", "None", "\x1b[31m1"]))
def test_no_text_gets_past_the_options_as_something_else(text):
    for reader in (positive, count, amount, seconds, shard):
        try:
            value = reader(text)
        except typer.BadParameter:
            continue
        numbers = value if isinstance(value, tuple) else (value,)
        assert all(math.isfinite(number) and number >= 0 for number in numbers)


def test_outputs_are_gathered_in_their_order_and_do_not_leak_from_one_parse_to_the_next():
    assert parse(["run", "-o", "b.md", "--output", "a.json", "-o=c.xml"])["output"] == ["b.md", "a.json", "c.xml"]
    assert not parse(["run"])["output"]


def test_what_follows_two_dashes_is_no_option():
    assert parse(["ingest", "--", "-o=x", "--config"])["paths"] == ["-o=x", "--config"]
    assert parse(["ingest", "a", "-c", "x.yaml", "b"])["paths"] == ["a", "b"]
