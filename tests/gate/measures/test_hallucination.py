"""Hallucination is the share of the claims that the assistant's own contexts do not bear out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.measures.summary import measured
from gate.measures.table import MEASURES
from tests.support.measured import case, rated, reading

PLAN = (
    "The Standard plan costs Rs 800 a month. It includes 5 GB of storage and support by e-mail. "
    "Cancel any time before the next month begins."
)
KIT = "The kit holds a pump, a hose, a valve and a gauge."
ORDERS = "To change part of an order send PATCH to /orders/{id} with the fields in question."
PRICE, IN_KIT, CHANGE = "How much does the Standard plan cost?", "What is in the kit?", "How do I change an order?"
LONG = "It is not here. " * 3000 + PLAN
CLEAN, INVENTED = "clean", "invented"  # 0.3 and less; 0.5 and more
CASES = [
    ("the words of the context", PRICE, "The Standard plan costs Rs 800 a month.", PLAN, CLEAN),
    ("in other words", PRICE, "You pay Rs 800 every month for the Standard plan.", PLAN, CLEAN),
    ("another number", PRICE, "The Standard plan costs Rs 2000 a month.", PLAN, INVENTED),
    ("a few words", PRICE, "Rs 800.", PLAN, CLEAN),
    ("a few wrong words", PRICE, "Rs 2000.", PLAN, INVENTED),
    ("an invention", "Who founded the firm?", "Ada Krol founded the firm in 1999.", PLAN, INVENTED),
    ("a denial of what is there", "Is there support?", "The Standard plan has no support by e-mail.", PLAN, INVENTED),
    ("one of two invented", PRICE, "The Standard plan costs Rs 800 a month. Ada Krol founded the firm in 1999.", PLAN,
     INVENTED),
    ("a list", IN_KIT, "The kit holds:\n- a pump\n- a hose\n- a valve\n- a gauge", KIT, CLEAN),
    ("an invented list", IN_KIT, "The kit holds:\n- a saw\n- a drill\n- a hammer", KIT, INVENTED),
    ("code", CHANGE, "Send `PATCH /orders/{id}`.", ORDERS, CLEAN),
    ("other code", CHANGE, "Send `DELETE /orders/{id}`.", ORDERS, INVENTED),
    ("not English, word by word", "Was kostet der Tarif?", "Der Tarif kostet im Monat 8 Euro.",
     "Der Tarif kostet im Monat 8 Euro. Er wird für ein Jahr bezahlt.", CLEAN),
    ("a very long context", PRICE, "The Standard plan costs Rs 800 a month.", LONG, CLEAN),
    ("another number in a very long context", PRICE, "The Standard plan costs Rs 2000 a month.", LONG, INVENTED),
    ("a very long answer", "What is there?", f"{PLAN} {KIT} {ORDERS} " * 20, f"{PLAN} {KIT} {ORDERS}", CLEAN),
]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answer", "context", "side"), [row[1:] for row in CASES], ids=[r[0] for r in CASES]
)
def test_known_cases(question, answer, context, side):
    value = rated("hallucination", case(question, answer, context)).value
    assert value <= 0.3 if side == CLEAN else value >= 0.5


@pytest.mark.parametrize(
    ("answer", "contexts", "why"),
    [
        ("", (PLAN,), "empty"),
        ("I don't have that information.", (PLAN,), "declines"),
        ("Hello! How can I help you?", (PLAN,), "states nothing"),
        ("The Standard plan costs Rs 800.", (), "no context"),
    ],
)
def test_what_states_nothing_invents_nothing_and_is_left_out(answer, contexts, why):
    found = reading("hallucination", case(PRICE, answer, *contexts))
    assert (found.ratings, found.unjudged) == ((), {})
    assert why in found.skipped["p"]


def test_what_cannot_be_read_is_not_clean():
    found = reading("hallucination", case(PRICE, "Der Tarif kostet 9 Euro und wird für ein Jahr bezahlt.", PLAN))
    assert not found.ratings
    assert "not in English" in found.unjudged["p"]


def test_less_is_better():
    found = reading("hallucination", case(PRICE, "Rs 2000.", PLAN))
    assert MEASURES["hallucination"].less_is_better
    assert measured("hallucination", found, 0.1).passed is False


@given(st.lists(st.sampled_from(["Rs 800.", "Rs 2000.", "", KIT, "I don't know."]), min_size=1, max_size=4))
@settings(max_examples=10, deadline=None)
def test_it_is_what_faithfulness_leaves(answers):
    cases = [case(PRICE, answer, PLAN, name=f"p{n}") for n, answer in enumerate(answers)]
    faithful, found = (reading(name, *cases) for name in ("faithfulness", "hallucination"))
    assert [(r.prompt_id, r.value, r.weight) for r in found.ratings] == [
        (r.prompt_id, 1 - r.value, r.weight) for r in faithful.ratings
    ]
    assert (found.skipped, found.unjudged) == (faithful.skipped, faithful.unjudged)
