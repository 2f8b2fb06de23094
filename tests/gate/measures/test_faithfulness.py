"""What the contexts bear out, why the rest is wrong, and that hallucination is what faithfulness leaves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.judges.base import Statement
from gate.measures.base import Answered
from gate.measures.claims import BEYOND, DESPITE, MISSING, WRONG, rate_faithfulness
from gate.records import Label
from tests.support.measured import Tools, case, rated, reading

PLAN = (
    "The Standard plan costs Rs 800 a month. It includes 5 GB of storage and support by e-mail. "
    "Cancel any time before the next month begins."
)


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
