"""Figures of the measures as people read them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.measures.table import MEASURES
from gate.reports.measure_words import (
    difference_interval,
    means,
    part,
    part_title,
    plain,
    shown,
    shown_difference,
    usd,
)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("relevance", 0.71, "0.710"),
        ("correctness", 3.456, "3.46"),
        ("latency", 80.0, "80 ms"),
        ("latency", 1300.0, "1.3 s"),
        ("cost", 0.000031, "$0.000031"),
        ("cost", 1.25, "$1.25"),
        ("cost", 0.0, "$0.00"),
        ("cost", None, "–"),
        ("latency", math.inf, "–"),
        ("cost", 1e300, "1e+300"),
        ("never heard of", 0.5, "0.500"),
    ],
)
def test_a_value_has_its_unit(name, value, text):
    assert shown(name, value) == text


def test_differences_are_signed():
    assert shown_difference("latency", -90.0) == "−90 ms"
    assert difference_interval("cost", [-0.001, 0.002]) == "−$0.0010 to +$0.0020"
    assert difference_interval("cost", None) == "–"


def test_round_figures_have_no_idle_zeros():
    assert (plain("relevance", 0.6), plain("correctness", 4.0), plain("latency", 1500)) == ("0.6", "4", "1.5 s")
    assert (part("latency", "p50", 90.0), part("relevance", "question", 0.5)) == ("90 ms", "0.500")


def test_aspects_are_told_in_words():
    assert (part_title("aspects"), part("completeness", "aspects", 1.3)) == ("aspects a question", "1.3")


@given(st.floats(min_value=1e-12, max_value=1e9))
def test_an_amount_keeps_two_digits(value):
    assert float(usd(value).replace("$", "").replace(",", "")) == pytest.approx(value, rel=0.06, abs=0.0)


def test_every_measure_is_explained():
    assert all(means(name).endswith(".") for name in MEASURES)
    assert means("never heard of") == ""
