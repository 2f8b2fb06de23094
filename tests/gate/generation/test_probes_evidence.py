"""Evidence with a stranger in it, and evidence that says otherwise where the question looks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.generation.probes_evidence import contradicted, distracted

ECO = "The Eco programme takes 3 hours and 20 minutes. The Quick programme takes 28 minutes."
LOCK = "The child lock is off by default. Do not wash down pillows in this machine."
SHOP = "Items can be returned within 30 days. Damage from hard water is excluded."


@pytest.mark.parametrize(
    ("question", "reference", "context", "turned"),
    [
        ("How long does the Eco programme take?", None, ECO, "takes 5 hours and 20 minutes. The Quick"),
        ("Is the child lock on by default?", None, LOCK, "It is not true that the child lock is off"),
        ("Within how many days can items be returned?", None, SHOP, "can be returned within 45 days"),
        ("Is it covered?", "Damage from hard water is excluded.", SHOP, "days. It is not true that Damage"),
        ("When does the pump start?", None, "The pump starts at 06:00.", "starts at 11:00"),
        ("How much is the Basic plan?", None, "The Basic plan costs Rs 800.", "costs Rs 1200"),
        ("What is the share of water?", None, "The share of water is 90%.", "is 55%"),
        ("How long is the warranty?", None, "The warranty lasts two years.", "not true that the warranty lasts two"),
        ("Who leads the company?", None, "Ann Lee leads the company.", "It is not true that Ann Lee leads"),
    ],
)  # fmt: skip
def test_what_bears_on_the_question_says_something_else(question, reference, context, turned):
    found = contradicted(question, reference, ["Cats sleep on warm roofs.", context])
    assert found is not None
    assert turned in found[1]
    assert found[0] == "Cats sleep on warm roofs."


def test_an_amount_that_is_said_twice_is_changed_everywhere():
    contexts = ["The warranty lasts 2 years.", "Buyers have 24 hours. After 2 years every repair is paid."]
    assert contradicted("How long does the warranty last?", None, contexts) == (
        "The warranty lasts 4 years.",
        "Buyers have 24 hours. After 4 years every repair is paid.",
    )


def test_where_no_amount_can_be_changed_only_what_bears_on_the_question_is_denied():
    contexts = ["The warranty lasts two years.", "After two years every repair is paid."]
    found = contradicted("How long does the warranty last?", None, contexts)
    assert found == ("It is not true that the warranty lasts two years.", contexts[1])


@pytest.mark.parametrize(
    ("question", "contexts"),
    [
        ("Who is the director?", [ECO]),
        ("Is eco 3 set?", ["```\neco = set(3)\n```"]),
        ("Pump?", ["# The pump is off"]),
        ("How long?", []),
        ("", [ECO]),
        ("Is it open?", [""]),
    ],
)
def test_what_has_nothing_to_do_with_the_question_is_left(question, contexts):
    assert contradicted(question, None, contexts) is None


@given(st.text(max_size=40), st.none() | st.text(max_size=40), st.lists(st.text(max_size=80), max_size=3))
def test_what_is_turned_has_as_many_passages_and_is_not_what_it_was(question, reference, contexts):
    found = contradicted(question, reference, contexts)
    assert found is None or (len(found) == len(contexts) and found != tuple(contexts))


@given(st.lists(st.text(max_size=20), max_size=3), st.lists(st.text(max_size=20), max_size=3), st.integers(0, 9))
def test_a_distractor_is_one_more_passage_that_was_not_there(contexts, foreign, seed):
    found = distracted("How long does the Eco programme take?", contexts, foreign, seed)
    if found is not None:
        (new,) = [text for text in found if text not in contexts]
        assert [text for text in found if text != new] == contexts


def test_a_passage_about_the_question_is_no_distractor():
    assert distracted("How long does the Eco programme take?", ["x"], [ECO], 0) is None
    assert distracted("How long does the Eco programme take?", ["x"], [ECO, "Cats sleep."], 0) is not None
    assert distracted("How long does the Eco programme take?", [], ["Cats sleep."], 0) is None
