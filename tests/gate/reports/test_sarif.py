"""SARIF: valid, stable, and a result for exactly the claims that are not supported."""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.records import Prompt
from gate.reports.sarif import message, render

# The OASIS schema is not part of this project: a copy is looked for here, or where SARIF_SCHEMA says.
BESIDE = Path(__file__).parents[3].parent / "shared" / "schemas" / "sarif-2.1.0.schema.json"
SCHEMA = Path(os.environ.get("SARIF_SCHEMA", BESIDE))


def results(document):
    return json.loads(render(document))["runs"][0]["results"]


@pytest.mark.parametrize(
    ("source", "uri", "line"),
    [
        ("a b/ü.md", "a%20b/%C3%BC.md", True),
        ("s3://bucket/a b.md", "s3://bucket/a%20b.md", True),
        ("../other/x.md", "../other/x.md", True),
        ("javascript:alert(1)", "javascript%3Aalert%281%29", True),
        ("manual.pdf", "manual.pdf", False),
    ],
)
def test_sources_become_addresses(document, source, uri, line):
    document["details"][1]["evidence"][0]["source"] = source
    physical = results(document)[0]["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == uri
    assert ("region" in physical) == line


@pytest.mark.parametrize("stored", [True, False])
def test_fingerprints_outlive_new_evidence_wording_of_case_and_order(document, stored):
    before = {r["properties"]["prompt_id"] + r["ruleId"]: r["partialFingerprints"] for r in results(document)}
    for claim in document["details"]:
        claim["claim"] = "  " + claim["claim"].upper().replace(" ", "\n")
        claim["fingerprint"] = claim["fingerprint"] if stored else ""
        claim["confidence"] = 0.1
        for evidence in claim["evidence"]:
            evidence["line"] += 10
    document["details"].reverse()
    after = {r["properties"]["prompt_id"] + r["ruleId"]: r["partialFingerprints"] for r in results(document)}
    assert after == before
    assert len({prints["claim/v2"] for prints in after.values()}) == 4


def test_fingerprints_are_those_of_waivers_and_number_repeats(document):
    claim = document["details"][1]
    assert results(document)[0]["partialFingerprints"]["claim/v2"] == claim["fingerprint"]
    document["details"] = [claim, dict(claim)]
    first, second = (r["partialFingerprints"] for r in results(document))
    assert first["claim/v2"] == second["claim/v2"]
    assert [p["primaryLocationLineHash"][-2:] for p in (first, second)] == [":1", ":2"]


@given(st.text())
def test_no_text_is_a_link(text):
    safe = message(text)
    assert safe.replace("\\\\", "").count("[") == safe.replace("\\\\", "").count("\\[")
    assert safe.replace("\\[", "[").replace("\\]", "]").replace("\\\\", "\\") == text


@pytest.mark.skipif(not SCHEMA.is_file(), reason="the SARIF schema is not at hand (SARIF_SCHEMA)")
def test_the_log_is_valid(document, compared, empty, poison, hostile):
    validator = jsonschema.validators.validator_for(json.loads(SCHEMA.read_text()))(json.loads(SCHEMA.read_text()))
    for each in (document, compared, empty, poison(compared, hostile)):
        assert [error.message for error in validator.iter_errors(json.loads(render(each)))] == []


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text())
def test_any_text_gives_results_with_addresses(document, poison, text):
    for result in results(poison(document, text)):
        (place,) = result["locations"]
        uri = place["physicalLocation"]["artifactLocation"]["uri"]
        assert uri
        assert uri.isascii()
        assert not set(uri) & set(' <>"\\^`{|}\n')
        assert result["message"]["text"].count("\n") <= 5


def test_a_result_stands_where_its_question_was_read_and_names_the_document_beside(make):
    prompts = [Prompt("q1", "How hot?", asked_in="tests/q a.jsonl", line=7), Prompt("q2", "Which glazes?")]
    first, _, third, _ = results(make(prompts=prompts))
    spot = first["locations"][0]["physicalLocation"]
    assert (spot["artifactLocation"]["uri"], spot["region"]) == ("tests/q%20a.jsonl", {"startLine": 7})
    (beside,) = first["relatedLocations"]
    assert beside["physicalLocation"]["region"]["startLine"] == 14
    assert third["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "docs/glazes.html"


def test_what_is_waived_is_suppressed_and_notes_are_told(make):
    document = make(waived={"q1:1"}, notes=["a waiver ended"])
    first, second, *_ = results(document)
    assert (first["level"], first["suppressions"][0]["status"]) == ("note", "accepted")
    assert "by Ann: agreed" in first["suppressions"][0]["justification"]
    assert "suppressions" not in second
    assert "a waiver ended" in json.dumps(json.loads(render(document))["runs"][0]["invocations"])
