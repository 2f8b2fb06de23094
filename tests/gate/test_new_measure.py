"""A new measure is a module (tests/support/doubled.py) and a line in the table, and goes through a whole run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Several commands in one process: (exit code, all that was written) of each.
GATE = """
import contextlib, io, json, sys
from gate.cli import main
def one(words):
    with contextlib.redirect_stdout(io.StringIO()) as told, contextlib.redirect_stderr(told):
        code = main(words)
    return code, " ".join(told.getvalue().split())
print(json.dumps([one(words.split()) for words in sys.argv[1:]]))
"""
WITH_IT = f"""
from gate.measures.base import Plan, Shown, Spec
from gate.measures.table import MEASURES
from tests.support import doubled
MEASURES["doubled"] = Spec(doubled.read, "Same twice.", plan=Plan(doubled.plan, {{"twice": Shown.OWN}}))
{GATE}
"""
# It answers the second of its questions with more words when it is asked twice.
MODEL = """
import json, sys
question = json.load(sys.stdin)["question"]
print("The pump runs at 40 watts." + " It is quiet." * ("noise" in question and question.count("?") > 1))
"""


@pytest.fixture
def gate(tmp_path):
    """(exit code, all that was written) of each command, in a project with two questions."""
    rows = [{"id": "a", "question": "How strong is the pump?"}, {"id": "b", "question": "What noise does it make?"}]
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "m.md").write_text("# Pump\n\nThe pump runs at 40 watts. It is quiet.\n", encoding="utf-8")
    config = {
        "use_case": "Help for a pump",
        "doc_sources": ["m.md"],
        "evaluation": {"source": "dataset", "dataset": "d.jsonl", "probes": ["doubled"]},
        "model": {"provider": "command", "command": [sys.executable, "-S", "-E", "-c", MODEL]},
        "risk_tolerance": {"deploy_threshold": 1, "warn_threshold": 1},
        "measures": {"doubled": {"min": 0.9}},
    }
    (tmp_path / ".llm-reliability.yaml").write_text(json.dumps(config), encoding="utf-8")

    def run(program, *commands):
        command = [sys.executable, "-c", program, *commands]
        done = subprocess.run(  # noqa: S603
            command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def test_a_module_and_a_line_are_a_measure(gate, tmp_path):
    indexed, planned, ran, shown = gate(WITH_IT, "ingest", "run --dry-run", "run -o v.json", "report v.json -o v.html")
    assert indexed[0] == 0, indexed
    assert planned[0] == 0, planned
    assert "probes for doubled: at most 2" in planned[1]
    assert ran[0] == 1, ran
    assert shown[0] == 1, shown
    verdict = json.loads((tmp_path / "v.json").read_text(encoding="utf-8"))
    found = verdict["measures"]["doubled"]
    assert {rating["prompt_id"]: rating["value"] for rating in found["ratings"]} == {"a": 1.0, "b": 0.0}
    assert (found["value"], found["passed"], verdict["decision"]) == (0.5, False, "block")
    assert {prompt["probe"]: prompt["of"] for prompt in verdict["prompts"] if prompt["id"] == "a~doubled-twice"} == {
        "doubled:twice": "a"
    }
    assert "Same twice." in (tmp_path / "v.html").read_text(encoding="utf-8")


def test_without_its_line_it_is_not_known(gate):
    ((code, told),) = gate(GATE, "run --dry-run")
    assert code == 2
    assert "'doubled' is not one of consistency, sensitivity, retrieval_dependency" in told
    assert "unknown key" in told
