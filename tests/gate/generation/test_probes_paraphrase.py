"""A question is rephrased where it can be done correctly, and left alone where it cannot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.generation.local import same
from gate.generation.probes_forms import nameable, one_question, single, thing
from gate.generation.probes_paraphrase import NUMBER, paraphrases


@pytest.mark.parametrize(
    ("question", "ways"),
    [
        ("Is breakfast included?", ["Is breakfast included or not?"]),
        ("What is the fee?", ["I want to know what the fee is."]),
        ("What are the opening hours?", ["I want to know what the opening hours are."]),
        ("What is it?", ["I want to know what it is."]),
        ("How long is the warranty?", ["I want to know how long the warranty is."]),
        ("How much is breakfast?", ["How much do I have to pay for breakfast?", "How much does breakfast cost?"]),
        ("How much is the fee for late payment?", ["I want to know how much the fee for late payment is."]),
        ("How much does it cost?", ["What is the price of it?", "What do I have to pay for it?"]),
        (
            "How long does the warranty last?",
            ["For how long does the warranty last?", "What is the duration of the warranty?"],
        ),
        ("How many people are in the room?", ["What is the number of people that are in the room?"]),
        ("How should I store it?", ["In what way should I store it?"]),
        ("Can you help me?", ["Are you able to help me?"]),
        ("Can we bring our dog?", ["Is it possible to bring our dog?"]),
        ("May I smoke?", ["Is it permitted to smoke?"]),
        ("Is there an app?", ["Does an app exist?", "Is there an app or not?"]),
        ("Is there a fee for guests?", ["Is there a fee for guests or not?"]),
        ("When does it open?", ["When exactly does it open?"]),
        ("Why is it red?", ["For what reason is it red?"]),
        ("Where is the office?", ["In which place is the office?"]),
        ("How often are bills sent?", ["With what frequency are bills sent?"]),
        ("Which countries do you ship to?", ["What countries do you ship to?"]),
        ("Which flag makes it print JSON?", ["What flag makes it print JSON?"]),
        ("Where can I charge my car?", ["In which place can I charge my car?"]),
        ("What countries do you ship to?", ["Which countries do you ship to?"]),
        ("What begins in May?", ["What starts in May?"]),
        ("Where do I buy a ticket?", ["Where do I purchase a ticket?"]),
        ("Who founded the company?", ["By whom was the company founded?"]),
    ],
)
def test_a_question_of_a_known_form_is_asked_correctly_in_other_words(question, ways):
    assert paraphrases(question) == ways


@pytest.mark.parametrize(
    "question",
    [
        "Do you pick the bicycle up at home? What does that cost?",
        "Is breakfast included? When is it served?",
        "Is breakfast included, and when is it served?",
        "What is the fee and when is it due?",
        "Are dogs welcome and is there a fee?",
        "Who made the pump and when?",
        "Hello! Is breakfast included?",
        "Is breakfast included? Thanks!",
        "I paid twice. What now?",
        "With regard to Use: is it necessary to clean it? And when?",
        "What is included in it?",
        "What is not covered?",
        "What is covered by the warranty?",
        "What is happening in May?",
        "What is it for?",
        "What is the pump made of?",
        "What is the app called?",
        "What is the weather like in June?",
        "What is the deadline if I am late?",
        "How long is the pass valid?",
        "How much is covered?",
        "How much is left on the card?",
        "How many rooms are there?",
        "Is the pump on or off?",
        "Is the pass valid if I move?",
        "Which is cheaper?",
        "Which costs less?",
        "Where can I send it?",
        "Which of the plans is best?",
        "What am I required to bring?",
        "What happens to my data?",
        "What is the way to the station like?",
        "Where are you from?",
        "What time limit applies?",
        "Why?",
        "Why not?",
        "How come it is red?",
    ],
)
def test_what_cannot_be_rephrased_correctly_is_left_alone(question):
    assert paraphrases(question) == []


@given(st.text(max_size=80), st.sampled_from(["What is ", "How much is the ", "Is ", "With regard to a: is ", ""]))
def test_whatever_is_asked_a_paraphrase_is_one_other_question(text, opening):
    question = f"{opening}{text}?"
    ways = paraphrases(question)
    assert len(ways) <= NUMBER
    assert all(same(way) != same(question) for way in ways)
    assert not ways or one_question(" ".join(question.split()))


@pytest.mark.parametrize(
    ("text", "named", "bare"),
    [
        ("the fee for a pass", True, True),
        ("it", True, True),
        ("breakfast", False, True),
        ("the shop open", False, False),
        ("covered", False, False),
        ("left on the card", False, False),
        ("the fee if I am late", False, False),
        ("", False, False),
    ],
)
def test_a_thing_has_a_name_and_nothing_is_said_of_it(text, named, bare):
    assert (thing(text), nameable(text)) == (named, bare)


@pytest.mark.parametrize(
    ("text", "one"), [("tickets for a day", False), ("the bus", True), ("", False), ("the fee and the tax", False)]
)
def test_the_head_of_a_thing_tells_its_number(text, one):
    assert single(text) is one
