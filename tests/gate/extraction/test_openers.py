"""What is said in front of a statement."""

from __future__ import annotations

import pytest

from gate.extraction.openers import heads, strip_heads


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Note that X is fast.", "X is fast."),
        ("However, I think X is fast.", "X is fast."),
        ("As far as I know, X is fast.", "X is fast."),
        ("That's expected: X is fast.", "X is fast."),
        ("In general, X is fast.", "In general, X is fast."),
        ("In practice, X is fast.", "In practice, X is fast."),
        ("Probably, X is fast.", "Probably, X is fast."),
        ("I think X may be fast.", "X may be fast."),
        ("Don't worry, X is fast.", "X is fast."),
        ("Rest assured that X is fast.", "X is fast."),
        ("No worries: X is fast.", "X is fast."),
        ("No worries.", "No worries."),
        ("Don't worry the cat.", "Don't worry the cat."),
        ("Note:", "Note:"),
    ],
)
def test_discourse_comes_off(text: str, rest: str) -> None:
    assert text[strip_heads(text) :] == rest


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("**TL;DR:** It is 5.", "It is 5."),
        ("Short answer: it is 5.", "it is 5."),
        ("Explanation:** It is 5.", "It is 5."),
        ("Note:** it is 5.", "it is 5."),
        ("Root cause: a leak.", "Root cause: a leak."),
    ],
)
def test_a_label_that_says_nothing_is_no_part_of_a_claim(text: str, rest: str) -> None:
    text = text.lstrip("*")
    assert text[strip_heads(text) :] == rest


def test_a_doubt_has_its_place() -> None:
    text = "However, I think X is fast."
    assert heads(text) == (17, 9)
    assert heads("X is fast.") == (0, 0)
