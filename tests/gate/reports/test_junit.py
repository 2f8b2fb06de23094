"""JUnit: the facts that CI systems check, a failure never mixed with an error, and XML that any parser reads."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from gate.reports.junit import render

SUITE = {"name", "tests", "failures", "errors", "skipped", "time"}
TIME = re.compile(r"[0-9]+(\.[0-9]+)?")


def cases(document):
    return ET.fromstring(render(document)).find("testsuite").findall("testcase")  # noqa: S314


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
    assert 'name="notes" value="a waiver ended"' in render(document)


def test_a_failure_of_no_prompt_is_kept(document):
    document["failures"].append({"agent": "verify_claims", "prompt_id": "", "kind": "canary", "message": "fooled"})
    assert "verify_claims: canary: fooled" in check_facts(render(document)).findtext("testsuite/system-err")


def test_the_facts_hold_for_every_document(document, compared, empty, poison, hostile):
    for each in (document, compared, empty, poison(document, hostile)):
        check_facts(render(each))


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text())
def test_any_text_is_read_back_by_a_parser(document, poison, text):
    root = check_facts(render(poison(document, text)))
    assert len(root.find("testsuite").findall("testcase")) == 4


@pytest.mark.parametrize("code", [0x00, 0x08, 0x0B, 0x1B, 0x7F, 0x85, 0xD800, 0xFFFE, 0xFFFF])
def test_what_xml_forbids_is_shown(document, code):
    document["prompts"][0]["question"] = f"a{chr(code)}b"
    text = render(document)
    assert chr(code) not in text
    assert re.search(r"a(␀|␈|␋|␛|␡|⟨U\+[0-9A-F]{4}⟩)b", text)


def test_what_is_not_certain_passes_with_a_word(compared):
    compared["thresholds"]["decide_on"] = "interval"
    (case,) = [case for case in check_facts(render(compared)).iter("testcase") if case.get("name") == "latency"]
    assert [part.tag for part in case] == ["system-out"]
    assert case.findtext("system-out").startswith("not certain:")
