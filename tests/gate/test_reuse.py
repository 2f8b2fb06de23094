"""Recorded answers of the application: an unfinished run goes on from them, a finished one is asked anew."""

from __future__ import annotations

import json
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from gate.cli import main
from gate.config import load
from gate.toolbox import Toolbox
from tests.support.aws import read_descriptions_once
from tests.support.project import ASKED, configure, put, write

PROGRAM = "cat > /dev/null; echo x >> asked; cat answer"


@pytest.fixture(autouse=True)
def _project(folder):
    write("docs/a.md", "# Hotel\n\nBreakfast is included in the price of the room.\n")
    write("answer", "Breakfast is included in the price of the room.\n")
    put("asked.jsonl", *({"id": f"q{n}", "question": f"Is breakfast included in room {n}?"} for n in range(3)))
    assert configured() == 0


def configured(**model):
    command = {"provider": "command", "command": ["sh", "-c", PROGRAM]}
    configure(doc_sources=["docs"], evaluation=ASKED, model={**command, **model})
    return main(["ingest"])


def asked():
    return len(Path("asked").read_text().splitlines()) if Path("asked").exists() else 0


def verdict(*words):
    main(["run", "-o", "v.json", *words])
    return json.loads(Path("v.json").read_text())


def test_a_finished_run_is_asked_anew_so_that_new_data_behind_the_application_shows():
    assert verdict()["decision"] == "deploy"
    write("answer", "Breakfast is not included in the price of the room.\n")
    second = verdict()
    assert asked() == 6
    assert "recorded" not in second
    assert all("not included" in prompt["answer"] for prompt in second["prompts"])


@pytest.mark.parametrize("how", ["flag", "key"])
def test_recorded_answers_are_taken_when_that_is_asked_for_and_are_named(how, capsys):
    verdict()
    if how == "key":
        configured(reuse="always")
    found = verdict(*(["--reuse"] if how == "flag" else []))
    assert asked() == 3
    assert found["recorded"]["answers"] == 3
    assert found["recorded"]["oldest"] == min(prompt["asked_at"] for prompt in found["prompts"])
    assert "3 recorded answers, the oldest less than a minute old" in " ".join(capsys.readouterr().out.split())
    verdict("--no-cache")
    assert asked() == 6
    assert main(["run", "--reuse", "--no-cache"]) == 2


def test_an_unfinished_run_goes_on_from_its_answers():
    assert main(["run", "--max-calls", "2", "-o", "v.json"]) == 4
    assert asked() == 2
    found = verdict()
    assert asked() == 3  # the one that was left
    assert found["recorded"]["answers"] == 2
    verdict()
    assert asked() == 6


def stop_early():
    assert main(["run", "--max-calls", "2"]) == 4
    assert asked() == 2


def git(*words):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *words], check=True)


def index_more():
    write("docs/b.md", "# Parking\n\nParking is free.\n")
    assert main(["ingest"]) == 0


def commit():
    git("init", "-q")
    git("add", "docs", ".llm-reliability.yaml")
    git("commit", "-qm", "x", "--no-gpg-sign")


@pytest.mark.parametrize("change", [index_more, commit])
def test_a_stopped_run_does_not_go_on_from_answers_to_other_documents_or_code(change):
    stop_early()
    change()
    assert "recorded" not in verdict()
    assert asked() == 5


def test_a_stopped_run_does_not_go_on_where_the_code_of_a_server_may_have_changed(server):
    server.raw = ("application/json", '{"answer": "Breakfast is included in the price of the room."}')
    configured(provider="http", command=None, url=server.url)
    commit()
    assert main(["run", "--max-calls", "2"]) == 4
    write("app.py", "one")
    git("add", "app.py")
    assert "recorded" not in verdict()
    assert len(server.sent) == 5


def test_a_raised_limit_in_the_configuration_loses_no_answer():
    commit()
    stop_early()
    configured(reuse="run")
    assert verdict()["recorded"]["answers"] == 2


def test_one_question_twice_is_no_recorded_answer():
    put("asked.jsonl", *({"id": name, "question": "Is breakfast included?"} for name in "ab"))
    assert "recorded" not in verdict()
    assert asked() == 1


def test_a_record_that_cannot_be_written_costs_no_verdict(capsys):
    with closing(Toolbox(load(Path(".llm-reliability.yaml")))) as tools:
        tools.check()
        tools.servers.chain.calls.close()
        tools.finish()
    assert "the next run may take these answers again" in capsys.readouterr().err


@pytest.mark.parametrize("provider", ["openai", "ollama", "bedrock"])
def test_every_served_model_is_asked_anew(server, provider, monkeypatch):
    aws(server, monkeypatch)
    address = {} if provider == "bedrock" else {"base_url": server.url}
    configured(provider=provider, command=None, model_id="m", **address)
    for calls, words in ((3, []), (6, []), (6, ["--reuse"])):
        assert ("recorded" in verdict(*words)) == bool(words)
        assert len(server.sent) == calls


def aws(server, monkeypatch):
    """The environment by which boto3 finds the fake."""
    read_descriptions_once(monkeypatch)
    monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", server.url)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIATEST")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")


def test_shards_and_limits_finish_their_own_answers_alone():
    verdict("--shard", "1/2")
    verdict("--limit", "1")
    assert asked() == 3
    verdict("--shard", "2/2")
    assert asked() == 4
