"""The prompts of a verdict: their answers by repeat, what is missing, and the risk of their claims."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.records import Answer, Category, Claim, Label, Prompt, Usage, Verdict
from gate.reports.build_prompts import entries, risk_of, rounded
from gate.reports.document import LABELS


@pytest.mark.parametrize(
    ("value", "result"),
    [(None, None), (math.nan, None), (math.inf, None), (-math.inf, None), (0.1234567, 0.123457), (1, 1.0)],
)
def test_rounding_keeps_what_json_can_say(value: float | None, result: float | None) -> None:
    assert rounded(value) == result


@pytest.mark.parametrize(
    ("labels", "risk"),
    [
        ([], None),
        (["unjudged"], None),
        (["supported"], 0.0),
        (["unsupported"], 1.0),
        (["weakly_supported"], 0.5),
        (["supported", "unsupported", "weakly_supported", "unjudged"], 0.5),
        (["supported", "supported", "unsupported"], 0.333333),
    ],
)
def test_risk(labels: list[str], risk: float | None) -> None:
    assert risk_of(labels) == risk


@given(st.lists(st.sampled_from(LABELS)), st.integers(0, 5))
def test_claims_that_were_not_judged_do_not_move_the_risk(labels: list[str], more: int) -> None:
    risk = risk_of(labels)
    assert risk_of(labels + ["unjudged"] * more) == risk
    assert risk is None or 0 <= risk <= 1


def verdict(prompt: str, label: Label) -> Verdict:
    return Verdict(Claim("c", prompt, prompt, "text", 0, 4), label, "")


def test_every_prompt_has_one_entry_in_order() -> None:
    prompts = [Prompt("b", "B?"), Prompt("a", "A?", Category.EDGE_CASES)]
    verdicts = [verdict("a", Label.UNSUPPORTED), verdict("a", Label.SUPPORTED), verdict("x", Label.UNSUPPORTED)]
    found = entries(prompts, [Answer("a", "a", "Yes.", latency_ms=1.23456)], verdicts, 1)
    assert [(e["id"], e["answer"], e["risk"], e["claims"], e["failed"], e["missing"]) for e in found] == [
        ("b", "", None, 0, True, 1),
        ("a", "Yes.", 0.5, 2, False, 0),
    ]
    assert [e["latency_ms"] for e in found] == [None, 1.235]
    assert [e["category"] for e in found] == ["factual_recall", "edge_cases"]


def test_repeats_are_sorted_summed_and_the_missing_counted() -> None:
    answers = [Answer(f"a#{n}", "a", f"text {n}", repeat=n, usage=Usage(10 * n, n), model="m") for n in (2, 1)]
    (found,) = entries([Prompt("a", "A?")], answers, [], 3)
    assert (found["answer_id"], found["answer"], found["model"]) == ("a#1", "text 1", "m")
    assert found["answers"] == [{"id": "a#2", "repeat": 2, "answer": "text 2", "latency_ms": None}]
    assert (found["input_tokens"], found["output_tokens"]) == (30, 3)
    assert (found["failed"], found["missing"]) == (True, 1)


def test_what_only_some_prompts_have() -> None:
    plain, full = entries(
        [
            Prompt("a", "A?"),
            Prompt("b", "B?", reference="", contexts=("x",), source="d.md", line=4, probe="typo", of="a"),
        ],
        [],
        [],
        0,
    )
    assert not {"reference", "contexts", "source", "line", "probe", "of", "answers"} & plain.keys()
    assert (full["reference"], full["contexts"], full["source"], full["line"]) == ("", ["x"], "d.md", 4)
    assert (full["probe"], full["of"]) == ("typo", "a")
    assert not plain["failed"]
