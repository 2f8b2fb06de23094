"""The parts of a question that an answer speaks of."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.measured import case, rated, reading

PLAN = "The Standard plan costs Rs 800 a month. Cancel any time before the next month begins."
PRICE = "How much does the Standard plan cost?"
BOTH = "How much does the Standard plan cost? Where do dogs travel?"
COST, DOGS = "The Standard plan costs Rs 800.", "Dogs travel on deck."


def test_the_parts_of_the_question_that_are_spoken_of():
    values = [rated("completeness", case(BOTH, answer)).value for answer in (f"{COST} {DOGS}", COST, DOGS, "It rains.")]
    assert values == [1.0, 0.5, 0.5, 0.0]


DECLINED = "I don't know."


@pytest.mark.parametrize("name", ["completeness", "relevance", "overall"])
def test_a_right_refusal_is_no_fault_and_a_wrong_one_is(name):
    assert "declines, as it should" in reading(name, case(PRICE, DECLINED, PLAN, reference=DECLINED)).skipped["p"]
    assert rated(name, case(PLAN, DECLINED, PLAN, reference=COST)).value == 0


def test_what_it_does_not_apply_to():
    assert "asks for nothing" in reading("completeness", case("", "It costs Rs 800.")).skipped["p"]
    german = "Der Tarif kostet im Monat 8 Euro und wird nicht im Voraus bezahlt."
    assert "not in English" in reading("completeness", case(PRICE, german)).unjudged["p"]
    assert "not in English" in reading("completeness", case(german, "It costs Rs 800.")).unjudged["p"]


STATEMENTS = [COST, DOGS, "Cats sleep.", "It rains."]


@given(st.permutations(STATEMENTS), st.integers(1, 4))
@settings(max_examples=12, deadline=None)
def test_bounds_order_and_growth(order, count):
    one = rated("completeness", case(BOTH, " ".join(order[:count]))).value
    other = rated("completeness", case(BOTH, " ".join(reversed(order[:count])))).value
    whole = rated("completeness", case(BOTH, " ".join(order))).value
    assert one == other
    assert 0 <= one <= whole == 1
