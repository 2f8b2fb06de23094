"""Faithfulness: what the contexts bear out, why the rest is wrong, and that hallucination is what it leaves.
Correctness: grades from 1 to 5 against a reference, by what is wrong, what is missing, and what costs little."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.config import Correctness
from gate.judges.base import Grade, Statement
from gate.measures.base import NO_REFERENCE, Answered, Case
from gate.measures.claims import BEYOND, DESPITE, MISSING, WRONG, rate_correctness, rate_faithfulness
from gate.records import Answer, Claim, Label, Prompt, Verdict
from tests.support.measured import FOREIGN, REFUSAL, Tools, case, rated, reading

PLAN = (
    "The Standard plan costs Rs 800 a month. It includes 5 GB of storage and support by e-mail. "
    "Cancel any time before the next month begins."
)
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


def test_the_share_of_claims_that_the_contexts_bear_out():
    answer = "The Standard plan costs Rs 800 a month. It includes 9 GB of storage. Ada Krol founded it."
    rating = rated("faithfulness", case("What is so?", answer, PLAN))
    assert (rating.value, rating.weight) == (pytest.approx(1 / 3), 3)
    assert rating.parts["contradicted"] == pytest.approx(1 / 3)


def test_a_claim_that_leans_on_its_question_is_sought_and_judged_with_it():
    tools = Tools()
    rate_faithfulness(Answered((case("Does the Standard plan include support?", "Yes.", PLAN),)), None, tools)
    assert tools.asked == [[Statement("Yes.", (PLAN,), "Does the Standard plan include support?")]]


@pytest.mark.parametrize(
    ("answer", "contexts", "why"),
    [
        ("The Standard plan costs Rs 800.", (), "no context"),
        ("I don't know.", (PLAN,), "declines"),
        ("", (PLAN,), "empty"),
    ],
)
def test_what_it_does_not_apply_to(answer, contexts, why):
    found = reading("faithfulness", case("What does it cost?", answer, *contexts))
    assert not found.ratings
    assert not found.unjudged
    assert why in found.skipped["p"]


@pytest.mark.parametrize(
    ("answer", "context"),
    [
        ("Der Tarif kostet 8 Euro und wird für ein Jahr bezahlt.", PLAN),
        ("The plan costs 8 euros.", "Der Tarif kostet im Monat 8 Euro und wird nicht für ein Jahr bezahlt."),
        ("価格は月額800円です。", "料金プランの価格は毎月800円です。"),
    ],
)
def test_what_the_local_judge_cannot_read_is_not_judged(answer, context):
    found = reading("faithfulness", case("What does it cost?", answer, context))
    assert not found.ratings
    assert "not in English" in found.unjudged["p"]


def test_a_claim_in_another_language_is_left_out_of_the_share():
    answer = (
        "The Standard plan costs Rs 800 a month.\n\nDas ist nicht der Preis für ein Jahr und wird von der Bank bezahlt."
    )
    found = reading("faithfulness", case("What does it cost?", answer, PLAN))
    (rating,) = found.ratings
    assert (rating.value, rating.weight) == (1.0, 1.0)
    assert "1 claim not judged: in another language" in rating.why
    assert set(found.unjudged) == {"p"}  # the one that was left out may be the wrong one


@pytest.mark.parametrize(
    ("answer", "context", "label", "cause", "told"),
    [
        ("The Standard plan costs Rs 2000 a month.", PLAN, Label.UNSUPPORTED, DESPITE, "although its own context says"),
        ("The Standard plan costs Rs 900 a month.", "The Standard plan costs Rs 900 a month.", Label.UNSUPPORTED, WRONG,
         "its context says so"),
        ("Ada Krol founded the firm.", PLAN, Label.UNSUPPORTED, MISSING, "neither its contexts nor the documents"),
        ("Ada Krol founded the firm.", PLAN, Label.SUPPORTED, BEYOND, "its contexts do not"),
    ],
)  # fmt: skip
def test_whether_the_answer_or_its_context_was_wrong(answer, context, label, cause, told):
    rating = rated("faithfulness", case("What is so?", answer, context, labels=(label,)))
    assert {name for name in (DESPITE, WRONG, MISSING, BEYOND) if rating.parts[name]} == {cause}
    assert told in rating.why


SENTENCES = [
    "The valve fits radiators with an M30 thread.",
    "The ring lights red when there is a fault.",
    "Two AA cells run the thermostat for about two years.",
    "The target lies between 5 and 30 degrees.",
    "During an update the light is white.",
    "The app reminds you to change the batteries.",
]


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, unique=True))
@settings(max_examples=10, deadline=None)
def test_copies_of_the_context_are_faithful(chosen):
    assert rated("faithfulness", case("What is so?", " ".join(chosen), " ".join(SENTENCES))).value == 1


KIT = "The kit holds a pump, a hose, a valve and a gauge."
PRICE = "How much does the Standard plan cost?"


@given(st.lists(st.sampled_from(["Rs 800.", "Rs 2000.", "", KIT, "I don't know."]), min_size=1, max_size=4))
@settings(max_examples=10, deadline=None)
def test_it_is_what_faithfulness_leaves(answers):
    cases = [case(PRICE, answer, PLAN, name=f"p{n}") for n, answer in enumerate(answers)]
    faithful, found = (reading(name, *cases) for name in ("faithfulness", "hallucination"))
    assert [(r.prompt_id, r.value, r.weight) for r in found.ratings] == [
        (r.prompt_id, 1 - r.value, r.weight) for r in faithful.ratings
    ]
    assert (found.skipped, found.unjudged) == (faithful.skipped, faithful.unjudged)


def answered(answer: str, reference: str | None, question: str = COSTS, name: str = "p") -> Case:
    return Case(Prompt(name, question, reference=reference), Answer(name, name, answer))


def graded(answer: str, reference: str | None, question: str = COSTS):
    (rating,) = rate_correctness(Answered((answered(answer, reference, question),)), Correctness(), Tools()).ratings
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
    made = answered(f"{RETURNS} {more}", RETURNS, BACK)

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
        assert rate_correctness(Answered((answered("Rs 800", reference),)), Correctness(), Tools()).skipped == {
            "p": NO_REFERENCE
        }


def test_another_language_is_told_and_not_guessed() -> None:
    found = rate_correctness(
        Answered((answered("Die Karte ist für Studenten kostenlos und wird verschickt.", FOREIGN),)),
        Correctness(),
        Tools(),
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
            return [
                Grade(4.0, "missing: renewal", 1),
                Grade(None, "the judge's reply is no JSON, even when asked again"),
            ]

    cases = answered("Rs 800", CARD, name="a"), answered("x", CARD, name="b"), answered("y", None, name="c")
    found = rate_correctness(Answered(cases), Correctness(by="model"), Tools())
    assert [(r.prompt_id, r.value, r.why, dict(r.parts)) for r in found.ratings] == [
        ("a", 4.0, "missing: renewal", {"passed": 1.0, "rubric": 1.0})
    ]
    assert found.unjudged == {"b": "the judge's reply is no JSON, even when asked again"}
    assert found.skipped == {"c": NO_REFERENCE}
