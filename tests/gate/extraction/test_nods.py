"""Nods and shakes of the head, and what is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.nods import nodded


@pytest.mark.parametrize(
    ("answer", "question", "expected"),
    [
        ("No problem!", "Can I return my ticket?", "you can return your ticket."),
        ("👍🏽", "Is the loom wide?", "Is the loom wide? Yes."),
        ("❌", "Does the loom produce silk?", "the loom does not produce silk."),
        ("That’s right.", "Do looms break?", "looms break."),
        ("👍", "Which loom is wide?", ""),
        ("👍", "Tell me.", ""),
        ("It is wide.", "Is the loom wide?", ""),
        ("", "Is the loom wide?", ""),
    ],
)
def test_a_nod(answer: str, question: str, expected: str) -> None:
    assert nodded(answer, question) == expected


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_read(answer: str, question: str) -> None:
    assert len(nodded(answer, question)) <= 3 * len(question) + 25
