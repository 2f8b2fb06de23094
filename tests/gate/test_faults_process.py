"""Faults of servers as a user meets them: `gate run` ends, says why, and never passes; as a process once with each
provider. No test waits: the pauses between attempts are left out, and the seconds of a run that hangs are over as soon
as the server has been asked."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from gate.cli import main
from gate.providers import pool
from gate.providers.budget import Budget
from tests.support.project import configure, put, write

PROVIDERS = ("openai", "ollama", "bedrock")
SETUP, LOST, LIMIT = 2, 3, 4
# fault -> the exit code: no call can succeed; the reply is of no use after all attempts; the seconds are over
FAULTS = {
    "401": SETUP,
    "404": SETUP,
    "503": LOST,
    "hang": LIMIT,
    "reset": LOST,
    "html": LOST,
    "empty": LOST,
    "truncated": LOST,
}
CELLS = [
    (fault, provider, role)
    for row, fault in enumerate(FAULTS)
    for column, provider in enumerate(PROVIDERS)
    for place, role in enumerate(("target", "judge", "embedder"))
    if (row + column + place) % 3 == 0 and not (role == "embedder" and fault == "truncated")
]
IN_A_PROCESS = {("401", "openai"), ("404", "bedrock"), ("html", "ollama")}  # as target


@pytest.fixture
def gate(folder, server, monkeypatch, capsys):
    """Run the command line in a project, as a process or here, where nobody waits: (exit code, stdout, stderr)."""
    write("docs/manual.md", "# Pump\n\nThe time-out is 5 seconds. The pump starts at 06:00.\n")
    put("answers.jsonl", {"question": "What is the time-out?", "answer": "The time-out lasts 5 seconds."})
    for name in [name for name in os.environ if name.startswith(("AWS_", "OLLAMA", "OPENAI"))]:
        monkeypatch.delenv(name)
    aws = {"AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s", "AWS_DEFAULT_REGION": "us-east-1"}
    aws |= {"AWS_ENDPOINT_URL_BEDROCK_RUNTIME": server.url, "AWS_EC2_METADATA_DISABLED": "true"}
    for name, value in aws.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(Budget, "sleep", lambda budget, seconds: budget.check())
    monkeypatch.setattr(Budget, "remaining", lambda budget: 0.0 if server.counts["hang"] else 0.01)
    monkeypatch.setattr(pool, "GRACE", 0.0)

    def here(*arguments):
        capsys.readouterr()
        return main(list(arguments)), *capsys.readouterr()

    def process(*arguments, **more):
        done = subprocess.run(
            [sys.executable, "-m", "gate", *arguments],
            env={**os.environ, "NO_COLOR": "1", **more},
            timeout=58,  # a hang of the server is longer
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout, done.stderr

    return SimpleNamespace(here=here, process=process)


def prepare(server, provider, role, seconds=60):
    """The provider in one role, and nothing else that calls; the documents are indexed."""
    base = {"openai": f"{server.url}/v1", "ollama": server.url}.get(provider)
    model = "amazon.titan-embed-text-v2:0" if role == "embedder" else "m"
    part = {"provider": provider, "model_id": model, **({"base_url": base} if base else {})}
    parts = {{"target": "model", "judge": "judge", "embedder": "embedding"}[role]: part}
    if role == "target":
        parts["evaluation"] = {"source": "dataset", "dataset": "answers.jsonl"}
    configure(limits={"max_seconds": seconds}, **parts)
    assert main(["ingest", "docs"]) == 0


def no_pass(told, code):
    out, err = told
    assert "Traceback" not in out + err
    assert "internal fault" not in out + err
    assert "INCONCLUSIVE" in out or code == SETUP
    if code == SETUP:
        assert (err.count("error: "), err.count("hint: ")) == (1, 1), err
        assert err.split("hint: ")[1].strip()
    else:
        assert "error: " not in err
        assert json.loads(Path("v.json").read_text(encoding="utf-8"))["decision"] == "inconclusive"


@pytest.mark.parametrize(("fault", "provider", "role"), CELLS)
def test_a_fault_as_a_user_meets_it(server, gate, fault, provider, role):
    prepare(server, provider, role)
    server.faults = [fault]
    before = len(server.sent)
    run = gate.process if role == "target" and (fault, provider) in IN_A_PROCESS else gate.here
    code, *told = run("run", "-o", "v.json")
    # Without vectors nothing can be found: an embedder that gives none in its attempts ends the run like a wrong key.
    assert code == (SETUP if role == "embedder" and FAULTS[fault] == LOST else FAULTS[fault]), told
    assert len(server.sent) > before
    no_pass(told, code)


@pytest.mark.services
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_process_ends_in_time_although_its_server_hangs(server, gate, provider):
    prepare(server, provider, "target", seconds=6)  # a busy machine takes some to begin
    server.faults = ["hang"]
    code, *told = gate.process("run", "-o", "v.json")
    assert (code, server.counts["hang"]) == (LIMIT, 1), told
    no_pass(told, code)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_nobody_there_as_a_user_meets_it(server, gate, provider):
    prepare(server, provider, "target")
    server.close()
    code, *told = gate.here("run", "-o", "v.json")
    assert code == SETUP, told
    no_pass(told, code)


@pytest.mark.parametrize("provider", ["openai", "ollama"])
def test_a_proxy_that_is_not_spoken_is_told(server, gate, provider, monkeypatch):
    prepare(server, provider, "target")
    for name, value in {"ALL_PROXY": "socks5://127.0.0.1:9", "NO_PROXY": "", "no_proxy": ""}.items():
        monkeypatch.setenv(name, value)
    code, *told = gate.here("run")
    assert code == SETUP, told
    assert "proxy cannot be used" in told[1]
    assert "ALL_PROXY" in told[1]
    no_pass(told, code)
