"""The verdict document: complete, in a stable order, balanced, and described by its own schema."""

from __future__ import annotations

import json
import typing

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.records import Answer, Failure, JudgeInfo, Measure
from gate.reports import document as shapes
from gate.reports.build import build
from gate.reports.build_prompts import risk_of
from gate.reports.load import schema

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


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("evidence", shapes.EvidenceEntry),
        ("claim", shapes.ClaimEntry),
        ("answer", shapes.AnswerEntry),
        ("prompt", shapes.PromptEntry),
        ("measure", shapes.MeasureEntry),
        ("failure", shapes.FailureEntry),
        ("change", shapes.ChangedClaim),
        ("comparison", shapes.Comparison),
    ],
)
def test_schema_and_types_name_the_same_keys(name, shape):
    described = schema()["$defs"][name]
    hints = typing.get_type_hints(shape, include_extras=True)
    optional = {key for key, hint in hints.items() if typing.get_origin(hint) is typing.NotRequired}
    assert set(described["properties"]) == set(hints)
    assert set(described["required"]) == set(hints) - optional


def test_schema_and_types_name_the_same_keys_at_the_top():
    described = schema()
    hints = typing.get_type_hints(shapes.VerdictDocument, include_extras=True)
    assert set(described["properties"]) == set(hints)
    assert set(described["required"]) == CONTRACT
    assert set(described["properties"]["usage"]["properties"]) == set(typing.get_type_hints(shapes.UsageEntry))
    assert set(described["properties"]["judge"]["properties"]) == set(typing.get_type_hints(shapes.JudgeEntry))


def test_the_order_in_which_work_finished_does_not_show(make):
    failures = [Failure("run_model", f"q{n}", "timeout", "late") for n in (3, 1, 2)]
    first = make(failures=failures)
    answers = [Answer(f"q{n}", f"q{n}", "x") for n in (1, 2, 3)]
    mixed = [answers[2], answers[0], answers[1]]
    assert make(failures=failures[::-1])["failures"] == first["failures"]
    assert [f["prompt_id"] for f in first["failures"]] == ["q1", "q2", "q3"]
    assert make(answers=mixed)["prompts"] == make(answers=answers)["prompts"]


def test_the_risk_of_a_prompt_is_that_of_its_claims(document):
    assert [p["risk"] for p in document["prompts"]] == [pytest.approx(2 / 3, abs=1e-6), 0.5, None, None]


@given(st.lists(st.sampled_from(shapes.LABELS)))
def test_risk_stays_in_bounds_and_never_counts_the_unjudged(labels):
    value = risk_of(labels)
    assert value == risk_of([label for label in labels if label != "unjudged"])
    assert (value is None) == all(label == "unjudged" for label in labels)
    assert value is None or 0 <= value <= 1


def test_a_missing_answer_is_said(document):
    failed = {p["id"]: (p["failed"], p["missing"], p["answer"]) for p in document["prompts"]}
    assert failed["q4"] == (True, 1, "")
    assert failed["q1"][:2] == (False, 0)


def test_repeats_keep_every_answer_in_order(make):
    answers = [Answer("q1#2", "q1", "third", 2), Answer("q1", "q1", "first"), Answer("q1#1", "q1", "second", 1)]
    entry = make(answers=answers, repeats=3)["prompts"][0]
    assert entry["answer"] == "first"
    assert [(a["id"], a["answer"]) for a in entry["answers"]] == [("q1#1", "second"), ("q1#2", "third")]


def test_numbers_that_json_has_no_word_for_become_null(make):
    broken = make(
        measures=[Measure("relevance", float("nan"), None, 1, details={"parts": [float("inf"), 1]})],
        judge=JudgeInfo("local", "m", "1", {"rate": float("nan")}),
    )
    assert broken["measures"]["relevance"]["value"] is None
    assert broken["measures"]["relevance"]["details"] == {"parts": [None, 1]}
    json.dumps(broken, allow_nan=False)


def test_two_builds_are_equal_byte_for_byte(make):
    assert json.dumps(make()) == json.dumps(make())


def test_nothing_of_a_run_is_shared_with_its_document(make):
    one = make()
    one["usage"]["calls"] = 99
    one["thresholds"]["deploy_threshold"] = 1.0
    assert make()["usage"]["calls"] == 4
    assert make()["thresholds"]["deploy_threshold"] == 0.1


def test_defaults_are_not_shared_between_runs(make):
    from gate.records import Decision, Ledger, Score
    from gate.reports.build import Run

    score = Score(Decision.INCONCLUSIVE, None, None, Ledger(0, 0, 0, 0, 0), ())
    bare = Run((), (), (), score, JudgeInfo("local", "m", "1"), {"deploy_threshold": 0.1, "warn_threshold": 0.2}, "h")
    build(bare)["usage"]["calls"] = 7
    assert build(bare)["usage"]["calls"] == 0
