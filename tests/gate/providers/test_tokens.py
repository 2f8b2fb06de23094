"""Estimated counts of tokens."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.providers.base import Message, Request
from gate.providers.tokens import BYTES_PER_TOKEN, count, estimated, prompt_tokens, reported
from gate.records import Usage


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("a", 1),
        ("oats", 1),
        ("wheat", 2),
        ("x" * 400, 100),
        ("保修期为两年", 5),
        ("два года", 4),
        ("\ud83d", 1),
    ],
)
def test_four_bytes_are_a_token(text: str, expected: int) -> None:
    assert count(text) == expected


@given(st.text(), st.text())
def test_a_longer_text_never_has_fewer(one: str, two: str) -> None:
    assert count(one) <= count(one + two) <= count(one) + count(two)
    assert count(one) * BYTES_PER_TOKEN >= len(one)


@pytest.mark.parametrize(
    ("contents", "expected"), [((), 0), (("",), 4), (("oats",), 5), (("oats", "wheat"), 11), (("x" * 40, ""), 18)]
)
def test_every_message_has_a_frame(contents: tuple[str, ...], expected: int) -> None:
    assert prompt_tokens(Request(tuple(Message("user", content) for content in contents))) == expected


def test_only_what_is_sent_counts() -> None:
    request = Request((Message("system", "Be brief."),), question="q" * 900, contexts=("c" * 900,))
    assert prompt_tokens(request) == 7


def test_an_estimate_says_that_it_is_one() -> None:
    request = Request((Message("user", "How deep is the lake?"),))
    assert estimated(request, "40 metres") == Usage(10, 3, estimated=True)


@pytest.mark.parametrize(
    ("read", "written", "expected"),
    [
        (11, 5, Usage(11, 5)),
        (0, 0, Usage(0, 0)),
        (-1, 5, None),
        (11, None, None),
        ("11", 5, None),
        (10**400, 5, None),
        (11, 10**10, None),
    ],
)
def test_only_counts_that_a_call_can_have_are_believed(read: Any, written: Any, expected: Usage | None) -> None:
    assert reported(read, written) == expected
