"""Grades from 1 to 5 against a reference: what is wrong, what is missing, and what costs little."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.config import Correctness
from gate.judges.base import Grade
from gate.measures.base import NO_REFERENCE, Answered, Case
from gate.measures.claims import rate_correctness
from gate.records import Answer, Claim, Label, Prompt, Verdict
from tests.support.measured import FOREIGN, REFUSAL, Tools

CARD = "The card costs Rs 800. Renewal is free."
RETURNS = "Items return free of charge for 30 days. Refunds take five working days."
COSTS, BACK = "What does the card cost?", "How do returns work?"
NO = REFUSAL
# answer, reference, question, whether it passes at 4.0
KNOWN = [
    ("The card costs Rs 800. Renewal is free.", CARD, COSTS, True),
    ("The card costs Rs 2000.", CARD, COSTS, False),
    (NO, CARD, COSTS, False),
    ("", CARD, COSTS, False),
    (NO, f"{NO} Hello!", COSTS, True),
    ("Max Miller owns it.", NO, "Who owns it?", False),
]


def case(answer: str, reference: str | None, question: str = COSTS, name: str = "p") -> Case:
    return Case(Prompt(name, question, reference=reference), Answer(name, name, answer))


def graded(answer: str, reference: str | None, question: str = COSTS):
    (rating,) = rate_correctness(Answered((case(answer, reference, question),)), Correctness(), Tools()).ratings
    return rating


@pytest.mark.parametrize(("answer", "reference", "question", "passes"), KNOWN)
def test_known_cases(answer, reference, question, passes) -> None:
    rating = graded(answer, reference, question)
    assert (rating.value >= 4.0) == passes, (rating.value, rating.why)
    assert rating.parts["passed"] == float(passes)
    assert 1.0 <= rating.value <= 5.0
    assert 0 < len(rating.why) <= 300


def test_a_contradiction_costs_more_than_a_gap_and_a_gap_more_than_a_detail_beside_it() -> None:
    detail = graded(f"{RETURNS} The shop has a garden.", RETURNS, BACK).value
    gap = graded("Items return free of charge for 30 days.", RETURNS, BACK).value
    clash = graded(RETURNS.replace("30", "14").replace("five", "nine"), RETURNS, BACK).value
    assert 5.0 > detail > gap > clash
    assert detail >= 4.5


def test_what_is_said_beside_the_reference_costs_by_what_is_known_of_it() -> None:
    more = "The shop has a garden."
    made = case(f"{RETURNS} {more}", RETURNS, BACK)

    def value(**known: object) -> float:
        return rate_correctness(Answered((replace(made, **known),)), Correctness(), Tools()).ratings[0].value

    def labelled(label: Label) -> tuple[Verdict, ...]:
        return (Verdict(Claim("p:0", "p", "p", more, 0, len(more)), label, ""),)

    true, unknown = value(contexts=(f"Behind the house: {more}",)), value()
    false = value(contexts=("The shop opens at nine.",))
    assert 5.0 > true > unknown > false
    assert value(verdicts=labelled(Label.SUPPORTED)) == true
    assert value(verdicts=labelled(Label.UNSUPPORTED)) == false
    assert value(verdicts=labelled(Label.UNJUDGED)) == unknown


def test_without_a_reference_it_does_not_apply() -> None:
    for reference in (None, "", "  "):
        assert rate_correctness(Answered((case("Rs 800", reference),)), Correctness(), Tools()).skipped == {
            "p": NO_REFERENCE
        }


def test_another_language_is_told_and_not_guessed() -> None:
    found = rate_correctness(
        Answered((case("Die Karte ist für Studenten kostenlos und wird verschickt.", FOREIGN),)), Correctness(), Tools()
    )
    assert found.ratings == ()
    assert "not in English" in found.unjudged["p"]


@settings(max_examples=40, deadline=None)
@given(st.text(min_size=1, max_size=80).filter(lambda text: any(c.isalnum() for c in text)))
def test_the_reference_answer_is_correct(text) -> None:
    assert graded(text, text).value == 5.0


def test_by_a_model() -> None:
    class Tools:
        def grade(self, items):
            assert items == [(COSTS, CARD, "Rs 800"), (COSTS, CARD, "x")]
            return [Grade(4.0, "missing: renewal", 1), Grade(None, "the judge's reply is no JSON, twice asked")]

    cases = case("Rs 800", CARD, name="a"), case("x", CARD, name="b"), case("y", None, name="c")
    found = rate_correctness(Answered(cases), Correctness(by="model"), Tools())
    assert [(r.prompt_id, r.value, r.why, dict(r.parts)) for r in found.ratings] == [
        ("a", 4.0, "missing: renewal", {"passed": 1.0, "rubric": 1.0})
    ]
    assert found.unjudged == {"b": "the judge's reply is no JSON, twice asked"}
    assert found.skipped == {"c": NO_REFERENCE}
