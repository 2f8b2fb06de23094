from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.compared import check_compared
from gate.judges.local import HARD

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        (
            "At the counter tickets cost less than online.",
            "Tickets bought online are 10 % cheaper than at the counter.",
        ),
        ("The night bus is faster than the tram.", "The night bus is slower than the tram."),
        ("Silver plans are more expensive than gold plans.", "Silver plans cost less than gold plans."),
        ("The attic is warmer than the cellar.", "The attic is cooler than the cellar all year."),
    ],
)
def test_a_comparison_turned_round_in_other_words(laid: Laid, claim: str, document: str) -> None:
    (finding,) = check_compared(laid(claim, document))
    assert finding.kind == "swapped"
    assert finding.strength >= HARD
    assert finding.sentence >= 0


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        (
            "At the counter tickets cost more than online.",
            "Tickets bought online are 10 % cheaper than at the counter.",
        ),
        ("The tram is faster than the night bus.", "The night bus is slower than the tram."),
        ("Gold plans are more expensive than silver plans.", "Silver plans cost less than gold plans."),
        ("The night bus is faster than the tram.", "The night bus is sometimes slower than the tram."),
        ("The night bus is not faster than the tram.", "The night bus is slower than the tram."),
        ("The night bus is older than the tram.", "The night bus is slower than the tram."),
        ("The night bus is faster than the ferry.", "The night bus is slower than the tram."),
    ],
)
def test_what_may_be_true_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_compared(laid(claim, document)) == []
