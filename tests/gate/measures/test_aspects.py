import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.measures.aspects import LONGEST, MOST, aspects


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("How much does it cost?", ["How much does it cost"]),
        ("How much does it cost and how long does delivery take?",
         ["How much does it cost", "how long does delivery take"]),
        ("How and when do I pay?", ["How do I pay", "when do I pay"]),
        ("What is the capital and why?", ["What is the capital", "why is the capital"]),
        ("What are the price, size and weight of the lamp?",
         ["What are the price of the lamp", "What are the size of the lamp", "What are the weight of the lamp"]),
        ("What is the price and warranty of it?", ["What is the price of it", "What is the warranty of it"]),
        ("Does it support Linux, macOS and Windows?",
         ["Does it support Linux", "Does it support macOS", "Does it support Windows"]),
        ("What is the difference between the Basic and the Pro plan?", ["Basic", "Pro plan"]),
        ("Is it free, or do I have to pay?", ["Is it free, or do I have to pay"]),
        ("What are the terms and conditions for refunds?", ["What are the terms and conditions for refunds"]),
        ("Can you tell me who approves it, and when they are paid?", ["who approves it", "when they are paid"]),
        ("Explain how webhooks are retried, what the limit is and why deliveries fail.",
         ["how webhooks are retried", "what the limit is", "why deliveries fail"]),
        ("Where is the office? When is it open?", ["Where is the office", "When is it open"]),
        ("My card was stolen. What should I do?", ["My card was stolen. What should I do"]),
        ("When must I be there with a car, and when on foot?", ["When must I be there with a car", "when on foot"]),
        ("Hi, how much does it cost?", ["how much does it cost"]),
        ("Hi. How much does it cost?", ["How much does it cost"]),
        ("Hello there, good morning! What should I do?", ["What should I do"]),
        ("Hey how much does it cost and when do I pay?", ["how much does it cost", "when do I pay"]),
        ("Hi-fi lamps cost how much?", ["Hi-fi lamps cost how much"]),
        ("Hello!", ["Hello"]),
        ("price of the basic plan", ["price of the basic plan"]),
        ("", []),
        (" \n ", []),
    ],
)  # fmt: skip
def test_what_is_asked_for(question, texts):
    assert [aspect.text for aspect in aspects(question)] == texts


def test_kinds_and_own_words():
    price, time = aspects("How much does the plan cost and how long does delivery take?")
    assert (price.kind, time.kind) == ("amount", "time")
    assert "cost" in price.keys
    assert not price.keys & time.keys


def test_a_condition_stands_beside_its_question():
    main, condition = aspects("If I lost access to my e-mail, how do I reset my password?")
    assert (main.condition, condition.condition) == (False, True)
    assert condition.name == "If I lost access to my e-mail"
    assert condition.without == "how do I reset my password"
    assert not main.keys & condition.keys


def test_a_condition_that_is_the_question_stays_in_it():
    (only,) = aspects("What happens when the disk is full?")
    assert not only.condition


@given(st.text(max_size=300))
@settings(max_examples=100)
def test_any_text(question):
    found = aspects(question)
    assert len(found) <= MOST
    assert all(aspect.text.strip() and aspect.name.strip() for aspect in found)


def test_long_questions_are_quick():
    assert len(aspects("what is a, b and c, and how, " * LONGEST)) <= MOST
    assert len(aspects("if a, " * LONGEST)) <= MOST
    assert len(aspects("a" * 10 * LONGEST)) <= 1


@pytest.mark.parametrize("run", [",", ", ", ";", ", and ", "and "])
def test_a_run_of_joints_in_a_question_ends(run):
    """Commas and blanks may stand in a row in two ways each: a reader that tries them all never comes back."""
    assert aspects(f"What is the limit{run * 300} of it?")
