from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.exchanged import check_exchanged
from gate.judges.local import HARD

Laid = Callable[..., Alignment]
WALLS = "Walls may be 90 cm high at the road and 140 cm between gardens."
FEE = "The fee is 15 euros per boat; for a raft it is 30 euros."


@pytest.mark.parametrize(
    ("claim", "document", "told"),
    [
        ("Walls may be 140 cm high at the road and 90 cm between gardens.", WALLS, "'90 cm' before '140 cm'"),
        ("What is the fee? 30 euros per boat; for a raft it is 15 euros.", FEE, "'15 euros' before '30 euros'"),
        ("Tickets last 90 days, keys last 2 weeks.", "Tickets last 14 days; keys last 90 days.", "'14 days' before"),
    ],
)
def test_two_amounts_in_each_other_s_place_are_a_sure_finding(laid: Laid, claim: str, document: str, told: str) -> None:
    (finding,) = check_exchanged(laid(claim, document))
    assert (finding.kind, finding.against, finding.sentence) == ("other value", True, 0)
    assert finding.strength >= HARD
    assert f"the document says {told}" in finding.message


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("Walls may be 90 cm high at the road and 140 cm between gardens.", WALLS),
        ("Between gardens walls may be 140 cm high, and at the road 90 cm.", WALLS),
        ("Walls may be 140 cm high between gardens and 90 cm at the road.", WALLS),
        ("It costs 7 euros in May, formerly 5 euros.", "It cost 5 euros; in May it went up to 7 euros."),
        ("The fee was 7 euros, up from 5 euros.", "The fee rose from 5 euros to 7 euros."),
        ("Kids pay 3 euros and others pay 5 euros.", "All pay 5 euros, and pupils pay 3 euros."),
        ("The fee is not 30 euros per boat; for a raft it is 15 euros.", FEE),
        ("A boat is 30 euros and a raft is 15 euros.", FEE + " A boat is 30 euros and a raft is 15 euros in May."),
        ("The fee is 30 euros per boat and 15 cm for a raft.", FEE),
    ],
)
def test_what_may_be_right_is_left_alone(laid: Laid, claim: str, document: str) -> None:
    assert check_exchanged(laid(claim, document)) == []
