"""What reports say of single prompts: failed checks, repeats that hold, and the slices of tags."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from gate.records import Answer, FailedCheck, Measure, Rating
from gate.reports.build import build
from gate.reports.cases import slices, unmet
from gate.reports.files import render
from gate.reports.github import workflow_commands
from gate.reports.terminal import render as terminal
from tests.gate.reports.conftest import THRESHOLDS, run_of

WHY = 'the answer does not contain "30 days"'


def checked(must_hold: int = 2, why: str = WHY, tag: str = "heat"):
    """q1 fails a check in the first of two answers, q2 passes its checks, q4 has no answer."""
    run = run_of(repeats=2, must_hold=must_hold, thresholds={**THRESHOLDS, "checks": "warn"})
    checks = {"contains": ("30 days",)}
    prompts = [
        replace(prompt, checks={} if prompt.id == "q3" else checks, tags=(tag,) if prompt.id != "q2" else (), line=n,
                asked_in="questions.jsonl") for n, prompt in enumerate(run.prompts, 1)
    ]  # fmt: skip
    again = [Answer(f"{name}#1", name, "30 days", 1) for name in ("q1", "q2", "q3")]
    failed = {"q1": (FailedCheck("contains", why),), "q1#1": (), "q2": (), "q2#1": ()}
    criterion = Measure("is polite", 0.5, (0.1, 0.9), 2, ratings=(Rating("q1", 0.0, "rude"), Rating("q2", 1.0, "so")))
    return build(replace(run, prompts=prompts, answers=[*run.answers, *again], checked=failed, criteria=[criterion]))


@pytest.mark.parametrize(
    ("must_hold", "found"),
    [
        (2, {"q1": f"contains: {WHY}; 1 of 2 answers hold", "q4": "0 of 2 answers hold"}),
        (1, {"q4": "0 of 2 answers hold"}),
    ],
)
def test_a_prompt_fails_where_too_few_answers_pass(must_hold, found):
    assert {each.prompt["id"]: each.why for each in unmet(checked(must_hold))} == found


def test_a_slice_counts_its_prompts_its_risk_and_what_does_not_hold():
    (found,) = slices(checked(1))  # of q1 the second answer, which makes no claim, passes its checks
    assert (found.tag, found.prompts, found.failed) == ("heat", 3, 2)
    assert found.risk == pytest.approx(2 / 3, abs=1e-6)
    assert found.line == "heat: 3 prompts, risk 0.667, 2 do not hold"
    assert slices(build(run_of())) == unmet(build(run_of())) == []


@pytest.mark.parametrize("suffix", [".html", ".md", ".xml", ".sarif", "terminal", "commands"])
def test_every_report_names_the_check_the_tag_and_the_criterion(suffix):
    document = checked()
    texts = {"terminal": terminal, "commands": workflow_commands}
    text = texts[suffix](document) if suffix in texts else render(document, suffix)
    assert "30 days" in text
    assert "q4" in text
    if suffix in (".html", ".md", "terminal"):
        assert re.search("By tag", text)
        assert re.search(r"criterion(&#58;|:)\W*is polite", text)
        assert "not calibrated" in text


def test_code_scanning_and_annotations_point_at_the_line_of_the_question():
    document = checked()
    results = json.loads(render(document, ".sarif"))["runs"][0]["results"]
    found = [result for result in results if result["ruleId"] == "failed-check"]
    spots = [result["locations"][0]["physicalLocation"] for result in found]
    assert [(spot["artifactLocation"]["uri"], spot["region"]["startLine"]) for spot in spots] == [
        ("questions.jsonl", 1), ("questions.jsonl", 4),
    ]  # fmt: skip
    assert "::warning file=questions.jsonl,line=1,title=Failed check::q1" in workflow_commands(document)


def test_hostile_checks_and_tags_stay_in_their_place(hostile):
    document = checked(why=hostile, tag=hostile)
    assert "<script>alert" not in render(document, ".html")
    assert "\x1b" not in terminal(document)
    rows = [row for row in render(document, ".md").split("\n") if row.startswith("| ") and "do not hold" not in row]
    assert all(row.count("|") in (5, 7) for row in rows)
    assert all(row.startswith("::") for row in workflow_commands(document).splitlines())
