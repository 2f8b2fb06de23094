"""Whom to ask instead."""

import pytest

from gate.extraction.extract import extract
from gate.extraction.referrals import referral


@pytest.mark.parametrize(
    "text",
    [
        "Please contact our support team.",
        "You may want to ask the miller for more details.",
        "I'd recommend that you reach out to your manager directly.",
        "I suggest checking with the guild.",
        "It’s best to speak to an adviser.",
    ],
)
def test_a_polite_pointer(text: str) -> None:
    assert referral(text)


@pytest.mark.parametrize(
    "text",
    [
        "Contact the mill within 5 days.",
        "Report the loss to the miller.",
        "Ask your manager.",
        "Please contact the mill before you open the gate.",
        "Please call the mill on 555 1234.",
        "Please open the gate.",
        "You can ask the miller to grind rye.",
        "Please contact the mill, which opens at nine.",
        "",
    ],
)
def test_what_tells_something(text: str) -> None:
    assert not referral(text)


def test_a_pointer_behind_a_refusal_is_no_claim() -> None:
    assert extract("I don't know how long it takes. Please contact our support team.") == []
    assert extract("I could not find this in the documentation. You may want to ask the miller.") == []


def test_a_pointer_that_is_the_answer_or_stands_beside_one_is_a_claim() -> None:
    assert [claim.text for claim in extract("Please contact our support team.", "What do I do?")]
    told = [claim.text for claim in extract("I don't know the fee. The mill opens at nine. Please ask the miller.")]
    assert "The mill opens at nine." in told
    assert len(told) == 2
