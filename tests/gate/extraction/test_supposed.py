"""Questions that an answer asks to suppose something."""

from __future__ import annotations

import pytest

from gate.extraction.extract import extract
from gate.extraction.supposed import supposed
from gate.text import within


def claims(answer: str) -> list[str]:
    return [claim.text for claim in extract(answer, "What happens if the lift stops?")]


@pytest.mark.parametrize(
    "said",
    [
        "All three tries failed? Then the lift is shut.",
        "Is the tank full? Then shut the lid.",
        "Lost? Within 28 days of that you can ask the office for a key.",
    ],
)
def test_what_is_supposed_belongs_to_what_then_is_so(said: str) -> None:
    assert claims(f"- The lift tries again.\n- {said}\n- The key is red.")[1] == said


@pytest.mark.parametrize(
    "said",
    [
        "Is it free? Yes, it is.",
        "What does it cost? The fee is 5 euros.",
        "**Cost?** The fee is 5 euros.",
        "Any questions? Call us.",
        "Lost? Why?",
    ],
)
def test_other_questions_stay_apart(said: str) -> None:
    spans = within(said, 0, len(said))
    assert supposed(said, spans) == spans
