"""`gate run` before anything is asked: flags, limits, the plan, and what is refused in time."""

import shutil
from pathlib import Path

import pytest

from gate.cli import main
from gate.commands.options import limited
from gate.config import load
from tests.support.arguments import parse
from tests.support.project import ASKED, configure, put, write

MODEL = {"provider": "ollama", "model_id": "m", "base_url": "http://127.0.0.1:9"}


@pytest.fixture(autouse=True)
def _project(folder):
    configure(evaluation=ASKED, model=MODEL, limits={"max_calls": 7, "max_cost_usd": 3})
    put("asked.jsonl", *({"id": f"p{n}", "question": f"q{n}?"} for n in range(5)))


@pytest.mark.parametrize(
    ("flags", "found"),
    [
        ([], (7, 3, 1800)),
        (["--max-calls", "2", "--max-cost", "0", "--max-seconds", "1.5"], (2, 0, 1.5)),
        (["--max-calls", "0"], (0, 3, 1800)),
    ],
)
def test_flags_go_before_the_configured_limits_and_only_where_given(flags, found):
    given = parse(["run", *flags])
    limits = limited(
        load(Path(".llm-reliability.yaml")),
        max_calls=given["max_calls"],
        max_cost_usd=given["max_cost"],
        max_seconds=given["max_seconds"],
    ).limits
    assert (limits.max_calls, limits.max_cost_usd, limits.max_seconds) == found


@pytest.mark.parametrize(
    ("flags", "prompts"), [([], 5), (["--limit", "3"], 3), (["--shard", "2/2"], 2), (["--limit", "9"], 5)]
)
def test_a_dry_run_tells_its_part_and_leaves_nothing_behind(folder, capsys, flags, prompts):
    assert main(["run", "--dry-run", *flags]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"prompts: {prompts} (")
    assert f"calls to the model under test: at most {prompts}\n" in told
    assert {path.name for path in folder.iterdir()} == {".llm-reliability.yaml", "asked.jsonl"}


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (["-o", "v.exe"], "v.exe: no report is written as .exe"),
        (["--baseline", "missing.json"], "missing.json: cannot be read"),
        (["-c", "missing.yaml"], "missing.yaml: "),
        (["--reuse", "--no-cache"], "--reuse takes recorded answers"),
        ([], "there is no index"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_asked(folder, capsys, flags, why):
    assert main(["run", *flags]) == 2
    told = capsys.readouterr()
    assert told.err.startswith(f"error: {why}")
    assert told.out == ""
    assert not (folder / ".gate" / "calls.sqlite").exists()


def test_a_run_is_no_pass_where_documents_changed_since_they_were_indexed(folder, capsys):
    write("docs/a.md", "# Pump\n\nThe pump is green.\n")
    put("answers.jsonl", {"question": "Which colour?", "answer": "The pump is green."})
    configure(doc_sources=["docs"])
    assert main(["ingest"]) == 0
    (folder / "docs" / "b.md").write_text("# Lid\n\nThe lid is blue.\n")
    assert main(["run"]) == 0
    assert capsys.readouterr().err.startswith("warning: docs/b.md is not in the index: ")
    (folder / "docs" / "a.md").write_text("# Pump\n\nThe pump is red.\n")
    for command in (["run"], ["audit", "answers.jsonl"]):
        assert main(command) == 2
        assert capsys.readouterr().err.startswith("error: docs/a.md changed since it was indexed\n")
    shutil.rmtree("docs")  # in a job that is given the index alone nothing is known of them
    assert main(["run"]) == 0
