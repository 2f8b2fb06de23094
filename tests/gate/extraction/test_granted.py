"""What a question takes for granted is a claim; what it only asks is none."""

import pytest

from gate.extraction.extract import extract
from gate.extraction.granted import granted


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("Would you like me to book it, since the fee is only 5 euros?", "The fee is only 5 euros."),
        ("**Shall I cancel it, because the trial ends on Friday?**", "The trial ends on Friday."),
        ("Since the fee is only 5 euros, would you like me to book it?", "The fee is only 5 euros."),
        ("Given that the fee is only 5 euros, shall I book it?", "The fee is only 5 euros."),
        ("Would you like to book it (the fee is only 5 euros)?", "The fee is only 5 euros."),
        ("Would you like to book it — the fee is only 5 euros?", "The fee is only 5 euros."),
        ("Would you like the Pro plan, which costs 5 euros?", "The Pro plan costs 5 euros."),
        ("The fee is only 5 euros, so shall I book it?", "The fee is only 5 euros."),
        ("The fee is only 5 euros, right?", "The fee is only 5 euros."),
    ],
)
def test_a_reason_or_a_remark_in_a_question_is_a_claim(question: str, claim: str) -> None:
    assert [one.text for one in extract(question)] == [claim]
    assert [one.text for one in extract(f"The trial is free. {question}")] == ["The trial is free.", claim]


@pytest.mark.parametrize(
    "question",
    [
        "Is it slow because the cache is cold?",
        "Would you like to know more, since you asked?",
        "Would you like to act as a guide?",
        "Which of the two, since when, and why?",
        "Shall I book it (5 euros a month)?",
        "If the pump leaks, what should you do?",
        "To help you better, could you tell me your plan?",
        "Alternatively, would you prefer a call?",
        "Let me know: is it dry?",
    ],
)
def test_a_question_that_only_asks_tells_nothing(question: str) -> None:
    assert extract(question) == []


def test_what_is_no_question_grants_nothing() -> None:
    text = "Book it, since the fee is only 5 euros."
    assert granted(text, 0, len(text)) == []
    assert granted("?", 0, 1) == []
