"""How near an answer is to its question and contexts, and the contexts to the question."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.config import AtLeast, Relevance
from gate.measures.base import Answered
from gate.measures.relevance import FOREIGN, IN_PART, STATEMENT, cosines, rate_contexts
from tests.support.measured import FOREIGN as FOREIGN_TEXT
from tests.support.measured import REFUSAL, case, rated, reading
from tests.support.real_bench import bench

PLAN = "The Standard plan costs Rs 800 a month. It includes 5 GB of storage and support by e-mail."
FERRY = "Pets travel on deck or in one of the pet cabins, which are to be booked ahead. Dogs are kept on a lead."
PRICE = "How much does the Standard plan cost?"
RIGHT = "The Standard plan costs Rs 800 a month."


def test_a_few_words_answer_where_the_contexts_bear_them_out_as_an_answer():
    asked = case("Which storage does it include?", "5 GB of storage.", PLAN)
    assert rated("relevance", asked).parts["question"] == 1.0


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


PRICE = "What a month does the Standard plan cost?"


def test_what_speaks_of_the_question_and_what_does_not():
    assert rated("context_relevance", case(PRICE, RIGHT, PLAN)).value > 0
    assert rated("context_relevance", case(PRICE, RIGHT, FERRY)).value == 0
    one, both = (rated("context_relevance", case(PRICE, RIGHT, *texts)).value for texts in ((PLAN,), (PLAN, FERRY)))
    assert both == pytest.approx(one / 2)


def test_contexts_that_are_not_there_or_cannot_be_read():
    assert "no context" in reading("context_relevance", case(PRICE, RIGHT)).skipped["p"]
    assert "no context" in reading("context_relevance", case(PRICE, RIGHT, "", "  ")).skipped["p"]
    assert "not in English" in reading("context_relevance", case(FOREIGN_TEXT, RIGHT, PLAN)).unjudged["p"]
    assert reading("context_relevance", case(PRICE, "It costs.", FOREIGN_TEXT)).unjudged == {"p": FOREIGN}
    found = reading("context_relevance", case(PRICE, "It costs.", FOREIGN_TEXT, PLAN))
    assert "another language or too long" in found.ratings[0].why
    assert found.unjudged == {"p": IN_PART}


PAIRS = Path(__file__).parents[3] / "benchmarks" / "likeness_pairs.jsonl"


def test_unrelated_texts_are_near_0_and_what_belongs_together_near_1():
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()][::5]
    found = cosines(bench(), [row["question"] for row in rows], [row["answer"] for row in rows])
    own = [STATEMENT(found[n][n]) for n in range(len(rows))]
    other = [STATEMENT(found[n][m]) for n in range(len(rows)) for m in range(len(rows)) if n != m]
    assert median(own) >= 0.75
    assert median(other) <= 0.1


def test_a_question_that_leans_on_an_earlier_one_is_read_alone():
    """The limit that docs/explanation/measures.md tells, with its two figures."""
    asked = ("What is included in it?", "What is included in the Standard plan?")
    leans, whole = (
        rate_contexts(Answered((case(question, "", PLAN),)), AtLeast(), bench()).ratings[0].value for question in asked
    )
    assert (leans, whole) == (pytest.approx(0.49, abs=0.02), pytest.approx(0.87, abs=0.02))


BOTH = f"{PRICE} Where do dogs travel?"
COST, DOGS = "The Standard plan costs Rs 800.", "Dogs travel on deck."


def test_the_parts_of_the_question_that_are_spoken_of():
    values = [rated("completeness", case(BOTH, answer)).value for answer in (f"{COST} {DOGS}", COST, DOGS, "It rains.")]
    assert values == [1.0, 0.5, 0.5, 0.0]


@pytest.mark.parametrize("name", ["completeness", "relevance", "overall"])
def test_a_right_refusal_is_no_fault_and_a_wrong_one_is(name):
    assert "declines, as it should" in reading(name, case(PRICE, REFUSAL, PLAN, reference=REFUSAL)).skipped["p"]
    assert rated(name, case(PLAN, REFUSAL, PLAN, reference=COST)).value == 0


def test_what_completeness_does_not_apply_to():
    assert "asks for nothing" in reading("completeness", case("", "It costs Rs 800.")).skipped["p"]
    assert "not in English" in reading("completeness", case(PRICE, FOREIGN_TEXT)).unjudged["p"]
    assert "not in English" in reading("completeness", case(FOREIGN_TEXT, "It costs Rs 800.")).unjudged["p"]


OFFERED = [COST, DOGS, "Cats sleep.", "It rains."]


@given(st.permutations(OFFERED), st.integers(1, 4))
@settings(max_examples=12, deadline=None)
def test_more_statements_never_cover_less(order, count):
    one = rated("completeness", case(BOTH, " ".join(order[:count]))).value
    other = rated("completeness", case(BOTH, " ".join(reversed(order[:count])))).value
    whole = rated("completeness", case(BOTH, " ".join(order))).value
    assert one == other
    assert 0 <= one <= whole == 1
