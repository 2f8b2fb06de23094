"""The case that a question asks about belongs to the amount that answers it."""

from __future__ import annotations

import pytest

from gate.extraction.cases import case
from gate.extraction.extract import extract


@pytest.mark.parametrize(
    ("question", "answer", "claim"),
    [
        (
            "How many extra days do I get after 10 years?",
            "You get 2 extra days.",
            "After 10 years, you get 2 extra days.",
        ),
        (
            "What does delivery cost for orders over 50 euros?",
            "Delivery costs 5 euros.",
            "For orders over 50 euros, delivery costs 5 euros.",
        ),
        (
            "If I cancel my trip 3 days before it starts, how much do I get back?",
            "You get 50 % back.",
            "If you cancel your trip 3 days before it starts, you get 50 % back.",
        ),
        (
            "How much is refunded when I cancel 3 days early?",
            "USD 20 is refunded.",
            "When you cancel 3 days early, USD 20 is refunded.",
        ),
    ],
)
def test_an_amount_is_told_of_the_case_that_was_asked_about(question: str, answer: str, claim: str) -> None:
    assert [found.text for found in extract(answer, question)] == [claim]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many extra days do I get after 10 years?", "You get 2 extra days after 5 years."),
        ("How many extra days do I get after 10 years?", "With 10 years you get 4 extra days."),
        ("How many extra days do I get after 10 years?", "You get 2 extra days every year."),
        ("How many extra days do I get after 10 years?", "Extra days are written in the roster."),
        ("How many extra days do I get?", "You get 2 extra days."),
        ("How many users can I have with the small plan?", "You can have 15 users."),
        ("How long may I return a lamp bought for 200 euros?", "You have 30 days."),
        ("How long does a refund for 3 tickets take?", "The refund takes 14 days."),
        ("Who approves trips over 500 euros?", "A panel of 3 people approves it."),
    ],
)
def test_other_claims_are_left_alone(question: str, answer: str) -> None:
    assert [found.text for found in extract(answer, question)] == [answer]


def test_what_follows_the_first_claim_is_left_alone() -> None:
    found = extract("You get 2 extra days. The office is closed on 2 days.", "How many extra days after 10 years?")
    assert [claim.text for claim in found] == [
        "After 10 years, you get 2 extra days.",
        "The office is closed on 2 days.",
    ]
    assert found[0].start == 0


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("What is the fee for a parcel of 8 kg?", "for a parcel of 8 kg"),
        ("For 3 nights, what is the fee?", "For 3 nights"),
        ("What is the fee, for 3 nights, of a room?", ""),
        ("What is the fee for three nights or so?", ""),
        ("", ""),
    ],
)
def test_a_case_has_an_amount_in_figures(question: str, given: str) -> None:
    assert case(question) == given


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("What does L7 mean?", "The lid is stuck.", ["What does L7 mean? The lid is stuck."]),
        ("What does L7 mean?", "L7 says that the lid is stuck.", ["L7 says that the lid is stuck."]),
        ("What does L7 mean for me?", "The lid is stuck.", ["The lid is stuck."]),
    ],
)
def test_what_something_means_names_it(question: str, answer: str, expected: list[str]) -> None:
    assert [claim.text for claim in extract(answer, question)] == expected
