"""`gate report`: a stored verdict again, and decided anew."""

import json

import pytest

from gate.cli import main
from tests.support.verdicts import document

ENTRIES = {"a": ["s one is here", "s two is here", "u three is here"], "b": ["s four is here"]}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "v.json").write_text(json.dumps(document(ENTRIES)))
    return tmp_path


def configure(folder, **tolerance):
    values = {"use_case": "x", "model": {"provider": "replay", "path": "a"}, "risk_tolerance": tolerance}
    (folder / "c.yaml").write_text(json.dumps(values))


def test_the_stored_verdict_comes_again_in_any_format(folder, capsys):
    assert main(["report", "v.json", "-o", "again.json", "-o", "again.md"]) == 0
    assert json.loads((folder / "again.json").read_text()) == document(ENTRIES)
    assert "three is here" in (folder / "again.md").read_text()
    assert "three is here" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("tolerance", "flags", "code"),
    [
        ({}, [], 0),
        ({}, ["--fail-on", "warn"], 1),
        ({"deploy_threshold": 0.1, "warn_threshold": 0.2}, [], 1),
        ({"min_claims": 9}, [], 3),
    ],
)
def test_other_thresholds_decide_anew(folder, tolerance, flags, code):
    configure(folder, **tolerance)
    assert main(["report", "v.json", "-c", "c.yaml", *flags]) == code


def test_a_decision_that_its_own_numbers_contradict_is_no_pass(folder, capsys):
    (folder / "v.json").write_text(json.dumps({**document({"a": ["u one is wrong"]}), "decision": "deploy"}))
    assert main(["report", "v.json"]) == 2
    assert capsys.readouterr().err.startswith("error: ")


@pytest.mark.parametrize("text", ["", "{}", '{"decision": "deploy"}', "[" * 5000])
def test_what_is_no_verdict_is_wrong_use(folder, capsys, text):
    (folder / "v.json").write_text(text)
    assert main(["report", "v.json"]) == 2
    told = capsys.readouterr()
    assert told.err.startswith("error: ")
    assert told.out == ""
