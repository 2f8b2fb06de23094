"""Recorded answers of the application: an unfinished run goes on from them, a finished one is asked anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gate.cli import main

PROGRAM = """#!/bin/sh
cat > /dev/null
echo x >> asked
cat answer
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    Path("docs/a.md").write_text("# Hotel\n\nBreakfast is included in the price of the room.\n")
    Path("answer").write_text("Breakfast is included in the price of the room.\n")
    Path("app.sh").write_text(PROGRAM)
    Path("app.sh").chmod(0o755)
    rows = [{"id": f"q{n}", "question": f"Is breakfast included in room {n}?"} for n in range(3)]
    Path("q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert configured() == 0
    return tmp_path


def configured(**model):
    config = {
        "use_case": "x",
        "doc_sources": ["docs"],
        "evaluation": {"source": "dataset", "dataset": "q.jsonl"},
        "model": {"provider": "command", "command": ["./app.sh"], **model},
    }
    Path(".llm-reliability.yaml").write_text(json.dumps(config))
    return main(["ingest"])


def asked():
    return len(Path("asked").read_text().splitlines()) if Path("asked").exists() else 0


def verdict(*words):
    main(["run", "-o", "v.json", *words])
    return json.loads(Path("v.json").read_text())


def test_a_finished_run_is_asked_anew_so_that_new_data_behind_the_application_shows(folder):
    assert verdict()["decision"] == "deploy"
    Path("answer").write_text("Breakfast is not included in the price of the room.\n")
    second = verdict()
    assert asked() == 6
    assert "recorded" not in second
    assert all("not included" in prompt["answer"] for prompt in second["prompts"])


@pytest.mark.parametrize("how", ["flag", "key"])
def test_recorded_answers_are_taken_when_that_is_asked_for_and_are_named(folder, how, capsys):
    verdict()
    if how == "key":
        configured(reuse="always")
    found = verdict(*(["--reuse"] if how == "flag" else []))
    assert asked() == 3
    assert found["recorded"]["answers"] == 3
    assert "3 recorded answers, the oldest less than a minute old" in " ".join(capsys.readouterr().out.split())
    assert verdict(*(["--no-cache"] if how == "flag" else []))
    assert asked() == (6 if how == "flag" else 3)


def test_an_unfinished_run_goes_on_from_its_answers(folder):
    assert main(["run", "--max-calls", "2", "-o", "v.json"]) == 4
    assert asked() == 2
    found = verdict()
    assert asked() == 3  # the one that was left
    assert found["recorded"]["answers"] == 2
    verdict()
    assert asked() == 6


def test_shards_and_limits_finish_their_own_answers_alone(folder):
    verdict("--shard", "1/2")
    verdict("--limit", "1")
    assert asked() == 3
    verdict("--shard", "2/2")
    assert asked() == 4
