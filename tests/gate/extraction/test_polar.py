"""Yes and no."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.polar import asked_for, brief, claimed, declared, head, with_question

TEXTS = st.text(max_size=120) | st.lists(
    st.sampled_from(
        ["Yes", "no", "it does", "Does", "the loom", "weave", "or", "?", ",", ".", "**", "👍", "not", "my"]
    ),
    max_size=15,
).map(" ".join)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Yes, the loom is wide.", "the loom is wide."),
        ("No: it is narrow.", "it is narrow."),
        ("Not by default. Turn it on.", "Turn it on."),
        ("Yes, it does. Turn it on.", "Turn it on."),
        ("Yes", ""),
        ("It isn't.", ""),
        ("You can't. Ask.", "Ask."),
        ("It won’t: it is old.", "it is old."),
        ("Yes you can. Ask.", "Ask."),
        ("You can't weave.", "You can't weave."),
        ("Roughly, yes. Ask.", "Ask."),
        ("Probably not, it is old.", "Probably not, it is old."),
        ("I'm afraid not. Ask.", "Ask."),
        ("Unfortunately, you can't. Ask.", "Ask."),
        ("Sadly no, it is old.", "it is old."),
        ("I don’t think so. Ask.", "Ask."),
        ("The short answer is no. Ask.", "Ask."),
        ("No way.", ""),
        ("Afraid so: it is old.", "it is old."),
        ("I'm afraid not even he knows.", "I'm afraid not even he knows."),
        ("The answer is no secret.", "The answer is no secret."),
        ("Yesterday, it broke.", "Yesterday, it broke."),
        ("No loom is wide.", "No loom is wide."),
        ("It does weave.", "It does weave."),
        ("", ""),
    ],
)
def test_the_head(text: str, rest: str) -> None:
    assert text[head(text) :] == rest


@pytest.mark.parametrize(
    ("question", "said", "expected"),
    [
        ("Does the loom produce silk?", "Yes.", "the loom produces silk."),
        ("Does the loom produce silk?", "No.", "the loom does not produce silk."),
        ("Do looms break easily?", "Yes", "looms break easily."),
        ("Could I return my ticket?", "You couldn't.", "you could not return your ticket."),
        ("Could I return my ticket?", "No, you can't.", "you could not return your ticket."),
        ("Will it break?", "It won’t.", "it will not break."),
        ("Must we wear a veil?", "Yes, you must.", "you must wear a veil."),
        ("Will it be cold?", "**No**", "it will not be cold."),
        ("Can I use silk?", "I'm afraid not.", "you can not use silk."),
        ("Can I use silk?", "Unfortunately, you can't.", "you can not use silk."),
        ("Can I use silk?", "I think so.", "you can use silk."),
        ("Can I still return it?", "Absolutely not!", "you can not return it."),
        ("Can I still return it?", "Yes.", "you can still return it."),
        ("Does it also produce silk?", "Yes.", "it also produces silk."),
        ("Does it also produce silk?", "I don't believe so.", "it does not also produce silk."),
        ("Can I still?", "Yes.", ""),
        ("Is it cold?", "Yes", ""),
        ("Does it break or bend?", "Yes", ""),
        ("Does the loom produce silk?", "Only in May.", ""),
        ("Which loom?", "Yes", ""),
        ("", "Yes", ""),
    ],
)
def test_a_question_as_a_statement(question: str, said: str, expected: str) -> None:
    assert declared(question, said) == expected


@pytest.mark.parametrize(
    ("said", "question", "following", "expected"),
    [
        ("Yes.", "Does the loom produce silk?", "", "the loom produces silk."),
        ("Yes.", "Does the loom produce silk?", "The loom produces fine silk.", ""),
        ("Yes.", "Does the loom produce silk?", "Ask the weaver.", "the loom produces silk."),
        ("Sure.", "Tell me about the loom.", "", ""),
        ("Sure.", "Is the loom wide?", "", "Is the loom wide? Sure."),
        ("Yes.", "", "", "Yes."),
        ("No.", "Can I felt with this loom?", "This loom tears felt.", "Can I felt with this loom? No."),
        ("No.", "Can I felt with this loom?", "This loom can't felt.", ""),
    ],
)
def test_what_a_bare_answer_claims(said: str, question: str, following: str, expected: str) -> None:
    assert claimed(said, question, following) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Hello. Is it wide? And\nhow  deep? Thanks.", "And how deep?"),
        ("Tell me about\nlooms", "Tell me about looms"),
        ("x" * 400, "x" * 300),
        ("", ""),
    ],
)
def test_the_last_question(question: str, expected: str) -> None:
    assert asked_for(question) == expected


def test_what_may_be_an_answer_without_a_verb() -> None:
    assert brief("A pump with two valves.")
    assert brief("From ten at night till seven in the morning on all days.")
    assert not brief("A pump with two valves and a lid of green steel.")


def test_a_fragment_behind_its_question() -> None:
    assert with_question("red silk", "Which silk?") == "Which silk? Red silk"
    assert with_question("red silk", " ") == "red silk"


@given(TEXTS, TEXTS, TEXTS)
def test_any_text_can_be_read(said: str, question: str, following: str) -> None:
    assert 0 <= head(said) <= len(said)
    assert len(asked_for(question)) <= 300
    assert with_question(said, question).lower().endswith(said[1:].lower())
    for text in (claimed(said, question, following), declared(question, said)):
        assert len(text) <= len(said) + 3 * len(question) + 20


@pytest.mark.parametrize("unit", ["yes, ", "it does. ", "**", "no ", ", ", "Does it "])
def test_long_and_hostile_texts_end(unit: str) -> None:
    text = unit * (10_000 // len(unit))
    assert 0 <= head(text) <= len(text)
    assert len(asked_for(text)) <= 300


@pytest.mark.parametrize("second", ["how many lids can be shut", "if so, what does it cost", "can I oil it"])
def test_a_bare_no_answers_the_first_of_two_questions(second: str) -> None:
    assert declared(f"Does the lid block the wheel, and {second}?", "No.") == "the lid does not block the wheel."
