"""What an answer asks itself is answered by what follows: the claim holds that question, not the user's."""

import pytest

from gate.extraction.extract import extract
from tests.support.steps import growth, steps

ASKED = "Tell me about the plans"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            "**Is there a free plan?** Yes, up to 5 users.\n\n**Can I cancel?** Yes.",
            ["Is there a free plan? Yes, up to 5 users.", "You can cancel."],
        ),
        (
            "## How long does the trial last?\n\nIt lasts 14 days. It needs no card.",
            ["The trial lasts 14 days.", "The trial needs no card."],
        ),
        ("Q: How long is the trial?\nA: Two weeks.", ["How long is the trial? Two weeks."]),
        ("**Q1: How long is the trial?**\n**A1:** Two weeks.", ["How long is the trial? Two weeks."]),
        ("**Q:** How long is the trial?\n**A:** It lasts two weeks.", ["The trial lasts two weeks."]),
        ("Q\nHow long is the trial?\nA\nTwo weeks.", ["How long is the trial? Two weeks."]),
        (
            "1. **What is the fee?** 5 euros\n2. **Who pays it?** The seller",
            ["What is the fee? 5 euros.", "Who pays it? The seller."],
        ),
        ("- **Cost?** 5 euros.\n- **Time?** 3 days.", ["Cost? 5 euros.", "Time? 3 days."]),
        (
            "### What is included?\n- chat support\n- backups\n\n30 days.",
            ["What is included? Chat support.", "What is included? Backups.", f"{ASKED} 30 days."],
        ),
    ],
)
def test_an_answer_to_a_question_of_the_answer_itself(answer: str, expected: list[str]) -> None:
    assert [claim.text for claim in extract(answer, ASKED)] == expected


def test_an_offer_or_a_bare_why_is_not_what_is_answered() -> None:
    assert [c.text for c in extract("Want to know the fee? 5 euros.", "What is the fee?")] == [
        "What is the fee? 5 euros."
    ]
    assert [c.text for c in extract("Why? The weather.", "Why does it stop?")] == ["Why does it stop? The weather."]


@pytest.mark.parametrize("answer", ["Q: ...\nA: ...", "q\na", "Q.\n\nA:", "Question\nAnswer", "**Q:**\n\n**A:**"])
def test_labels_alone_say_nothing(answer: str) -> None:
    assert extract(answer, ASKED) == []


def test_a_letter_may_be_the_answer_to_a_choice() -> None:
    assert [c.text for c in extract("A", "Which plan is free, A or B?")] == ["Which plan is free, A or B? A."]


@pytest.mark.parametrize("label", ["# a\n", "A. ", "• a\n", "a\n=\n", "```\na\n```\n"])
def test_labels_without_end_cost_no_more_each(label: str) -> None:
    assert growth(lambda size: extract(label * size, ASKED), 100) < 2.5


def test_words_of_the_question_in_bold_over_what_is_said_of_them_are_no_claim() -> None:
    said = "**Lids.** Shut them all.\n\n**Red keys**\n\n- The office has two.\n\n**Free.** The boat costs nothing."
    found = [claim.text for claim in extract(said, "How do I shut the lids and get red keys for the boat?")]
    assert not [claim for claim in found if claim.endswith(("Lids.", "Red keys."))]
    assert any(claim.endswith("Free.") for claim in found)
    assert any(claim.endswith("Lids.") for claim in (c.text for c in extract(said, "Are lids or keys red?")))


@pytest.mark.parametrize("question", ["Is the boat free?", "What does the boat cost, and is it free?"])
def test_a_word_in_bold_may_answer_a_question_of_yes_or_no(question: str) -> None:
    found = [claim.text for claim in extract("**Free.** The town has paid for it.", question)]
    assert found[0] == f"{question} Free."


def test_a_long_question_is_read_once() -> None:
    answer, asked = "**Lid.** The lid is shut. Two points. " * 100, "How many points are there? "
    brief = steps(lambda: extract(answer, asked))
    assert steps(lambda: extract(answer, asked + "lid key gate " * 200)) < 2 * brief
