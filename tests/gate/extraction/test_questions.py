"""Questions that ask are no claims; those that tell are."""

import pytest

from gate.extraction.questions import asks


@pytest.mark.parametrize(
    "text", ["What is it?", "Have you tried it?", "Isn't it plugged in?", "¿Es esto?", "什么是超时？"]
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
