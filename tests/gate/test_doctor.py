"""`gate doctor`: what is well, what is not, and what to do."""

import os
import threading
import time

import pytest

from gate.cli import main
from gate.config import Config
from gate.doctor import Check, examine, together, told
from gate.errors import SetupError
from gate.toolbox import Toolbox

ANSWERS = '{"question": "q", "answer": "The pump is green."}\n'


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Pump\n\nThe pump is green.\n")
    (tmp_path / "a.jsonl").write_text(ANSWERS)
    return tmp_path


def checks(**changes):
    values = {
        "use_case": "x",
        "doc_sources": ["docs"],
        "evaluation": {"source": "recorded"},
        "model": {"provider": "replay", "path": "a.jsonl"},
        **changes,
    }
    config = Config.model_validate(values)
    return {check.part: check for check in examine(lambda: Toolbox(config, use_cache=False), 15)}


def test_all_is_well_after_ingest(folder, capsys):
    (folder / ".llm-reliability.yaml").write_text(
        "use_case: x\ndoc_sources: [docs]\nevaluation: {source: recorded}\nmodel: {provider: replay, path: a.jsonl}\n"
    )
    assert main(["ingest"]) == 0
    capsys.readouterr()
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert [line.split()[:2] for line in out.splitlines()] == [
        ["ok", part] for part in ("folder", "embedding", "index", "model", "judge", "documents")
    ]
    assert "1 chunk of 1 document, made" in out


def test_a_missing_index_says_what_to_do():
    found = checks()
    assert not found["index"].well
    assert "gate ingest" in found["index"].remedy
    assert found["model"].well


def test_documents_that_changed_since_they_were_indexed_are_told(folder, capsys):
    assert main(["ingest", "docs"]) == 0
    (folder / "docs" / "a.md").write_text("# Pump\n\nThe pump is red.\n")
    index = checks()["index"]
    assert (index.well, index.found) == (False, "docs/a.md changed since it was indexed")
    assert "gate ingest" in index.remedy


def test_new_documents_are_told(folder):
    assert main(["ingest", "docs"]) == 0
    (folder / "docs" / "b.md").write_text("# Lid\n\nThe lid is blue.\n")
    index = checks()["index"]
    assert (index.well, index.found) == (False, "docs/b.md is not in the index")


@pytest.mark.parametrize(
    ("changes", "part", "words"),
    [
        ({"model": {"provider": "replay", "path": "none.jsonl"}}, "model", "none.jsonl"),
        ({"doc_sources": ["nowhere"]}, "documents nowhere", "nowhere"),
        ({"doc_sources": ["."], "model": {"provider": "replay", "path": "a.jsonl"}}, "index", ""),
        (
            {"evaluation": {"source": "generated"}, "model": {"provider": "command", "command": ["./none.sh"]}},
            "model",
            "none.sh",
        ),
        ({"evaluation": {"source": "dataset", "dataset": "no.jsonl"}}, "dataset", "no.jsonl"),
        (
            {
                "evaluation": {"source": "generated"},
                "model": {"provider": "openai", "model_id": "m", "base_url": "http://127.0.0.1:9/v1"},
            },
            "model",
            "127.0.0.1:9",
        ),
        (
            {"judge": {"provider": "openai", "model_id": "j", "base_url": "http://127.0.0.1:9/v1"}},
            "judge",
            "127.0.0.1:9",
        ),
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


def test_a_folder_without_documents_is_told(folder):
    (folder / "empty").mkdir()
    assert "no document" in checks(doc_sources=["empty"])["documents empty"].found


def test_a_document_that_cannot_be_had_is_no_document(folder):
    (folder / "some").mkdir()
    (folder / "some" / "a.md").symlink_to("nowhere")
    check = checks(doc_sources=["some"])["documents some"]
    assert (check.well, "some/a.md is a link to nothing" in check.found) == (False, True)
    assert check.remedy
    (folder / "some" / "b.md").write_text("Text.")
    check = checks(doc_sources=["some"])["documents some"]
    assert (check.well, check.found) == (True, "readable, some/b.md for instance")


def test_a_document_that_ingestion_would_leave_out_is_not_called_readable(folder):
    (folder / "some").mkdir()
    os.mkfifo(folder / "some" / "a.md")
    (folder / "some" / "b.md").write_text(" ")
    for source, words in (
        ("some", "some/a.md is not a regular file"),
        ("some/a.md", "is not a regular file"),
        ("some/b.md", "some/b.md is empty"),
    ):
        check = checks(doc_sources=[source])[f"documents {source}"]
        assert (check.well, words in check.found) == (False, True)
        assert check.remedy
    (folder / "some" / "c.md").write_text("Text.")
    assert checks(doc_sources=["some"])["documents some"].found == "readable, some/c.md for instance"


def test_a_folder_that_is_a_file_is_told(folder):
    (folder / ".gate").write_text("")
    assert "cannot be written" in checks()["folder"].found


def test_a_command_that_answers_is_well(folder):
    script = folder / "a.sh"
    script.write_text("#!/bin/sh\ncat >/dev/null\necho yes\n")
    script.chmod(0o755)
    found = checks(evaluation={"source": "generated"}, model={"provider": "command", "command": ["./a.sh"]})
    assert found["model"].well
    assert "answers in" in found["model"].found


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


def test_a_judge_that_is_not_well_is_no_fault_of_the_model(server):
    judge = {"provider": "openai", "model_id": "j", "base_url": "http://127.0.0.1:9/v1"}
    found = checks(evaluation={"source": "generated"}, model=served(server), judge=judge)
    assert (found["model"].well, found["judge"].well) == (True, False)


def test_the_limits_of_a_run_are_not_those_of_the_check(server):
    limits = {"max_calls": 0, "max_cost_usd": 0, "max_seconds": 0.001}
    prices = {"m": {"input": 1, "output": 1}}
    found = checks(
        evaluation={"source": "generated"}, model=served(server), judge=served(server), limits=limits, prices=prices
    )
    assert found["model"].well
    assert found["judge"].well


def test_all_parts_have_one_time_together():
    never = threading.Event()
    begun = time.monotonic()
    found = together({f"part {number}": lambda: never.wait(60) and "" for number in range(5)}, 0.3)
    took = time.monotonic() - begun
    never.set()
    assert took < 1.5  # one after the other they take this long
    assert [check.well for check in found] == [False] * 5


def test_a_hang_holds_nobody():
    never = threading.Event()
    found = together({"slow": lambda: never.wait(60) and "", "quick": lambda: "here"}, 0.2)
    never.set()
    assert [(check.part, check.well) for check in found] == [("slow", False), ("quick", True)]
    assert "no answer within 0.2 s" in found[0].found


def test_a_fault_of_ours_in_one_part_does_not_hide_the_others():
    def broken():
        raise KeyError("x")

    def refused():
        raise SetupError("no key", "set a key")

    found = together({"a": broken, "b": refused, "c": lambda: "fine"}, 5)
    assert [check.well for check in found] == [False, False, True]
    assert found[1].remedy == "set a key"


def test_the_lines_stand_in_columns():
    text = told([Check("a", True, "fine"), Check("index", False, "none", "run it")])
    assert text == "ok    a      fine\nFAIL  index  none\n             hint: run it\n"
