"""The verdict document: complete, in a stable order, balanced, and described by its own schema."""

from __future__ import annotations

import json

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

from gate.records import Answer, Category, Claim, Failure, JudgeInfo, Label, Measure, Prompt, Usage, Verdict
from gate.reports.build import prompt_entries, risk_of
from gate.reports.document import LABELS, schema

CONTRACT = {
    "schema_version", "decision", "score", "interval", "reasons", "total_claims", "supported", "weakly_supported",
    "unsupported", "unjudged", "details", "prompts", "measures", "failures", "usage", "timings", "config_hash",
    "judge", "thresholds",
}  # fmt: skip


def test_every_key_of_the_contract_is_there(document):
    assert set(document) >= CONTRACT
    claim = {"claim", "label", "justification", "contradicted", "confidence", "prompt_id", "evidence"}
    assert all(set(entry) >= claim for entry in document["details"])
    assert set(document["details"][0]["evidence"][0]) == {"source", "line", "quote", "score"}
    assert all(set(p) >= {"id", "category", "question", "answer", "latency_ms", "risk"} for p in document["prompts"])
    assert set(document["measures"]["relevance"]) >= {"value", "interval", "n"}
    assert set(document["failures"][0]) == {"agent", "prompt_id", "kind", "message"}
    assert set(document["usage"]) >= {"calls", "cached_calls", "input_tokens", "output_tokens", "cost_usd"}


def test_documents_are_valid_against_the_schema(document, compared, empty):
    validator = jsonschema.Draft202012Validator(schema())
    validator.check_schema(schema())
    for each in (document, compared, empty):
        assert list(validator.iter_errors(each)) == []


def test_the_order_in_which_work_finished_does_not_show(make):
    failures = [Failure("run_model", f"q{n}", "timeout", "late") for n in (3, 1, 2)]
    first = make(failures=failures)
    answers = [Answer(f"q{n}", f"q{n}", "x") for n in (1, 2, 3)]
    mixed = [answers[2], answers[0], answers[1]]
    assert make(failures=failures[::-1])["failures"] == first["failures"]
    assert [f["prompt_id"] for f in first["failures"]] == ["q1", "q2", "q3"]
    assert make(answers=mixed)["prompts"] == make(answers=answers)["prompts"]


def test_numbers_that_json_has_no_word_for_become_null(make):
    broken = make(
        measures=[Measure("relevance", float("nan"), None, 1, details={"parts": [float("inf"), 1]})],
        judge=JudgeInfo("local", "m", "1", {"rate": float("nan")}),
    )
    assert broken["measures"]["relevance"]["value"] is None
    assert broken["measures"]["relevance"]["details"] == {"parts": [None, 1]}
    json.dumps(broken, allow_nan=False)


@given(st.lists(st.sampled_from(LABELS)), st.integers(0, 5))
def test_claims_that_were_not_judged_do_not_move_the_risk(labels: list[str], more: int) -> None:
    risk = risk_of(labels)
    assert risk_of(labels + ["unjudged"] * more) == risk
    assert risk is None or 0 <= risk <= 1
    assert [risk_of(known) for known in ([], ["weakly_supported"], ["supported"] * 2 + ["unsupported"])] == [
        None,
        0.5,
        0.333333,
    ]


def labelled(prompt: str, label: Label) -> Verdict:
    return Verdict(Claim("c", prompt, prompt, "text", 0, 4), label, "")


def test_every_prompt_has_one_entry_in_order() -> None:
    prompts = [Prompt("b", "B?"), Prompt("a", "A?", Category.EDGE_CASES)]
    verdicts = [labelled("a", Label.UNSUPPORTED), labelled("a", Label.SUPPORTED), labelled("x", Label.UNSUPPORTED)]
    found = prompt_entries(prompts, [Answer("a", "a", "Yes.", latency_ms=1.23456)], verdicts, 1)
    assert [(e["id"], e["answer"], e["risk"], e["claims"], e["failed"], e["missing"]) for e in found] == [
        ("b", "", None, 0, True, 1),
        ("a", "Yes.", 0.5, 2, False, 0),
    ]
    assert [e["latency_ms"] for e in found] == [None, 1.235]
    assert [e["category"] for e in found] == ["factual_recall", "edge_cases"]


def test_repeats_are_sorted_summed_and_the_missing_counted() -> None:
    answers = [Answer(f"a#{n}", "a", f"text {n}", repeat=n, usage=Usage(10 * n, n), model="m") for n in (2, 1)]
    (found,) = prompt_entries([Prompt("a", "A?")], answers, [], 3)
    assert (found["answer_id"], found["answer"], found["model"]) == ("a#1", "text 1", "m")
    assert found["answers"] == [{"id": "a#2", "repeat": 2, "answer": "text 2", "latency_ms": None}]
    assert (found["input_tokens"], found["output_tokens"]) == (30, 3)
    assert (found["failed"], found["missing"]) == (True, 1)
