from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.scope import check_scope

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document", "kind"),
    [
        ("Only admins may delete boards.", "Admins may delete boards.", "only"),
        ("Admins may delete boards.", "Only admins may delete boards.", "only there"),
        ("The key is always sent.", "The key is sometimes sent.", "scope"),
        ("All boards are public.", "Boards are public.", "all"),
        ("Every plan costs $10 per month.", "The plan costs $10/month.", "all"),
        ("Each of them costs $10 per seat.", "They cost $10/month.", "all"),
        ("Boards are public by default.", "Boards are public.", "default"),
        ("The name must be set.", "Setting the name is optional.", "duty"),
        ("Setting the name is optional.", "A name is required.", "duty"),
    ],
)
def test_a_claim_that_goes_further_is_told(laid: Laid, claim: str, document: str, kind: str) -> None:
    assert kind in [finding.kind for finding in check_scope(laid(claim, document))]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("Only admins may delete boards.", "Nobody but admins may delete boards; not editors."),
        ("Boards are public by default.", "The default: boards are public."),
        ("The name must be set.", "A name is required."),
        ("All boards are public.", "Every board is public."),
        ("Visitors are welcome every day.", "Visitors are welcome daily."),
        ("Last of all the default of the house is used.", "The default of the house comes last."),
        ("The card is just as valid in the harbour.", "The card is valid in the harbour too."),
        ("This can be used twice each calendar year.", "It can be used twice in a calendar year."),
        ("The rent is 500 euros per month.", "The monthly rent is 500 euros."),
        ("Just ask at the desk a week before.", "Ask at the desk a week before."),
        ("It is warmer than any other room.", "It is the warmest room."),
        ("Whatever is left over goes back.", "The rest goes back."),
        ("The name may be set.", "You should set the name."),
        ("The plan costs $10 per month.", "The plan costs $10/month."),
    ],
)
def test_the_same_reach_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_scope(laid(claim, document)) == []


def test_findings_of_scope_are_no_contradictions(laid: Laid) -> None:
    assert not any(f.against for f in check_scope(laid("All keys must always be sent.", "Some keys may be sent.")))
