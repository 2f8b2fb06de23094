from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.excepted import check_excepted

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document", "said"),
    [
        ("Guide dogs are exempt, even on the sun deck.", "Guide dogs are exempt, except on the sun deck.", "out"),
        ("Dogs may board daily, including Sundays.", "Dogs may board daily, except on Sundays and in May.", "out"),
        ("Phones are allowed, even in the cabin.", "Phones are allowed, but not in the cabin.", "out"),
        ("All fees are paid back, except the toll.", "All fees are paid back, including the toll.", "in"),
    ],
)  # fmt: skip
def test_what_one_side_excepts_and_the_other_takes_in(laid: Laid, claim: str, document: str, said: str) -> None:
    (finding,) = check_excepted(laid(claim, document))
    assert {"out": "the document leaves out", "in": "the document takes in"}[said] in finding.message
    assert (finding.against, finding.sentence) == (True, 0)


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("Dogs may board, even on Sundays.", "Dogs may board, even on Sundays."),
        ("Dogs may board, except on Sundays.", "Dogs may board, except on Sundays."),
        ("Dogs may board, even in May.", "Dogs may board, except on Sundays."),
        ("Dogs may not board, not even on Sundays.", "Dogs may board, except on Sundays."),
        ("The pier is closed at Easter, even for members.", "The pier is open, except at Easter for members."),
        ("Dogs may board, except on Sundays.", "Dogs may board on weekdays, including those in May."),
        ("Even cats like fish.", "Dogs may board, except with cats and fish."),
    ],
)
def test_what_both_sides_except_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_excepted(laid(claim, document)) == []
