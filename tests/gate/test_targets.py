"""Targets as a user meets them: an application behind HTTP, a function or a worker is asked, tells its contexts, and is
measured by them; it fails without ending the run, and what is secret stays in its place."""

import ast
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from gate.cli import main
from gate.providers import runner
from tests.support.fake_models import FakeModels
from tests.support.project import ASKED, configure, put, write

PROTOCOL = Path(__file__).parents[2] / "docs" / "reference" / "protocol.md"
FUNCTION = """
import os

async def answer(question):
    if "crash" in question:
        os._exit(1)
    return {"answer": "The time-out is 5 seconds.", "contexts": ["The time-out is 5 seconds."]}
"""
TRUTH = {"answer": "The time-out is 5 seconds.", "contexts": ["The time-out is 5 seconds."]}
SECRETS = ("target-s3cret", "header-s3cret", "judge-s3cret")


@pytest.fixture
def project(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    write("docs/manual.md", "# Pump\n\nThe time-out is 5 seconds. The pump starts at 06:00.\n")
    write("app.py", FUNCTION)
    put("asked.jsonl", {"id": "q1", "question": "What is the time-out?"})
    return folder


def verdict(model: dict[str, Any], **parts: Any) -> tuple[int, dict[str, Any]]:
    configure(doc_sources=["docs"], evaluation=ASKED, measures={"faithfulness": {"min": 0.9}}, model=model, **parts)
    assert main(["ingest"]) == 0
    code = main(["run", "-o", "v.json"])
    return code, json.loads(Path("v.json").read_text()) if Path("v.json").exists() else {}


def http(server: FakeModels, **more: Any) -> dict[str, Any]:
    return {"provider": "http", "url": f"{server.url}/chat", **more}


def test_faithfulness_is_measured_by_the_contexts_that_a_server_tells(project: Path, server: FakeModels) -> None:
    server.change = lambda reply: TRUTH
    code, told = verdict(http(server))
    assert (code, told["decision"], told["prompts"][0]["contexts"]) == (0, "deploy", TRUTH["contexts"])
    assert told["measures"]["faithfulness"]["value"] == 1.0
    server.change = lambda reply: {**TRUTH, "contexts": ["The pump starts at six."]}
    code, told = verdict(http(server))
    assert (code, told["measures"]["faithfulness"]["value"], told["unsupported"]) == (1, 0.0, 0)


def test_contexts_that_were_told_before_a_run_was_stopped_are_not_lost(project: Path, server: FakeModels) -> None:
    put("asked.jsonl", *({"id": f"q{n}", "question": f"Time-out {n}?"} for n in range(3)))
    server.change = lambda reply: TRUTH
    code, _ = verdict(http(server), limits={"max_calls": 2, "concurrency": 1})
    assert (code, len(server.sent)) == (4, 2)
    code, told = verdict(http(server), limits={"max_calls": 9})
    assert (code, len(server.sent), told["measures"]["faithfulness"]["n"]) == (0, 3, 3)


def test_a_crash_is_a_failure_and_no_end(project: Path) -> None:
    put("asked.jsonl", {"id": "q1", "question": "What is the time-out?"}, {"id": "q2", "question": "crash"})
    code, told = verdict({"provider": "python", "function": "app:answer"})
    assert (code, told["decision"], told["supported"]) == (3, "inconclusive", 1)
    assert [(one["prompt_id"], one["kind"]) for one in told["failures"]] == [("q2", "died")]


def test_an_application_that_is_not_well_costs_nothing(
    project: Path, server: FakeModels, capsys: pytest.CaptureFixture[str]
) -> None:
    server.health = 503
    judge = {"provider": "openai", "model_id": "m", "base_url": f"{server.url}/v1"}
    code, _ = verdict(http(server, health="/health"), judge=judge)
    assert (code, {path for path, _, _ in server.sent}) == (2, {"/health"})
    assert "the application is not well: /health: HTTP 503" in capsys.readouterr().err
    assert main(["doctor"]) == 2
    assert "not well" in capsys.readouterr().out


def test_secrets_go_to_their_server_alone_and_are_written_nowhere(
    project: Path, server: FakeModels, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = FakeModels()
    for name, value in (("TARGET", SECRETS[0]), ("TEAM", SECRETS[1]), ("JUDGE", SECRETS[2])):
        monkeypatch.setenv(name, value)
    server.change = lambda reply: {**TRUTH, "debug": list(SECRETS)}
    target = http(server, api_key_env="TARGET", headers={"X-Team-Key": "${TEAM}"})
    judge = {"provider": "openai", "model_id": "m", "base_url": f"{other.url}/v1", "api_key_env": "JUDGE"}
    verdict(target, judge=judge)
    server.faults, server.status["401"] = ["401"], (401, " ".join(SECRETS[:2]), "")
    assert main(["run", "--no-cache", "-o", "w.json"]) == 2
    other.close()
    sent = [json.dumps(headers) for _, headers, _ in server.sent]
    judged = [json.dumps(headers) for _, headers, _ in other.sent]
    assert all(SECRETS[0] in one and SECRETS[1] in one and SECRETS[2] not in one for one in sent)
    assert judged
    assert all(SECRETS[2] in one and SECRETS[0] not in one and SECRETS[1] not in one for one in judged)
    written = b"".join(path.read_bytes() for path in project.rglob("*") if path.is_file())
    out = "".join(capsys.readouterr())
    assert not [word for word in SECRETS if word.encode() in written or word in out]


def examples() -> list[tuple[str, str]]:
    """(name of the file, its text) of the programs on the page of the protocol."""
    return re.findall(r"`(\w+\.\w+)`:\n\n((?:(?:    .*)?\n)+)", PROTOCOL.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["answer.sh", "answer.py", "worker.py", "worker.mjs", "worker.sh", "app.py"])
def test_the_programs_on_the_page_of_the_protocol_do_what_it_says(project: Path, name: str) -> None:
    text = dict(examples())[name]
    write(name, "".join(line[4:] + "\n" for line in text.splitlines()))
    tool = {"py": sys.executable, "mjs": "node", "sh": "sh"}[name.rpartition(".")[2]]
    if shutil.which(tool) is None or (name.endswith(".sh") and shutil.which("jq") is None):
        pytest.skip(f"{tool} or jq is not installed")
    model: dict[str, Any] = {"provider": "command", "command": [tool, name], "worker": name.startswith("worker")}
    model = {"provider": "python", "function": "app:answer"} if name == "app.py" else model
    _, told = verdict(model)
    (prompt,) = told["prompts"]
    assert (told["failures"], prompt["contexts"]) == ([], ["The warranty lasts two years."])
    assert prompt["answer"].startswith("The warranty lasts two years")


def test_all_programs_on_the_page_are_tested() -> None:
    assert {name for name, _ in examples()} == {
        "answer.sh",
        "answer.py",
        "worker.py",
        "worker.mjs",
        "worker.sh",
        "app.py",
    }


def test_the_runner_is_read_by_the_oldest_python_that_an_application_may_have() -> None:
    source = (Path(runner.__file__)).read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 8))
