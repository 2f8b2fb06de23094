from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.agents import check_agents
from gate.judges.local import HARD

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The pilot signs the logbook.", "The mechanic signs the logbook before the pilot takes over the aircraft."),
        ("A hamster needs a passport.", "Hamsters travel as hand luggage; a ferret needs a passport."),
    ],
)
def test_what_another_one_does_is_not_said_of_this_one(laid: Laid, claim: str, document: str) -> None:
    (finding,) = check_agents(laid(claim, document))
    assert finding.kind == "swapped"
    assert finding.strength >= HARD
    assert finding.sentence >= 0


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The mechanic signs the logbook.", "The mechanic signs the logbook before the pilot takes over the aircraft."),
        ("The pilot signs the logbook.", "The mechanic signs the logbook, and the pilot does so too."),
        ("The pilot signs the logbook.", "Anyone on board, the pilot included, signs the logbook."),
        ("The deputy chairs the meeting.", "The mayor chairs the meeting; where the mayor is away, the deputy does."),
        ("The pilot signs the logbook.", "The mechanic and the pilot sign the logbook."),
        ("The pilot signs the logbook.", "The mechanic signs the logbook."),
        (
            "The pilot does not sign the logbook.",
            "The mechanic signs the logbook before the pilot takes over the aircraft.",
        ),
        ("Fuses wear out.", "Needles, fuses and belts wear out, and belts are replaced by the dealer."),
        (
            "The lender insures it on the way back.",
            "The borrower insures it on the way there, the lender on the way back.",
        ),
        ("A clerk may open the safe.", "The safe can be opened by whoever locked it or by a clerk."),
        ("An hour late costs 14 euros.", "Coming late costs 10 euros and the price of an hour."),
        ("The app sets the mode.", "The wheel sets the mode for now, the app sets it for good."),
    ],
)
def test_what_may_be_true_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_agents(laid(claim, document)) == []
