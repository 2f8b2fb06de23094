"""A verdict leaves the process: exit code, files, terminal, step summary and annotations."""

import json

import pytest

from gate.commands.outcome import check_outputs, exit_code, tell_github, write_all
from gate.errors import UsageError
from gate.records import Decision
from tests.support.verdicts import document

BAD = {"a": ["s the tank is green", "u the lid sings"]}
GOOD = {"a": ["s the tank is green"]}


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("fail_on", ["block", "warn"])
@pytest.mark.parametrize("decision", list(Decision))
def test_every_decision_has_its_code(decision, fail_on, partial):
    codes = {"deploy": 0, "warn": 1 if fail_on == "warn" else 0, "block": 1, "inconclusive": 3}
    verdict = {**document(GOOD), "decision": decision.value, "partial": partial}
    assert exit_code(verdict, fail_on) == (4 if partial else codes[decision])


def test_a_decision_nobody_knows_is_no_pass():
    with pytest.raises(KeyError):
        exit_code({**document(GOOD), "decision": "maybe"}, "block")


@pytest.mark.parametrize("name", ["v.exe", "v", "missing/v.json", "folder.json"])
def test_what_cannot_be_written_is_refused_before_the_run(tmp_path, name):
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(UsageError):
        check_outputs([str(tmp_path / "fine.json"), str(tmp_path / name)])
    assert not (tmp_path / "fine.json").exists()


def test_every_output_is_written_in_its_own_format(tmp_path):
    names = [str(tmp_path / f"v{suffix}") for suffix in (".json", ".html", ".sarif", ".xml", ".md")]
    check_outputs(names)
    write_all(document(BAD), names, environ={})
    assert json.loads((tmp_path / "v.json").read_text()) == document(BAD)
    assert json.loads((tmp_path / "v.sarif").read_text())["version"] == "2.1.0"
    assert (tmp_path / "v.html").read_text().lower().startswith("<!doctype html>")
    assert "<testsuite" in (tmp_path / "v.xml").read_text()
    assert "the lid sings" in (tmp_path / "v.md").read_text()


def test_on_a_runner_the_summary_is_appended_and_the_annotations_printed(tmp_path, capsys):
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    tell_github(document(BAD), environ={"GITHUB_STEP_SUMMARY": str(summary), "GITHUB_ACTIONS": "true"})
    assert summary.read_text().startswith("before\n")
    assert "the lid sings" in summary.read_text()
    assert [line for line in capsys.readouterr().out.split("\n") if line.startswith("::") and "the lid sings" in line]


@pytest.mark.parametrize("environ", [{}, {"GITHUB_ACTIONS": "false"}, {"GITHUB_STEP_SUMMARY": ""}])
def test_elsewhere_nothing_is_told_to_a_runner(capsys, environ):
    tell_github(document(BAD), environ=environ)
    assert capsys.readouterr() == ("", "")


def test_a_summary_that_cannot_be_written_is_a_warning(tmp_path, capsys):
    tell_github(document(BAD), environ={"GITHUB_STEP_SUMMARY": str(tmp_path)})
    assert capsys.readouterr().err.startswith("warning: the step summary could not be written: ")


def test_a_claim_cannot_command_the_runner(capsys):
    tell_github(document({"a": ["u x\n::set-output name=a::b\r::error::c"]}), environ={"GITHUB_ACTIONS": "true"})
    lines = capsys.readouterr().out.replace("\r", "\n").split("\n")
    assert any("set-output" in line for line in lines)
    assert not any(line.startswith(("::set-output", "::error::c")) for line in lines)
