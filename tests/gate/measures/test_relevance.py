import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.config import Relevance
from gate.measures.relevance import FOREIGN
from tests.support.measured import case, rated, reading

PLAN = "The Standard plan costs Rs 800 a month. It includes 5 GB of storage and support by e-mail."
FERRY = "Pets travel on deck or in one of the pet cabins, which are to be booked ahead. Dogs are kept on a lead."
PRICE = "How much does the Standard plan cost?"


def test_a_statement_of_the_context_about_the_question_is_near_to_both():
    on = rated("relevance", case(PRICE, "The Standard plan costs Rs 800 a month.", PLAN))
    off = rated("relevance", case(PRICE, "Dogs are kept on a lead.", PLAN))
    assert on.parts["contexts"] == 1.0
    assert off.value == 0.0
    assert on.value > 0.6


@pytest.mark.parametrize("answer", ["", "I don't know."])
def test_what_states_nothing_although_it_is_there_has_nothing_to_do_with_it(answer):
    assert rated("relevance", case(PLAN, answer, PLAN)).value == 0.0


def test_a_few_words_answer_where_the_contexts_bear_them_out_as_an_answer():
    asked = case("Which storage does it include?", "5 GB of storage.", PLAN)
    assert rated("relevance", asked).parts["question"] == 1.0


def test_a_refusal_where_nothing_speaks_of_the_question_is_no_fault():
    found = reading("relevance", case(PRICE, "I don't know.", FERRY))
    assert not found.ratings
    assert "declines" in found.skipped["p"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Was kostet der Tarif im Monat und wie wird er bezahlt?", "The plan costs 8 euros."),
        (PRICE, "Der Tarif kostet im Monat 8 Euro und wird nicht im Voraus bezahlt."),
        (PRICE, "料金は毎月800円です。"),
    ],
)
def test_another_language_is_not_judged(question, answer):
    found = reading("relevance", case(question, answer, PLAN))
    assert not found.ratings
    assert "not in English" in found.unjudged["p"]


def test_the_weights_count():
    found = case(PRICE, "Pets travel on deck or in a cabin.", FERRY)
    whole = rated("relevance", found)
    question, contexts = (
        rated("relevance", found, relevance=Relevance(question_weight=q, context_weight=c)).value
        for q, c in ((1, 0), (0, 1))
    )
    assert whole.value == pytest.approx(0.4 * question + 0.6 * contexts)
    assert (question, contexts) == (whole.parts["question"], whole.parts["contexts"])


def test_without_contexts_the_question_alone_counts_and_that_is_told():
    rating = rated("relevance", case(PRICE, "The Standard plan costs Rs 800 a month."))
    assert rating.value == rating.parts["question"]
    assert "no contexts" in rating.why
    only_contexts = Relevance(question_weight=0, context_weight=1)
    found = reading("relevance", case(PRICE, "It costs Rs 800."), relevance=only_contexts)
    assert "no context" in found.skipped["p"]


def test_the_statement_that_has_least_to_do_with_it_is_named():
    rating = rated("relevance", case(PRICE, "The Standard plan costs Rs 800 a month. Dogs are kept on a lead.", PLAN))
    assert "Dogs are kept on a lead" in rating.why


def test_contexts_that_cannot_be_read_count_only_where_they_have_weight():
    german = "Der Tarif kostet im Monat 8 Euro und wird nicht im Voraus bezahlt."
    assert reading("relevance", case(PRICE, "It costs Rs 800.", german)).unjudged == {"p": FOREIGN}
    alone = Relevance(question_weight=1, context_weight=0)
    assert rated("relevance", case(PRICE, "The Standard plan costs Rs 800.", german), relevance=alone).value > 0


SENTENCES = [
    "The Standard plan costs Rs 800 a month.",
    "The ring lights red when there is a fault.",
    "Pets travel on deck or in a cabin.",
    "Two AA cells run the thermostat for about two years.",
]


@given(st.permutations(SENTENCES), st.integers(1, 4))
@settings(max_examples=10, deadline=None)
def test_bounds_order_and_copies(order, count):
    answer = " ".join(order[:count])
    one = rated("relevance", case(PRICE, answer, *SENTENCES))
    assert 0 <= one.value <= 1
    assert one.parts["contexts"] == 1
    other = rated("relevance", case(PRICE, " ".join(reversed(order[:count])), *SENTENCES))
    assert one.value == pytest.approx(other.value, abs=1e-6)


@given(st.text(max_size=60), st.text(max_size=60))
@settings(max_examples=10, deadline=None)
def test_any_text_is_rated_skipped_or_not_judged(question, answer):
    found = reading("relevance", case(question, answer, "The plan costs Rs 800."))
    assert len(found.ratings) + len(found.skipped) + len(found.unjudged) == 1
    assert all(0 <= rating.value <= 1 for rating in found.ratings)
