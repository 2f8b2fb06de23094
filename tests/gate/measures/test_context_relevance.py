"""Whether the contexts speak of the question that they were fetched for, whatever the answer makes of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.measures.relevance import FOREIGN, IN_PART
from tests.support.measured import case, rated, reading

PLAN = "The Standard plan costs Rs 800 a month. It includes 5 GB of storage and support by e-mail."
FERRY = "Pets travel on deck or in one of the pet cabins, which are to be booked ahead. Dogs are kept on a lead."
KIT = "The repair kit contains:\n\n- a pump\n- a hose\n- a valve\n- a gauge"
CLIENT = "Install the client from the package index:\n\n```sh\npip install orders\n```"
GERMAN = "Der Tarif kostet im Monat 8 Euro und wird nicht im Voraus bezahlt."
PRICE = "What a month does the Standard plan cost?"
RIGHT, REFUSAL = "The Standard plan costs Rs 800 a month.", "I don't know."


def test_what_speaks_of_the_question_and_what_does_not():
    assert rated("context_relevance", case(PRICE, RIGHT, PLAN)).value > 0
    assert rated("context_relevance", case(PRICE, RIGHT, FERRY)).value == 0
    one, both = (rated("context_relevance", case(PRICE, RIGHT, *texts)).value for texts in ((PLAN,), (PLAN, FERRY)))
    assert both == pytest.approx(one / 2)


def test_the_answer_has_no_part_in_it():
    values = {rated("context_relevance", case(PRICE, answer, PLAN)).value for answer in (RIGHT, "", REFUSAL, GERMAN)}
    assert len(values) == 1


def test_contexts_that_are_not_there_or_cannot_be_read():
    assert "no context" in reading("context_relevance", case(PRICE, RIGHT)).skipped["p"]
    assert "no context" in reading("context_relevance", case(PRICE, RIGHT, "", "  ")).skipped["p"]
    assert "not in English" in reading("context_relevance", case(GERMAN, RIGHT, PLAN)).unjudged["p"]
    assert reading("context_relevance", case(PRICE, "It costs.", GERMAN)).unjudged == {"p": FOREIGN}
    found = reading("context_relevance", case(PRICE, "It costs.", GERMAN, PLAN))
    assert "another language or too long" in found.ratings[0].why
    assert found.unjudged == {"p": IN_PART}


def test_the_one_that_speaks_least_of_it_is_named():
    rating = rated("context_relevance", case(PRICE, RIGHT, PLAN, FERRY))
    assert rating.why.startswith("1 of 2 contexts speak of the question")
    assert "Pets travel on deck" in rating.why
    assert rating.parts["relevant"] == 0.5
    assert rating.parts["best"] >= 0.5


@given(st.permutations([PLAN, FERRY, KIT, CLIENT]), st.integers(1, 4))
@settings(max_examples=10, deadline=None)
def test_bounds_and_order(order, count):
    one = rated("context_relevance", case(PRICE, RIGHT, *order[:count]))
    other = rated("context_relevance", case(PRICE, RIGHT, *reversed(order[:count])))
    assert 0 <= one.value <= one.parts["best"] <= 1
    assert one.value == pytest.approx(other.value, abs=1e-6)
