"""Counts as shares, lines of passages, and the chance that a verdict tells."""

from __future__ import annotations

import math

import pytest

from gate.judges.base import chance_of, line_at, shares
from gate.records import Claim, Evidence, Label, Verdict

GOOD, WEAK, BAD, NONE = Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED, Label.UNJUDGED


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


@pytest.mark.parametrize(
    ("lines", "offset", "line"), [((7, 9, 20), 3, 7), ((7, 9, 20), 4, 9), ((7, 9, 20), 8, 20), ((), 5, 8)]
)
def test_the_line_of_an_offset(lines: tuple[int, ...], offset: int, line: int) -> None:
    assert line_at(Evidence("a.md", 7, "one\ntwo\nsix", 1.0, "", lines), offset) == line


@pytest.mark.parametrize(
    ("label", "confidence", "support", "chance"),
    [
        (GOOD, 0.9, None, 0.1),
        (BAD, 0.9, None, 0.9),
        (WEAK, 0.7, None, 0.7),
        (WEAK, 0.4, 0.6, 0.4),
        (GOOD, 0.0, None, None),
        (NONE, 0.9, 0.5, None),
    ],
)
def test_the_chance_of_not_supported(label, confidence, support, chance):
    claim = Claim("1", "1", "1", "x", 0, 1)
    found = chance_of(Verdict(claim, label, "", confidence=confidence, support=support))
    assert found is None if chance is None else math.isclose(found, chance)
