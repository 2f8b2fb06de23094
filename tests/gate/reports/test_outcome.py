"""A verdict leaves the process: exit code, files, step summary, annotations; on the terminal the decision comes first,
and no stranger's text moves the cursor."""

from __future__ import annotations

import io
import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from gate.errors import UsageError
from gate.records import Decision
from gate.reports.outcome import (
    LISTED,
    check_outputs,
    describe_comparison,
    exit_code,
    render_terminal,
    show,
    tell_github,
    write_all,
)
from tests.support.verdicts import document as verdict_of

SEQUENCE = re.compile(r"\x1b\[[0-9;]*m")
BAD = {"a": ["s the tank is green", "u the lid sings"]}
GOOD = {"a": ["s the tank is green"]}


class Stream(io.TextIOWrapper):
    """A terminal or a pipe, with an encoding."""

    def __init__(self, tty, encoding="utf-8"):
        super().__init__(io.BytesIO(), encoding=encoding)
        self.tty = tty

    def isatty(self):
        return self.tty

    def said(self):
        self.flush()
        return self.buffer.getvalue().decode(self.encoding)


@pytest.mark.parametrize(("value", "mark"), [(0.0, 0), (1.0, -1)])
def test_the_gauge_has_both_ends(document, value, mark):
    document.update(score=value, interval=None)
    gauge = next(row.strip() for row in render_terminal(document).splitlines() if "┆" in row)
    assert gauge[mark] == "●"


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("color", [False, True])
def test_hostile_text_neither_moves_the_cursor_nor_breaks_the_width(compared, poison, hostile, width, color):
    text = render_terminal(poison(compared, hostile), width=width, color=color)
    plain = SEQUENCE.sub("", text) if color else text
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\u2028]", plain)
    assert max(cell_len(row) for row in plain.splitlines()) <= width
    assert not re.search(r"^\s*::|##\[", plain, re.MULTILINE)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text())
def test_any_text_is_shown_as_text(document, poison, text):
    said = render_terminal(poison(document, text))
    assert "\x1b" not in said
    assert said.split()[0] == "BLOCK"


def test_markup_and_emoji_codes_are_not_read(document):
    document["details"][1]["claim"] = "[bold red]x[/] :smiley: [link=http://e.example]y"
    assert "[bold red]x[/] :smiley: [link=http://e.example]y" in render_terminal(document)


@pytest.mark.parametrize(
    ("tty", "environ", "colored"),
    [
        (True, {}, True),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
        (False, {}, False),
    ],
)
def test_colour_only_where_it_is_wanted(document, tty, environ, colored):
    stream = Stream(tty)
    show(document, stream, environ)
    assert ("\x1b[" in stream.said()) == colored
    assert "BLOCK" in stream.said()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_stream_that_cannot_carry_the_signs_gets_them_spelled(compared, poison, hostile, encoding):
    stream = Stream(False, encoding)
    show(compared, stream, {})
    assert stream.said().count("?") == render_terminal(compared).count("?")
    assert "deploy <= 0.1" in stream.said()
    narrow = render_terminal(poison(compared, hostile), width=60, encoding=encoding)
    narrow.encode(encoding)
    assert max(map(len, narrow.splitlines())) <= 60


def test_a_finding_has_question_place_in_the_answer_and_what_to_do(document):
    document["prompts"][0].update(must_pass=True, tags=["heat"])
    document["notes"] = ["a waiver ended on 2026-01-01"]
    said = " ".join(render_terminal(document).split())
    assert "q1 90 % sure must pass tags: heat How hot does the kiln get?" in said
    assert "The kiln holds 40 litres. »The kiln reaches 1280 degrees.« The lid" in said
    assert "fix docs/kiln.md:14, or accept the claim for a time: gate waive verdict.json" in said
    assert said.index("note: a waiver ended") < said.index("Contradicted, or")


def test_what_is_waived_is_told_apart(make):
    said = render_terminal(make(waived={"q1:1"}))
    assert (
        "Waived (1) The kiln reaches 1280 degrees. (contradicted; accepted until 2027-01-31 by Ann: agreed)"
        in " ".join(said.split())
    )
    assert "✗ contradicted" not in said


