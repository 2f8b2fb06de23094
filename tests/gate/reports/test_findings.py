"""Findings: the claim in its place, whatever the answer looks like; failures that repeat as one line; failed checks,
repeats that hold, and the slices of tags."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.records import Answer, FailedCheck, Measure, Rating
from gate.reports.build import build
from gate.reports.files import render
from gate.reports.findings import about_cases, finding, grouped, notes, slices, unmet
from gate.reports.github import workflow_commands
from gate.reports.outcome import render_terminal
from gate.reports.safe import spelled
from gate.reports.words import within
from tests.gate.reports.conftest import THRESHOLDS, run_of

TEXT = "It is small. It holds 40 litres. It reaches 1280 degrees, and cools slowly. The lid is red. It has a key."


def entry(text, start, end, **more):
    return {"claim": text[start:end], "prompt_id": "q", "start": start, "end": end, **more}


def place(text, said):
    start = text.index(said)
    return within({"id": "q", "answer": text}, entry(text, start, start + len(said)))


@pytest.mark.parametrize(
    ("said", "around"),
    [
        ("It is small.", ("", " It holds 40 litres. …")),
        ("It reaches 1280 degrees", ("… It holds 40 litres. ", ", and cools slowly. The lid is red. …")),
        ("and cools slowly.", ("… It holds 40 litres. It reaches 1280 degrees, ", " The lid is red. …")),
        ("It has a key.", ("… The lid is red. ", "")),
    ],
)
def test_a_claim_stands_in_its_sentence_with_one_before_and_one_after(said, around):
    assert place(TEXT, said) == (around[0], said, around[1])


def test_long_neighbours_are_cut_at_a_blank():
    before, said, after = place("word " * 200 + "the claim " + "word " * 200, "the claim")
    assert said == "the claim"
    assert before.startswith("… word")
    assert after.endswith("word …")
    assert max(len(before), len(after)) <= 165


@given(st.text(), st.integers(-5, 50), st.integers(-5, 50))
def test_the_claim_is_always_what_was_judged(text, start, end):
    found = within({"id": "q", "answer": text}, entry(text, start, end))
    assert found is None or found[1] == text[start:end] != ""


def test_a_claim_that_its_answer_does_not_have_stands_behind_its_context(document):
    claim = {**document["details"][1], "claim": "Something else.", "context": "Why?\nHeat:"}
    assert finding(claim, document["prompts"][0]).answer == "Heat: › »Something else.«"
    assert finding(claim, None).question == ""


def test_two_documents_that_disagree_are_to_be_brought_into_line(document):
    quote = {"source": "old.md", "line": 7, "quote": "No.", "score": 1.0}
    claim = {**document["details"][1], "label": "weakly_supported", "contradicted": False, "conflict": [quote]}
    claim["evidence"] = [{**quote, "source": "new.md", "line": 3}]
    assert "make new.md:3 and old.md:7 say the same" in finding(claim, None).todo


def test_claims_about_a_case_are_counted_without_waived_ones_and_sent_to_a_model(document):
    one, other, *_ = document["details"]
    assert about_cases(document) == []
    for claim in (one, other):
        claim.update(label="weakly_supported", contradicted=False, case=True)
    assert about_cases(document) == [
        "2 claims say what a rule means for one case, which the local judge cannot tell: "
        "each counts a half, and a model can judge (judge.provider: tiered)"
    ]
    assert finding(one, None).todo.startswith("let a model judge it")
    other["waived"] = True
    assert about_cases(document)[0].startswith("1 claim says what")
    assert about_cases(document)[0] in notes(document)


def test_what_to_do_depends_on_what_is_known(document):
    near = document["details"][2]["evidence"] = document["details"][1]["evidence"]
    _, denied, missing, weak, unjudged = (finding(claim, None) for claim in document["details"])
    assert weak.todo == "fix the answer, or make clearer docs/glazes.html:7, or accept the claim for a time:"
    assert (missing.best, missing.where, denied.where) == (
        near[0],
        "nearest passage, docs/kiln.md:14",
        "docs/kiln.md:14",
    )
    assert denied.todo == "fix the answer, or fix docs/kiln.md:14, or accept the claim for a time:"
    assert missing.todo == "fix the answer, or add what it says to the documents, or accept the claim for a time:"
    assert unjudged.todo == "put right what kept the judge from a label, and run again"
    assert (bool(denied.accept), unjudged.accept) == (True, "")


@given(st.text())
def test_the_pieces_of_a_quote_are_the_quote(text):
    claim = {"claim": "It holds 40 litres.", "label": "unsupported", "contradicted": True, "justification": ""}
    claim |= {"prompt_id": "q", "evidence": [{"source": "a.md", "line": 1, "quote": text, "score": 1.0}]}
    assert "".join(piece for piece, _ in finding(claim, None).quote) == text[:300]


def test_the_words_that_decide_are_marked(document):
    denied, missing = (finding(claim, None) for claim in document["details"][1:3])
    assert [text for text, decides in denied.quote if decides] == ["1250"]
    assert missing.quote == []


def test_the_reason_does_not_say_the_label_again(document):
    claim = {**document["details"][1], "justification": "Contradicted: the passage has 2 pm."}
    assert finding(claim, None).why == "The passage has 2 pm."


def test_a_note_that_is_a_reason_is_told_once(make):
    assert notes(make(notes=["risk 0.625 > warn threshold 0.25", "another"])) == ["another"]


def test_failures_that_repeat_are_one_line():
    def failed(number, message):
        return {"agent": "run_model", "prompt_id": f"q{number}", "kind": "timeout", "message": message}

    same = [failed(n, "no answer within 30 s") for n in range(12)]
    alike = [failed(n, f"no answer to 'question {n}'") for n in range(2)]
    assert grouped([failed(99, "gone"), *alike, *same]) == [
        "12 times: run_model timeout: no answer within 30 s (q0, q1, q2, ...)",
        "2 times, the first: run_model timeout: no answer to 'question 0' (q0, q1)",
        "run_model q99: timeout: gone",
    ]


@given(st.text(), st.sampled_from(["ascii", "latin-1", "utf-8", "utf-16"]))
def test_text_is_spelled_in_what_the_encoding_has(text, encoding):
    said = spelled(text, encoding)
    said.encode(encoding)
    assert text.isascii() <= (said == text)


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


@pytest.mark.parametrize(("effect", "level"), [("ignore", ""), ("warn", "warning"), ("block", "error")])
def test_a_prompt_that_must_pass_and_says_nothing_stands_in_every_report(effect, level):
    run = run_of(thresholds={**THRESHOLDS, "must_pass": effect})
    document = build(replace(run, prompts=[replace(p, must_pass=p.id == "q3", line=3) for p in run.prompts]))
    why = "must_pass: an answer makes no claim, and the prompt has no checks"
    assert [(each.prompt["id"], each.why, each.title) for each in unmet(document)] == [("q3", why, "Must pass")][
        : bool(level)
    ]
    assert ("must-pass" in json.dumps(json.loads(render(document, ".sarif"))["runs"][0]["results"])) == bool(level)
    assert re.findall("::(.*) title=Must pass::q3", workflow_commands(document)) == [level][: bool(level)]
    junit = re.search(r'name="q3:.*?</testcase>', render(document, ".xml"), re.DOTALL)[0]
    assert ("<failure" in junit, "<skipped" in junit) == (bool(level), not level)
    for text in (render(document, ".html"), render(document, ".md"), render_terminal(document)):
        assert ("Prompts that do not hold" in text) == bool(level)


@pytest.mark.parametrize("suffix", [".html", ".md", ".xml", ".sarif", "terminal", "commands"])
def test_every_report_counts_answers_that_only_call_tools(suffix):
    document = build(run_of())
    document["prompts"][2] |= {"answer": " ", "tool_calls": [{"name": "send", "arguments": "{}", "id": ""}]}
    texts = {"terminal": render_terminal, "commands": workflow_commands}
    text = texts[suffix](document) if suffix in texts else render(document, suffix)
    assert "1 answer only calls tools" in text


def test_a_slice_counts_its_prompts_its_risk_and_what_does_not_hold():
    (found,) = slices(checked(1))  # of q1 the second answer, which makes no claim, passes its checks
    assert (found.tag, found.prompts, found.failed) == ("heat", 3, 2)
    assert found.risk == pytest.approx(2 / 3, abs=1e-6)
    assert found.line == "heat: 3 prompts, risk 0.667, 2 do not hold"
    assert slices(build(run_of())) == unmet(build(run_of())) == []
    document = checked()
    document["prompts"][0]["tags"] = [f"t{n}" for n in range(13)]
    assert "and 4 more" in render_terminal(document)


@pytest.mark.parametrize("suffix", [".html", ".md", ".xml", ".sarif", "terminal", "commands"])
def test_every_report_names_the_check_the_tag_and_the_criterion(suffix):
    document = checked()
    texts = {"terminal": render_terminal, "commands": workflow_commands}
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
    assert "\x1b" not in render_terminal(document)
    rows = [row for row in render(document, ".md").split("\n") if row.startswith("| ") and "do not hold" not in row]
    assert all(row.count("|") in (5, 7) for row in rows)
    assert all(row.startswith("::") for row in workflow_commands(document).splitlines())
