"""What a question is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.context import UNKNOWN, Subject
from gate.extraction.topics import compared, lasting, topic


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What happens to a raft when it leaks?", Subject("the raft")),
        ("What happens to wet rafts that leak?", Subject("wet rafts", plural=True)),
        ("Which rules apply to new rafts, and who pays?", Subject("new rafts", plural=True)),
        ("In which order does a raft take loads?", Subject("the raft")),
        ("In which zone are wet rafts kept?", Subject("wet rafts", plural=True)),
        ("What is a raft?", Subject("the raft")),
        ("Can I keep my raft in May?", Subject("your raft")),
        ("How do I have to lock my raft at night?", Subject("your raft")),
        ("When do I get my load back?", Subject("your load")),
        ("Why, and have I lost the raft?", Subject("the raft")),
        ("What does raft.tow() return?", Subject("raft.tow()")),
        ("Does the raft target take over?", Subject("the raft target")),
        ("Is the raft wet?", UNKNOWN),
        ("Which one counts, and do I need a raft?", UNKNOWN),
        ("Can I take the raft and the barge?", UNKNOWN),
        ("What is the difference?", UNKNOWN),
        ("How do I pay?", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_the_topic(question: str, expected: Subject) -> None:
    assert topic(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What's the difference between a raft and a barge?", ["the raft", "the barge"]),
        ("What is the difference between rafts, barges and boats?", ["rafts", "barges", "boats"]),
        ("Which one is dry, the raft or the barge?", ["the raft", "the barge"]),
        ("How do rafts and barges differ?", ["rafts", "barges"]),
        ("Does it leak, has it sunk, or is it dry?", []),
        ("Is the raft dry?", []),
    ],
)
def test_what_is_compared(question: str, expected: list[str]) -> None:
    assert compared(question) == expected


WORDS = "what happens to a raft , is the do I and or between rafts ? `x`"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=12))
def test_any_question_can_be_read(words: list[str]) -> None:
    question = " ".join(words)
    assert topic(question).text.replace("the ", "") in question.replace("the ", "")
    assert len(compared(question)) in (0, 2, 3)


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("How long does the raft take?", "It takes 3 to 5 days.", "The raft takes 3 to 5 days."),
        ("How long does the raft take?", "It usually takes 3 days.", "The raft usually takes 3 days."),
        ("How long does the raft take?", "It takes a day to load.", "It takes a day to load."),
        ("How long does it take?", "It takes 3 days.", "It takes 3 days."),
        ("When does the raft leave?", "It takes 3 days.", "It takes 3 days."),
    ],
)
def test_what_takes_so_long(question: str, text: str, expected: str) -> None:
    assert lasting(text, question) == expected