def test_whose_the_uncertainty_is(document):
    document["corrected"] = {"share": 0.1, "low": 0.05, "high": 0.2, "judge_part": 0.4}
    assert "40 % of the uncertainty is the judge's, the rest the sample's" in " ".join(
        render_terminal(document).split()
    )


@pytest.mark.parametrize(("more", "last"), [(0, None), (1, "new: and 1 more"), (1500, "new: and 1,500 more")])
def test_long_lists_are_cut_and_counted(compared, more, last):
    comparison = compared["comparison"]
    comparison.update(new=comparison["new"] * (LISTED + more), fixed=[])
    lines = [line for line in describe_comparison(comparison).splitlines() if line.startswith("new: ")]
    assert len(lines) == LISTED + (more > 0)
    assert (lines[-1] == last) is (last is not None)


def test_strangers_text_neither_moves_the_cursor_nor_commands_a_runner(compared, poison, hostile):
    comparison = compared["comparison"]
    plain = len(describe_comparison(comparison).splitlines())
    text = describe_comparison(poison(comparison, hostile))
    assert len(text.splitlines()) == plain
    assert "\x1b" not in text
    assert "##[" not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("fail_on", ["block", "warn"])
@pytest.mark.parametrize("decision", list(Decision))
def test_every_decision_has_its_code(decision, fail_on, partial):
    codes = {"deploy": 0, "warn": 1 if fail_on == "warn" else 0, "block": 1, "inconclusive": 3}
    verdict = {**verdict_of(GOOD), "decision": decision.value, "partial": partial}
    assert exit_code(verdict, fail_on) == (4 if partial else codes[decision])


def test_a_decision_nobody_knows_is_no_pass():
    with pytest.raises(KeyError):
        exit_code({**verdict_of(GOOD), "decision": "maybe"}, "block")


@pytest.mark.parametrize("name", ["v.exe", "v", "missing/v.json", "folder.json"])
def test_what_cannot_be_written_is_refused_before_the_run(tmp_path, name):
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(UsageError):
        check_outputs([str(tmp_path / "fine.json"), str(tmp_path / name)])
    assert not (tmp_path / "fine.json").exists()


def test_every_output_is_written_in_its_own_format(tmp_path):
    names = [str(tmp_path / f"v{suffix}") for suffix in (".json", ".html", ".sarif", ".xml", ".md")]
    check_outputs(names)
    write_all(verdict_of(BAD), names, environ={})
    assert json.loads((tmp_path / "v.json").read_text()) == verdict_of(BAD)
    assert json.loads((tmp_path / "v.sarif").read_text())["version"] == "2.1.0"
    assert (tmp_path / "v.html").read_text().lower().startswith("<!doctype html>")
    assert "<testsuite" in (tmp_path / "v.xml").read_text()
    assert "the lid sings" in (tmp_path / "v.md").read_text()


def test_on_a_runner_the_summary_is_appended_and_the_annotations_printed(tmp_path, capsys):
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    tell_github(verdict_of(BAD), environ={"GITHUB_STEP_SUMMARY": str(summary), "GITHUB_ACTIONS": "true"})
    assert summary.read_text().startswith("before\n")
    assert "the lid sings" in summary.read_text()
    assert [line for line in capsys.readouterr().out.split("\n") if line.startswith("::") and "the lid sings" in line]


@pytest.mark.parametrize("environ", [{}, {"GITHUB_ACTIONS": "false"}, {"GITHUB_STEP_SUMMARY": ""}])
def test_elsewhere_nothing_is_told_to_a_runner(capsys, environ):
    tell_github(verdict_of(BAD), environ=environ)
    assert capsys.readouterr() == ("", "")


def test_a_summary_that_cannot_be_written_is_a_warning(tmp_path, capsys):
    tell_github(verdict_of(BAD), environ={"GITHUB_STEP_SUMMARY": str(tmp_path)})
    assert capsys.readouterr().err.startswith("warning: the step summary could not be written: ")


def test_a_claim_cannot_command_the_runner(capsys):
    tell_github(verdict_of({"a": ["u x\n::set-output name=a::b\r::error::c"]}), environ={"GITHUB_ACTIONS": "true"})
    lines = capsys.readouterr().out.replace("\r", "\n").split("\n")
    assert any("set-output" in line for line in lines)
    assert not any(line.startswith(("::set-output", "::error::c")) for line in lines)
