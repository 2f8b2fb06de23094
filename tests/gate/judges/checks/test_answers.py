from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.answers import check_answers
from gate.judges.local import HARD
from gate.records import Label
from tests.support.real_bench import bench

Laid = Callable[..., Alignment]
KIT = "The kit contains a pump, a hose, a valve and a gauge. It is sold in Leeds for Rs 800 and lasts one year."


@pytest.mark.parametrize(
    ("claim", "named"),
    [
        ("What is in the kit? Hammer.", "Hammer"),
        ("What's in the kit? A pump, a hose and a hammer.", "a hammer"),
        ("Where is the kit sold? In Berlin.", "In Berlin"),
    ],
)
def test_a_thing_that_only_the_answer_names_is_a_sure_finding(laid: Laid, claim: str, named: str) -> None:
    (finding,) = check_answers(laid(claim, KIT))
    assert (finding.kind, finding.against) == ("answer missing", False)
    assert finding.strength >= HARD
    assert finding.message == f"the answer names what stands nowhere: '{named}'"


@pytest.mark.parametrize(
    "claim",
    [
        "What is in the kit? Hose.",
        "What's in the kit? A pump, a hose, valves and a gauge.",
        "Where is the kit sold? In Leeds.",
        "How much is the kit? 800 rupees.",
        "How long does the kit last? Twelve months.",
        "Is there a hammer in the kit? No.",
        "Is there a hose in the kit? Yes, there is.",
        "The kit contains a hammer.",
        "Is it a kit?",
        "",
    ],
)
def test_what_stands_there_or_is_no_short_answer(laid: Laid, claim: str) -> None:
    assert check_answers(laid(claim, KIT)) == []


@pytest.mark.parametrize(
    ("answer", "label"),
    [("Pump", Label.SUPPORTED), ("Hammer", None), ("Elephant", None), ("Pump, hose and hammer", None)],
)
def test_the_words_of_the_question_bear_no_answer_out(answer: str, label: Label | None) -> None:
    (found,) = bench().support([(f"What's in the kit? {answer}.", (KIT,))])
    assert found.label is label if label else found.label is not Label.SUPPORTED


@pytest.mark.parametrize(
    "said", ["One, unless you disagree.", "A pump, even if nobody asked.", "Rs 800, but only if sober."]
)
def test_a_condition_names_nothing(laid: Laid, said: str) -> None:
    assert check_answers(laid(f"What is in the kit? {said}", KIT)) == []
