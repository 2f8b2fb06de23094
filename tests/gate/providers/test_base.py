"""The records that cross the seams: estimated and reported counts of tokens."""

from typing import Any

import pytest

from gate.providers.base import (
    count_tokens,
    reported_usage,
)
from gate.records import Usage


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("a", 1),
        ("x" * 400, 100),
        ("保修期为两年", 5),
        ("\ud83d", 1),
    ],
)
def test_four_bytes_are_a_token(text: str, expected: int) -> None:
    assert count_tokens(text) == expected


@pytest.mark.parametrize(
    ("read", "written", "expected"),
    [
        (11, 5, Usage(11, 5)),
        (-1, 5, None),
        ("11", 5, None),
        (10**400, 5, None),
    ],
)
def test_only_counts_that_a_call_can_have_are_believed(read: Any, written: Any, expected: Usage | None) -> None:
    assert reported_usage(read, written) == expected
