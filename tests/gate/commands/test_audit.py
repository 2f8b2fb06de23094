"""`gate audit` as a user types it, with the real local judge."""

import json
from pathlib import Path

import pyarrow as pa
import pytest

from gate.audit.rows import JudgeRows, Setup, schema
from gate.audit.summary import Audit, Tally, load_summary
from gate.cli import main
from tests.support.audited import write_rows

ROOT = Path(__file__).parents[3]
DOCUMENT = "# Larkspur\n\nThe tank holds nine litres. The pump stops after 40 seconds. The lid is red.\n"
CONFIG = """use_case: x
doc_sources: [docs]
evaluation: {source: recorded}
model: {provider: replay, path: none.jsonl}
"""
GOOD = {"question": "What of the tank?", "answer": "The tank holds nine litres.", "created_at": "2026-02-03"}
BAD = {"question": "What of the pump?", "answer": "The pump stops after 90 seconds.", "tags": ["pump"]}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text(DOCUMENT)
    (tmp_path / ".llm-reliability.yaml").write_text(CONFIG)
    assert main(["ingest"]) == 0
    return tmp_path


def test_an_audit_from_logs_to_exit_code(folder, capsys):
    write_rows(folder / "good.jsonl", [GOOD] * 3)
    assert main(["audit", "good.jsonl", "--workers", "1", "-o", "good.json"]) == 0
    write_rows(folder / "bad.jsonl", [BAD, GOOD])
    command = ["audit", "bad.jsonl", "--workers", "1", "--to", "verdicts", "--baseline", "good.json", "-o", "a.json"]
    assert main([*command, "-o", "a.html", "-o", "a.md"]) == 1
    told = capsys.readouterr().out
    assert "docs/a.md:3" in told
    assert "bad.jsonl:1  What of the pump?" in told
    audit = load_summary(Path("a.json"))
    assert (audit.decision, audit.score, audit.tally.tags["pump"].contradicted) == ("block", 0.5, 1)
    assert audit.drift[0].before == 0
    assert list(audit.tally.days) == ["2026-02-03"]
    lines = [json.loads(text) for path in Path("verdicts").glob("*.jsonl") for text in path.read_text().splitlines()]
    assert lines[0]["details"][0]["evidence"][0]["quote"] in DOCUMENT
    table = JudgeRows(Setup.at(".llm-reliability.yaml"), "bad.jsonl")(
        pa.Table.from_pylist([BAD | {"created_at": None}, GOOD])
    )
    assert table.to_pylist() == lines
    (folder / "bad.jsonl").write_text('{"question": "?"}\n')
    assert main(["audit", "bad.jsonl", "--workers", "1"]) == 3


def test_the_monitor_counts_each_night_once_and_none_that_is_inconclusive(folder, capsys):
    command = ["audit", "log.jsonl", "--workers", "1", "--monitor", "m.json", "-o", "a.html"]
    for day, rows in (("01", [GOOD]), ("02", [BAD] * 3), ("02", [BAD] * 4)):
        write_rows(folder / "log.jsonl", [row | {"created_at": f"2026-02-{day}"} for row in rows])
        main(command)
    state = json.loads((folder / "m.json").read_text())
    assert [(point["day"], point["answers"], point["risk"]) for point in state["points"]] == [
        ("2026-02-01", 1, 0.0), ("2026-02-02", 3, 1.0),
    ]  # fmt: skip
    page = (folder / "a.html").read_text()
    assert "Left out: 4 judged answers of 2026-02-02. Only days after 2026-02-02 count" in page
    assert 'id="h-nights"' in page
    (folder / "log.jsonl").write_text('{"question": "?"}\n')
    assert main(command) == 3
    assert "counts for no night" in capsys.readouterr().out
    assert json.loads((folder / "m.json").read_text()) == state
    write_rows(folder / "log.jsonl", [GOOD | {"created_at": f"2026-03-{day:02}"} for day in range(1, 3)])
    state["monitor"]["capital"] = [5.0] * 5
    (folder / "m.json").write_text(json.dumps(state))
    assert main([*command, "-o", "a.json"]) == 1  # good answers, and still the alarm of the nights before
    assert "BLOCK" in (told := capsys.readouterr().out)
    assert "ALARM" in told
    assert load_summary(Path("a.json")).decision == "block"


def test_other_thresholds_and_limits_cost_no_new_judging(folder):
    write_rows(folder / "log.jsonl", [BAD, GOOD])
    assert main(["audit", "log.jsonl", "--workers", "1"]) == 1
    more = "risk_tolerance: {warn_threshold: 0.9}\nlimits: {max_calls: 7}\n"
    (folder / ".llm-reliability.yaml").write_text(CONFIG + more)
    assert main(["audit", "log.jsonl", "--workers", "1"]) == 0
    assert len(list(Path(".gate/audit").iterdir())) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["log.jsonl", "--all", "--sample", "3"], "leave one of the two out"),
        (["log.jsonl", "-o", "a.pdf"], "no summary is written as .pdf"),
        (["none.jsonl"], "no such file of answers"),
        (["log.jsonl", "--address", "x:1"], "--engine ray"),
        (["log.jsonl", "--baseline", "log.jsonl"], "summary of an audit"),
        (["log.jsonl", "--workers", "0"], "from 1 on"),
        (["log.jsonl", "--monitor", "none/m.json"], "the folder none does not exist"),
    ],
)
def test_wrong_use_is_told(folder, capsys, options, message):
    write_rows(folder / "log.jsonl", [GOOD])
    assert main(["audit", *options]) == 2
    assert message in capsys.readouterr().err


def test_limits_hold_or_the_audit_does_not_begin(folder, capsys):
    (folder / ".llm-reliability.yaml").write_text(
        CONFIG + "judge: {provider: ollama, model_id: m}\nlimits: {max_calls: 3}\n"
    )
    write_rows(folder / "log.jsonl", [GOOD])
    assert main(["audit", "log.jsonl", "--workers", "2"]) == 2
    assert "within one process" in capsys.readouterr().err


def test_the_page_names_every_key_of_rows_and_summary():
    page = (ROOT / "docs/how-to/audit.md").read_text(encoding="utf-8")
    row = schema().names
    missing = [name for name in (*row, *Audit.__slots__, *Tally.__slots__) if f"`{name}`" not in page]
    assert not missing
