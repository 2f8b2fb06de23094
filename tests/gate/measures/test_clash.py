"""Statements that cannot both be true, and those that can."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gate.measures.clash import clash

CANNOT = [
    ("The card costs Rs 2000.", "The card costs Rs 800."),
    ("The card costs Rs 2000 a year.", "There is a fee. The yearly cost of the card is Rs 800."),
    ("The card costs Rs 800 a year.", "The card costs Rs 800 a month."),
    ("The train goes 50 km/h.", "The train goes 60 km per hour."),
    ("Update an order with PUT.", "Update an order with PATCH."),
    ("The office is in Lyon.", "The office is in Paris."),
    ("It does not ship abroad.", "It ships abroad."),
    ("Refunds are never possible.", "Refunds are possible."),
    ("The lid opens at 14:30.", "The lid opens at 9 am."),
    ("It needs Python version 3.9.", "It needs Python version 3.11."),
]
CAN = [
    ("The card costs Rs 800.", "The card costs Rs 800."),
    ("The disk holds 2 GB.", "The disk holds 2048 MB."),
    ("The card costs Rs 800 a year.", "The card costs Rs 800 yearly."),
    ("The card costs Rs 800 a year.", "The card costs Rs 800."),
    ("The route is 5 km long.", "The route is 5000 m long."),
    ("The share is 50 %.", "The share is 0.5."),
    ("The trial lasts 14 days.", "The trial lasts two weeks."),
    ("The card costs Rs 800.", "The card costs Rs 800 and the renewal Rs 500."),
    ("The pump runs at 40 watts.", "The door stays locked."),
    ("Cats sleep for 15 hours.", "Dogs are fed 2 times, cats once."),
    ("It does not ship abroad.", "Orders under ten euros are not accepted."),
    ("It ships abroad.", "It ships to Norway."),
    ("`response.text` is not available while streaming.", "`r.text` is not available while streaming."),
    ("Use a `Client()` to send it.", "Use a `Client` to send it."),
    ("", "It ships abroad."),
    ("It ships abroad.", ""),
]


@pytest.mark.parametrize(("claim", "text"), CANNOT)
def test_they_cannot_both_be_true(claim, text) -> None:
    assert clash(claim, text) in text
    assert clash(claim, text)


@pytest.mark.parametrize(("claim", "text"), CAN)
def test_they_can(claim, text) -> None:
    assert clash(claim, text) == ""


@settings(max_examples=60)
@given(st.text(max_size=200))
@example("B{0\x1e1")
def test_no_text_clashes_with_itself(text) -> None:
    assert clash(text, text) == ""
