"""Runs that a limit or a signal ends: whatever they were at, the partial verdict is written, and it is no pass."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest

from gate.cli import main
from tests.support.project import configure, record, write

MANUAL = "# Larkspur 7\n\nThe Eco programme washes at 40 degrees. The door stays locked while the drum turns.\n"
ANSWERS = ["The Eco programme washes cups at 40 degrees.", "The door stays locked while the wet drum turns."]
# `gate`, in which one local part says that it is at work and does not end.
SLOW = """
import importlib, sys, time
module, owner, name = sys.argv[1].split(":")

def slow(*arguments, **named):
    print("at work", flush=True)
    for _ in range(600):  # one long wait would not hear of a signal that comes just before it begins
        time.sleep(0.1)

setattr(getattr(importlib.import_module(module), owner), name, slow)
from gate.cli import main
sys.exit(main(sys.argv[2:]))
"""
RUN = ["run", "-o", "v.json"]


@pytest.fixture
def project(folder, server):
    """Index the manual and write the answers; `parts` are those of the configuration."""

    def make(remote=False, **parts):
        write("docs/manual.md", MANUAL)
        record(*ANSWERS)
        served = {"provider": "openai", "model_id": "e", "base_url": f"{server.url}/v1"}
        configure(**parts, **({"embedding": served} if remote else {}))
        assert main(["ingest", "docs"]) == 0
        return folder

    return make


def verdict(folder):
    found = json.loads((folder / "v.json").read_text(encoding="utf-8"))
    assert (found["partial"], found["decision"]) == (True, "inconclusive")
    counted = (found[label] for label in ("supported", "weakly_supported", "unsupported", "unjudged"))
    assert found["total_claims"] == sum(counted) == len(found["details"])
    return found


def ended(process):
    """The exit code and what was told on stderr."""
    _, told = process.communicate(timeout=60)
    assert "internal fault" not in told
    return process.returncode


@pytest.mark.parametrize(
    ("part", "number", "prompts", "claims"),
    [
        ("gate.toolbox:Toolbox:load_prompts", signal.SIGINT, 0, 0),
        ("gate.claims.local:LocalExtractor:extract", signal.SIGTERM, 2, 0),
        ("gate.store.embedded:EmbeddedStore:search", signal.SIGINT, 2, 2),
        ("gate.judges.local:LocalJudge:judge", signal.SIGTERM, 2, 2),
        ("gate.bench:Bench:reading", signal.SIGINT, 2, 2),
    ],
)
def test_a_signal_in_local_work(project, part, number, prompts, claims):
    folder = project(measures={"relevance": {}})
    command = [sys.executable, "-c", SLOW, part, *RUN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout.readline() == "at work\n"
        os.kill(run.pid, number)
        assert ended(run) == 4
    found = verdict(folder)
    assert (len(found["prompts"]), found["total_claims"]) == (prompts, claims)
    assert "the run was interrupted" in found["reasons"]
    assert found["unjudged"] == (0 if "bench" in part else claims)


RETRIEVED = {
    "model": {"provider": "command", "command": ["cat"], "context": "retrieved"},
    "evaluation": {"source": "dataset", "dataset": "answers.jsonl"},
}


@pytest.mark.parametrize(("parts", "claims"), [({}, 2), (RETRIEVED, 0)], ids=["evidence", "context"])
def test_ctrl_c_while_a_remote_embedder_works(project, server, parts, claims):
    folder = project(remote=True, **parts)
    before = len(server.sent)
    server.faults = ["", "hang"]  # the length of its vectors, then what it is asked for
    command = [sys.executable, "-m", "gate", *RUN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        while len(server.sent) < before + 2 and run.poll() is None:
            threading.Event().wait(0.001)
        os.kill(run.pid, signal.SIGINT)
        assert ended(run) == 4
    found = verdict(folder)
    assert (len(found["prompts"]), found["total_claims"], found["unjudged"]) == (2, claims, claims)


@pytest.mark.parametrize("faults", [["hang"], ["", "hang"]], ids=["at once", "in the middle"])
def test_an_embedder_that_hangs_ends_with_the_seconds_of_the_run(project, server, faults):
    folder = project(remote=True)
    server.faults = faults
    assert main([*RUN, "--max-seconds", "0.5"]) == 4
    found = verdict(folder)
    assert "limits.max_seconds" in " ".join(found["reasons"])
    assert (found["total_claims"], found["unjudged"]) == (2, 2)


def test_the_calls_of_an_embedder_count_and_are_not_paid_twice(project, server):
    folder = project(remote=True)
    assert main([*RUN, "--max-calls", "1"]) == 4
    assert verdict(folder)["usage"]["calls"] == 1
    main(RUN)
    asked = len(server.sent)
    again = main(RUN)
    found = json.loads((folder / "v.json").read_text(encoding="utf-8"))
    assert (len(server.sent), found["usage"]["calls"]) == (asked, 0)
    assert found["usage"]["cached_calls"] == 2
    assert again != 4
