"""`gate doctor`: what is well, what is not, and what to do."""

import os
import threading
from pathlib import Path

import pytest

from gate.cli import main
from gate.commands.doctor import examine, together
from gate.config import load
from gate.errors import SetupError
from gate.toolbox import Toolbox
from tests.support.project import configure, put, write


@pytest.fixture(autouse=True)
def _project(folder):
    write("docs/a.md", "# Pump\n\nThe pump is green.\n")
    put("answers.jsonl", {"question": "q", "answer": "The pump is green."})


def checks(**changes):
    configure("other.yaml", **{"doc_sources": ["docs"], **changes})
    config = load(Path("other.yaml"))
    return {check.part: check for check in examine(lambda: Toolbox(config, use_cache=False), 15)}


def test_all_is_well_after_ingest(capsys):
    configure(doc_sources=["docs"])
    assert main(["ingest"]) == 0
    capsys.readouterr()
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert [line.split()[:2] for line in out.splitlines()] == [
        ["ok", part] for part in ("folder", "embedding", "index", "model", "judge", "documents")
    ]
    assert "1 chunk of 1 document, made" in out


def test_documents_that_are_not_as_they_were_indexed_are_told(folder):
    assert main(["ingest", "docs"]) == 0
    (folder / "docs" / "a.md").write_text("# Pump\n\nThe pump is red.\n")
    index = checks()["index"]
    assert (index.well, index.found) == (False, "docs/a.md changed since it was indexed")
    assert "gate ingest" in index.remedy
    (folder / "docs" / "a.md").write_text("# Pump\n\nThe pump is green.\n")
    (folder / "docs" / "b.md").write_text("# Lid\n\nThe lid is blue.\n")
    assert checks()["index"].found == "docs/b.md is not in the index"


@pytest.mark.parametrize(
    ("changes", "part", "words"),
    [
        ({"model": {"provider": "replay", "path": "none.jsonl"}}, "model", "none.jsonl"),
        ({"doc_sources": ["nowhere"]}, "documents nowhere", "nowhere"),
        ({"risk_tolerance": {"waivers": "no.yaml"}}, "waivers", "no.yaml"),
        ({"risk_tolerance": {"decide_on": "corrected"}}, "judge", "calibration"),
        ({"judge": {"provider": "local", "require": {"balanced_accuracy": 0.8}}}, "judge", "not calibrated"),
        ({}, "index", "no index"),
        (
            {"evaluation": {"source": "generated"}, "model": {"provider": "command", "command": ["./none.sh"]}},
            "model",
            "none.sh",
        ),
        ({"evaluation": {"source": "dataset", "dataset": "no.jsonl"}}, "dataset", "no.jsonl"),
        ({"judge": {"provider": "ollama", "model_id": "j", "base_url": "http://127.0.0.1:9"}}, "judge", "127.0.0.1:9"),
        ({"elasticsearch": {"host": "http://127.0.0.1:9"}}, "index", "127.0.0.1:9"),
        ({"embedding": {"provider": "ollama", "model_id": "e", "base_url": "http://127.0.0.1:9"}}, "embedding", ""),
    ],
)
def test_a_part_that_is_not_well_is_told_and_the_others_too(changes, part, words):
    found = checks(**changes)
    assert not found[part].well
    assert words in found[part].found
    assert found[part].remedy
    assert found["folder"].well


def test_a_document_that_ingestion_would_leave_out_is_not_called_readable(folder):
    (folder / "some").mkdir()
    assert "no document" in checks(doc_sources=["some"])["documents some"].found
    (folder / "linked").mkdir()
    (folder / "linked" / "a.md").symlink_to("nowhere")
    os.mkfifo(folder / "some" / "a.md")
    (folder / "some" / "b.md").write_text(" ")
    for source, words in (
        ("some", "some/a.md is not a regular file"),
        ("some/a.md", "is not a regular file"),
        ("some/b.md", "some/b.md is empty"),
        ("linked", "linked/a.md is a link to nothing"),
    ):
        check = checks(doc_sources=[source])[f"documents {source}"]
        assert (check.well, words in check.found) == (False, True)
        assert check.remedy
    (folder / "some" / "c.md").write_text("Text.")
    assert checks(doc_sources=["some"])["documents some"].found == "readable, some/c.md for instance"


def served(server, **more):
    return {"provider": "openai", "model_id": "m", "base_url": f"{server.url}/v1", **more}


@pytest.mark.parametrize(
    ("fault", "words"),
    [("500", "HTTP 500: boom"), ("429", "HTTP 429: rate limit"), ("cut", "broke"), ("html", "not JSON")],
)
def test_a_fault_is_told_as_it_came_after_one_attempt(server, fault, words):
    server.faults = [fault]
    found = checks(
        evaluation={"source": "generated"}, model=served(server), judge=served(server), embedding=served(server)
    )
    for part in ("model", "judge", "embedding"):
        assert not found[part].well
        assert words in found[part].found
    assert len([path for path, _, _ in server.sent if path.endswith("/chat/completions")]) == 2


def test_the_limits_of_a_run_are_not_those_of_the_check(server):
    limits = {"max_calls": 0, "max_cost_usd": 0, "max_seconds": 0.001}
    prices = {"m": {"input": 1, "output": 1}}
    found = checks(
        evaluation={"source": "generated"}, model=served(server), judge=served(server), limits=limits, prices=prices
    )
    assert found["model"].well
    assert found["judge"].well


def test_no_part_holds_or_hides_the_others():
    ends = threading.Event()

    def broken():
        raise KeyError("x")

    def refused():
        raise SetupError("no key", "set a key")

    hanging = {f"slow {number}": lambda: ends.wait(60) and "" for number in range(3)}
    found = together({**hanging, "broken": broken, "refused": refused, "quick": lambda: "here"}, 1.0)
    assert not ends.is_set()
    ends.set()
    assert [check.well for check in found] == [False] * 5 + [True]
    assert "no answer within 1 s" in found[0].found
    assert found[4].remedy == "set a key"
