import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.config_measures import Relevance
from gate.measures.relevance import FOREIGN
from tests.support.measured import case, rated, reading

PLAN = "The Standard plan costs Rs 800 a month. It includes 5 GB of storage and support by e-mail."
ORDERS = (
    "To change part of an order send PATCH to /orders/{id} with the fields in question. All others keep their values."
)
FERRY = "Pets travel on deck or in one of the pet cabins, which are to be booked ahead. Dogs are kept on a lead."
PRICE = "How much does the Standard plan cost?"
ON, OFF = "on", "off"  # 0.6 and more; 0.4 and less
CASES = [
    ("the words of the context", PRICE, "The Standard plan costs Rs 800 a month.", (PLAN,), ON),
    ("in other words", PRICE, "You pay 800 rupees every month for the Standard plan.", (PLAN,), ON),
    ("wrong but to the point", PRICE, "The Standard plan costs Rs 2000 a month.", (PLAN,), ON),
    ("a few words", PRICE, "Rs 800.", (PLAN,), ON),
    ("yes", "Does the Standard plan include support by e-mail?", "Yes.", (PLAN,), ON),
    ("something else", PRICE, "Dogs are kept on a lead on deck.", (PLAN,), OFF),
    ("nothing", PRICE, "", (PLAN,), OFF),
    ("a greeting", PRICE, "Hello! How can I help you?", (PLAN,), OFF),
    ("a refusal although it is there", PRICE, "I don't have information on how much the plan costs.", (PLAN,), OFF),
    ("no contexts, to the point", PRICE, "The Standard plan costs Rs 2000 a month.", (), ON),
    ("no contexts, something else", PRICE, "Pets may travel in a cabin.", (), OFF),
    ("the method", "How do I change one field of an order?", "Send a PATCH request to /orders/{id}.", (ORDERS,), ON),
    ("code", "How do I change the total of an order with curl?",
     "```sh\ncurl -X PATCH -d '{\"total\": 5}' https://api.example.com/orders/7\n```", (ORDERS,), ON),
    ("a list", "What does the Standard plan include?", "The Standard plan includes:\n- 5 GB of storage\n- e-mail help",
     (PLAN,), ON),
    ("two questions", "What does the Standard plan cost and what does it include?",
     "It is Rs 800 a month. It includes 5 GB of storage.", (PLAN,), ON),
    ("very long and beside the point", PRICE, "Dogs are kept on a lead. Cabins are booked ahead. " * 60, (PLAN,), OFF),
    ("a long context", PRICE, "The Standard plan costs Rs 800 a month.", (f"{FERRY} " * 300 + PLAN,), ON),
    ("contexts beside the point", PRICE, "Pets travel on deck or in a cabin.", (FERRY,), OFF + " the question"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answer", "contexts", "side"), [row[1:] for row in CASES], ids=[r[0] for r in CASES]
)
def test_known_cases(question, answer, contexts, side):
    rating = rated("relevance", case(question, answer, *contexts))
    if side == "off the question":
        assert rating.parts["question"] <= 0.4
        assert rating.parts["contexts"] >= 0.6
    else:
        assert rating.value >= 0.6 if side == ON else rating.value <= 0.4


def test_a_refusal_where_nothing_speaks_of_the_question_is_no_fault():
    found = reading("relevance", case(PRICE, "I don't have that information.", FERRY))
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
    assert rated("relevance", case(PRICE, "It costs Rs 800.", german), relevance=alone).value > 0


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
