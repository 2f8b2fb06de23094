"""Counts as shares, where there is what they are made of."""

import pytest

from gate.judges.shares import shares


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({}, {}),
        ({"unparsed_replies": 3}, {}),
        ({"replies": 0, "unparsed_replies": 0}, {"share_unparsed": 0.0}),
        ({"replies": 8, "unparsed_replies": 1}, {"share_unparsed": 0.125}),
        ({"settled_locally": 2, "sent_on": 1, "answers": 9}, {"share_sent_on": 0.3333}),
    ],
)
def test_shares(counts, expected) -> None:
    assert shares(counts) == expected
