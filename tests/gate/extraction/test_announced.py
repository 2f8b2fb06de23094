"""Announcements: what only says that something follows."""

from __future__ import annotations

import pytest

from gate.extraction.announced import announced
from gate.extraction.extract import extract
from gate.extraction.nonclaims import nonclaim


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Two footnotes: the mill is closed in May.", "the mill is closed in May."),
        ("Two practical notes: book the boat early.", "book the boat early."),
        ("Don’t forget: the mill is closed in May.", "the mill is closed in May."),
        ("Be aware of its limits: it isn't open in May.", "it isn't open in May."),
        ("One more thing to keep in mind: the mill is closed in May.", "the mill is closed in May."),
        ("For you that means: the fee is 5 euros.", "the fee is 5 euros."),
        ("There is one catch: the mill is closed in May.", "the mill is closed in May."),
        ("The bad news: the mill is closed in May.", "the mill is closed in May."),
        ("Worth knowing: the mill is closed in May.", "the mill is closed in May."),
        ("What this means for you: the fee is 5 euros.", "the fee is 5 euros."),
        ("Keep in mind two limits: the fee is 5 euros.", "the fee is 5 euros."),
        ("There is a warning in the log: the mill is closed.", "There is a warning in the log: the mill is closed."),
        ("Two footnotes: red and blue.", "Two footnotes: red and blue."),
        ("Three penalty points: you lose the licence.", "Three penalty points: you lose the licence."),
        ("Don't forget the lamp: it is needed.", "Don't forget the lamp: it is needed."),
        ("Red mill: it is closed in May.", "Red mill: it is closed in May."),
    ],
)
def test_an_announcement_comes_off_a_whole_statement(text: str, rest: str) -> None:
    assert text[announced(text, 0) :] == rest


def test_no_later_clause_and_no_item_has_the_announcement_in_front() -> None:
    said = "Two footnotes: the mill is closed in May, and the boat needs a key.\n\nSome details:\n\n- The key is red."
    assert [claim.text for claim in extract(said, "When is the mill open?")] == [
        "The mill is closed in May.",
        "The boat needs a key.",
        "The key is red.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The main points.",
        "Three details matter in your case:",
        "You'd run something like this.",
        "For the red mill it depends.",
        "I hope he is recovering well.",
        "Congratulations on your new boat!",
    ],
)
def test_what_says_nothing(text: str) -> None:
    assert nonclaim(text)


@pytest.mark.parametrize(
    "text",
    [
        "I hope you know that it is 5 euros.",
        "You need a lamp on each side.",
        "There is a way round it, though.",
        "Good.",
    ],
)
def test_what_asserts_something_stays(text: str) -> None:
    assert not nonclaim(text)
