"""Questions that ask are no claims; those that tell are."""

import pytest

from gate.extraction.questions import asks, opens, turn


@pytest.mark.parametrize(
    "text",
    [
        "What is it?",
        "Have you tried it?",
        "Isn't it plugged in?",
        "¿Es esto?",
        "什么是超时？",
        "Really?",
        "Sounds good?",
        "For how long?",
        "Kann ich helfen?",
        "هل هذا مفيد؟",
    ],
)
def test_asks(text: str) -> None:
    assert asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "Did you know the limit is 5?",
        "Isn't the limit 5?",
        "And did you know that it is free?",
        "¿Sabía que es gratis?",
        "It is free, right?",
        "上限是五百？",
    ],
)
def test_tells(text: str) -> None:
    assert not asks(text)


def test_the_place_where_a_sentence_becomes_a_question() -> None:
    assert turn("It is 5 euros, so shall I book it?") == len("It is 5 euros")
    assert turn("It is 5 euros, right?") == len("It is 5 euros")
    assert turn("Shall I book it, or is it too dear?") == 0
    assert turn("It is 5 euros.") == 0


def test_what_only_opens_a_question() -> None:
    assert all(opens(text) for text in ("If it leaks", "By the way", "Alternatively", "Given that it is free", ""))
    assert not any(opens(text) for text in ("It is 5 euros", "If it leaks, it stops"))
