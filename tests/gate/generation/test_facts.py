"""Questions that a sentence answers by itself."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.generation.facts import facts
from gate.records import Category


def asked(sentence, topic="Service"):
    return [question for _, question in facts(sentence, topic)]


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("The basic service costs Rs 800, the full service Rs 2400.", "How much does the basic service cost?"),
        ("A basic service takes one working day.", "How long does a basic service take?"),
        ("A usual repair takes 2 to 4 working days.", "How long does a usual repair take?"),
        ("A usual repair takes between two and four days.", "How long does a usual repair take?"),
        ("A repair of the pump takes 3 hours.", "How long does a repair of the pump take?"),
        ("The full service includes cleaning and oil.", "What does the full service include?"),
        ("The old tank holds 40 litres of water.", "What does the old tank hold?"),
        ("Green tickets expire after two years.", "When do Green tickets expire?"),
        ("The late show starts at 21:00 on Fridays.", "When does the late show start?"),
        ("`flow_limit` limits the flow to 12 litres.", "What does `flow_limit` limit?"),
        ("The guarantee applies to all new pumps.", None),
        ("Our shop also carries second-hand bicycles.", "What does our shop carry (in \u201cService\u201d)?"),
        ("Symbex is a tool for searching in code.", "What is Symbex (in \u201cService\u201d)?"),
        ("The `--dry-run` flag shows the plan and the price.", "What does the `--dry-run` flag show?"),
        ("It includes cleaning of the frame.", None),
        ("The tank that holds water includes a lid.", None),
        ("The costs are low in winter and high in summer.", None),
        ("The first element is an optional file name.", None),
        ("Exit codes are the same for all commands.", None),
        ("The pump runs with a battery in winter.", None),
        ("The gate needs neither a key nor a server.", None),
        ("The service costs little, as everybody knows.", None),
        ("The pump needs to be cleaned every week.", None),
        ("Nothing of the gate runs the pump today.", None),
        ("The book covers take a long time to dry.", "What do the book covers take?"),
        ("Short.", None),
    ],
)
def test_a_fact_gives_its_question(sentence, question):
    assert [q for q in asked(sentence) if not q.startswith("With regard")] == ([question] if question else [])


@pytest.mark.parametrize(
    ("sentence", "action"),
    [
        ("You can cancel free of charge until 24 hours before.", "cancel free of charge until 24 hours before"),
        ("Customers may also pay by card, cash or voucher.", "pay by card"),
        ("You may also want to set the clock of the pump.", None),
        ("The data can show how much the claims agree.", None),
        ("You can be sure that the pump runs today.", None),
    ],
)
def test_a_permission_gives_a_question_about_it(sentence, action):
    found = [f"With regard to Service: is it possible or allowed to {action}?"] if action else []
    assert [q for kind, q in facts(sentence, "Service") if kind is Category.POLICY_BOUNDARIES] == found


WORDS = ["The", "A", "pump", "costs", "takes", "`", "is", "a", "you can", "of", "5 days", ".", ","]


@given(st.text(max_size=120) | st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join))
def test_any_sentence_gives_questions_or_none(sentence):
    for kind, question in facts(sentence, "Pump"):
        assert kind in Category
        assert question.endswith("?")


def test_a_hostile_sentence_takes_no_time():
    begun = time.process_time()
    for word in ("a of ", "The ", "`a` ", "of for in to ", "A1 "):
        asked("The " + word * 200)
        asked(("The " + word * 200)[:319])
    assert time.process_time() - begun < 1
