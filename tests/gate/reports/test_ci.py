"""JUnit: the facts that CI systems check, a failure never mixed with an error, and XML that any parser reads. SARIF:
valid, stable, and a result for exactly the claims that are not supported."""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from gate.records import Prompt
from gate.reports.ci import message, render_junit, render_sarif

SUITE = {"name", "tests", "failures", "errors", "skipped", "time"}
TIME = re.compile(r"[0-9]+(\.[0-9]+)?")
# The OASIS schema is not part of this project: a copy is looked for here, or where SARIF_SCHEMA says.
BESIDE = Path(__file__).parents[3].parent / "shared" / "schemas" / "sarif-2.1.0.schema.json"
SCHEMA = Path(os.environ.get("SARIF_SCHEMA", BESIDE))


def cases(document):
    return ET.fromstring(render_junit(document)).find("testsuite").findall("testcase")  # noqa: S314


def check_facts(text):
    """What the schema of Jenkins' plugin asks for."""
    root = etree.fromstring(text.encode("utf-8"), etree.XMLParser(resolve_entities=False, no_network=True))
    assert root.tag == "testsuites"
    assert set(root.attrib) <= {"name", "time", "tests", "failures", "errors"}
    for suite in root:
        assert suite.tag == "testsuite"
        assert set(suite.attrib) == SUITE
        found = suite.findall("testcase")
        assert int(suite.get("tests")) == len(found)
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.get(name)) == sum(case.find(tag) is not None for case in found)
        for case in found:
            assert set(case.attrib) == {"name", "classname", "time"}
            assert TIME.fullmatch(case.get("time"))
            for part in case:
                assert part.tag in {"skipped", "error", "failure", "system-out", "system-err"}
                assert set(part.attrib) <= {"type", "message"}
    return root


def test_failure_is_unsupported_and_error_is_unjudged(document):
    outcome = [[part.tag for part in case] for case in cases(document)]
    assert outcome == [["failure"], ["error", "system-out"], ["skipped"], ["error"]]
    wrong, unjudged, _, failed = cases(document)
    assert wrong.find("failure").get("type") == "contradicted"
    assert "1280 degrees" in wrong.find("failure").text
    assert "docs/kiln.md:14" in wrong.find("failure").text
    assert "safe for food" in unjudged.find("error").text
    assert "»Every glaze is safe for food.«" in unjudged.find("error").text
    assert unjudged.find("system-out").text.startswith("doubtful: Glazes are fired twice.")
    assert failed.find("error").get("message") == "run_model q4: timeout: no answer within 30 s"


def test_what_is_waived_fails_nothing_and_notes_are_told(make):
    document = make(waived={"q1:1", "q1:2"}, notes=["a waiver ended"])
    assert [part.tag for part in cases(document)[0]] == ["system-out"]
    assert (
        cases(document)[0]
        .findtext("system-out")
        .startswith("waived:\ncontradicted; accepted until 2027-01-31 by Ann: agreed: The kiln reaches")
    )
    assert 'name="notes" value="a waiver ended"' in render_junit(document)


def test_a_failure_of_no_prompt_is_kept(document):
    document["failures"].append({"agent": "verify_claims", "prompt_id": "", "kind": "canary", "message": "fooled"})
    assert "verify_claims: canary: fooled" in check_facts(render_junit(document)).findtext("testsuite/system-err")


def test_the_facts_hold_for_every_document(document, compared, empty, poison, hostile):
    for each in (document, compared, empty, poison(document, hostile)):
        check_facts(render_junit(each))


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text())
def test_any_text_is_read_back_by_a_parser(document, poison, text):
    root = check_facts(render_junit(poison(document, text)))
    assert len(root.find("testsuite").findall("testcase")) == 4


@pytest.mark.parametrize("code", [0x00, 0x08, 0x0B, 0x1B, 0x7F, 0x85, 0xD800, 0xFFFE, 0xFFFF])
def test_what_xml_forbids_is_shown(document, code):
    document["prompts"][0]["question"] = f"a{chr(code)}b"
    text = render_junit(document)
    assert chr(code) not in text
    assert re.search(r"a(␀|␈|␋|␛|␡|⟨U\+[0-9A-F]{4}⟩)b", text)


def test_what_is_not_certain_passes_with_a_word(compared):
    compared["thresholds"]["decide_on"] = "interval"
    (case,) = [case for case in check_facts(render_junit(compared)).iter("testcase") if case.get("name") == "latency"]
    assert [part.tag for part in case] == ["system-out"]
    assert case.findtext("system-out").startswith("not certain:")


def results(document):
    return json.loads(render_sarif(document))["runs"][0]["results"]


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
        assert [error.message for error in validator.iter_errors(json.loads(render_sarif(each)))] == []


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
    assert "a waiver ended" in json.dumps(json.loads(render_sarif(document))["runs"][0]["invocations"])
