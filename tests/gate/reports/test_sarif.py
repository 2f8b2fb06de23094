"""SARIF: valid, stable, and a result for exactly the claims that are not supported."""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.reports.sarif import fingerprint, message, render

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


def test_fingerprints_outlive_new_evidence_wording_of_case_and_order(document):
    before = {r["properties"]["prompt_id"] + r["ruleId"]: r["partialFingerprints"] for r in results(document)}
    for claim in document["details"]:
        claim["claim"] = "  " + claim["claim"].upper().replace(" ", "\n")
        claim["confidence"] = 0.1
        for evidence in claim["evidence"]:
            evidence["line"] += 10
    document["details"].reverse()
    after = {r["properties"]["prompt_id"] + r["ruleId"]: r["partialFingerprints"] for r in results(document)}
    assert after == before
    assert len({prints["claim/v1"] for prints in after.values()}) == 4


def test_fingerprints_tell_prompts_apart_and_number_repeats(document):
    claim = document["details"][1]
    assert fingerprint(claim) != fingerprint({**claim, "prompt_id": "q2"})
    document["details"] = [claim, dict(claim)]
    first, second = (r["partialFingerprints"] for r in results(document))
    assert first["claim/v1"] == second["claim/v1"]
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
        assert result["message"]["text"].count("\n") <= 2
