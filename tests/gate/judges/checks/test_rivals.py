"""The amount of a neighbour, told of the claim's subject."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.rivals import check_rivals
from gate.judges.local import HARD

Laid = Callable[..., Alignment]
CARDS = "The library card costs 12 euros a year. The pool card costs 30 euros a year. It is valid for one person."
TABLE = (
    "| Card | Price | Valid |\n| --- | --- | --- |\n"
    "| Library card | 12 euros | 1 year |\n| Pool card | 30 euros | 6 months |"
)
SALE = "You can return any item within 30 days of delivery. Items bought in the sale can be returned within 14 days."
WAYS = "Express delivery takes 2 days. Standard delivery takes 5 days. Delivery abroad takes 14 days."


@pytest.mark.parametrize(
    ("claim", "document", "there"),
    [
        ("The library card costs 30 euros a year.", CARDS, "12 euros"),
        ("The pool card costs 12 euros a year.", CARDS, "30 euros"),
        ("The library card costs 30 euros each year.", CARDS, "12 euros"),
        ("The library card is valid for 6 months.", TABLE, "1 year"),
        ("Standard delivery takes 2 days.", WAYS, "5 days"),
        ("Delivery abroad takes 5 days.", WAYS, "14 days"),
        ("Any item can be returned within 14 days.", SALE, "30 days"),
    ],
)
def test_the_amount_of_something_else_is_a_sure_finding(laid: Laid, claim: str, document: str, there: str) -> None:
    (finding,) = check_rivals(laid(claim, document))
    assert (finding.kind, finding.against) == ("number", True)
    assert finding.strength >= HARD
    assert f"'{there}' of this" in finding.message


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The library card costs 12 euros a year.", CARDS),
        ("The pool card is valid for 6 months.", TABLE),
        ("The card costs 30 euros a year.", CARDS),  # which one?
        ("Both cards cost 42 euros a year in total.", CARDS),
        ("The library card does not cost 30 euros a year.", CARDS),
        ("Costs are 30 euros.", CARDS),  # of too few words
        ("Items can be returned within 14 days.", SALE),  # it may be about those of the sale
        # What differs is told apart by the claim, or stands in a sentence that is about it as well.
        ("For students the card costs 30 euros.", "The card costs 12 euros. For students the card costs 30 euros."),
        (
            "The card costs 30 euros.",
            "The card costs 12 euros. For guests from abroad, the card is 30 euros for a year.",
        ),
        ("The card lasts 30 days.", "The library card lasts 30 days. The card lasts at most 40 days."),
        ("Retries are set to 10.", "Retries are set to 3 by default. The maximum is 10."),
    ],
)
def test_what_may_be_right_is_left_alone(laid: Laid, claim: str, document: str) -> None:
    assert check_rivals(laid(claim, document)) == []
