from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.gapped import check_gapped
from gate.judges.local import HARD

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("Passes are sold at the gate.", "Tickets are sold at the gate, passes at the office."),
        ("Tickets are sold at the office.", "Tickets are sold at the gate, passes at the office."),
        ("Cancellations are confirmed by email.", "Bookings are confirmed by email, cancellations by text message."),
        (
            "The vehicle fee goes to the testing body.",
            "The exam fee goes to the testing body, and the vehicle fee to the school.",
        ),
    ],
)
def test_what_belongs_to_the_first_is_not_said_of_the_second(laid: Laid, claim: str, document: str) -> None:
    (finding,) = check_gapped(laid(claim, document))
    assert finding.kind == "swapped"
    assert finding.strength >= HARD
    assert finding.sentence >= 0


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("Passes are sold at the office.", "Tickets are sold at the gate, passes at the office."),
        ("Tickets are sold at the gate.", "Tickets are sold at the gate, passes at the office."),
        (
            "Tickets and passes are sold at the gate.",
            "Tickets are sold at the gate, passes at the gate and at the office.",
        ),
        ("Passes are not sold at the gate.", "Tickets are sold at the gate, passes at the office."),
        ("Passes are shown at the gate.", "Tickets are sold at the gate, passes at the office."),
        ("Small plans are signed by the officer.", "Plans over 2,000 are signed by the mayor, others by the officer."),
        ("Passes are sold at the gate.", "If it rains, tickets are sold at the gate, passes at the office."),
    ],
)
def test_what_may_be_true_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_gapped(laid(claim, document)) == []
