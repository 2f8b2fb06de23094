"""`gate calibrate` as a user types it, with the real local judge, and what a run makes of it."""

import json
from pathlib import Path

import pytest

from gate.cli import main
from gate.reports.calibration import load
from tests.support.project import configure, put, write

DOCUMENT = "# Larkspur\n\nThe tank holds nine litres. The pump stops after 40 seconds. The lid is red.\n"
ROWS = [
    ("The tank holds nine litres.", 1),
    ("The pump stops after 40 seconds.", 1),
    ("The pump stops after 90 seconds.", 0),
    ("The machine streams music over Bluetooth.", 0),
    ("The lid is red.", "supported"),
]


@pytest.fixture(autouse=True)
def _project(folder):
    configure()
    put("labels.jsonl", *({"claim": claim, "evidence": DOCUMENT, "label": label} for claim, label in ROWS))
    put("answers.jsonl", {"question": "What of the tank?", "answer": "The tank holds nine litres."})
    write("docs/a.md", DOCUMENT)


def verdict():
    code = main(["run", "-o", "verdict.json"])
    return code, json.loads(Path("verdict.json").read_text())


def test_the_judge_is_measured_kept_and_named_in_every_verdict(folder, capsys):
    assert main(["ingest", "docs"]) == 0
    code, before = verdict()
    assert "calibration" not in before["judge"]
    assert "not calibrated" in capsys.readouterr().out
    assert main(["calibrate", "labels.jsonl", "-o", "c.json", "-o", "c.html"]) == 0
    out = capsys.readouterr().out
    assert "labels  labels.jsonl: 5 claims, 3 of them supported" in out
    found = load(folder / ".gate" / "calibration.json")
    assert found == load(folder / "c.json")
    assert found["balanced_accuracy"]["value"] == 1
    assert "Judge calibration" in (folder / "c.html").read_text()
    code, after = verdict()
    assert code == 0
    assert after["judge"]["calibration"]["balanced_accuracy"]["value"] == 1
    assert "balanced accuracy 1.00" in capsys.readouterr().out


def test_a_run_without_the_required_calibration_is_inconclusive(capsys):
    main(["ingest", "docs"])
    configure(judge={"require": {"balanced_accuracy": 0.85, "max_age_days": 90}})
    code, found = verdict()
    assert (code, found["decision"]) == (3, "inconclusive")
    assert "not calibrated" in found["reasons"][0]
    assert main(["calibrate", "labels.jsonl"]) == 0
    assert verdict()[0] == 0
    put("bad.jsonl", *({"claim": c, "evidence": DOCUMENT, "label": 0 if label else 1} for c, label in ROWS))
    assert main(["calibrate", "bad.jsonl"]) == 3
    assert "a run would be inconclusive: the judge's balanced accuracy is 0.000" in capsys.readouterr().out
    code, found = verdict()
    assert (code, found["void"][0][:34]) == (3, "the judge's balanced accuracy is 0")
    assert main(["report", "verdict.json", "-c", ".llm-reliability.yaml"]) == 3, "thresholds cannot undo it"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["labels.jsonl", "-o", "c.pdf"], "no calibration is written as .pdf"),
        (["labels.jsonl", "-o", "nowhere/c.json"], "does not exist"),
        (["docs/a.md"], "a.md:1: not JSON"),
        (["labels.jsonl", "--fit"], "too few"),
    ],
)
def test_wrong_use_is_told_and_nothing_is_kept(folder, capsys, arguments, told):
    assert main(["calibrate", *arguments]) == 2
    assert told in capsys.readouterr().err
    assert not (folder / ".gate" / "calibration.json").exists()


def test_labels_are_never_written_over(folder, capsys):
    (folder / "labels.jsonl").rename("labels.json")
    (folder / "link.json").symlink_to("labels.json")
    before = (folder / "labels.json").read_bytes()
    for name in ("labels.json", "docs/../labels.json", "link.json"):
        assert main(["calibrate", "labels.json", "-o", name]) == 2
        assert "these are the labels" in capsys.readouterr().err
    assert (folder / "labels.json").read_bytes() == before


def test_a_judge_that_leaves_most_claims_is_not_calibrated_and_an_earlier_calibration_stays(folder, capsys):
    assert main(["calibrate", "labels.jsonl"]) == 0
    kept = (folder / ".gate" / "calibration.json").read_bytes()
    texts = ("word " * 2000, "more " * 2000, ROWS[0][0])
    long, longer, short = ({"claim": claim, "evidence": DOCUMENT, "label": 1} for claim in texts)
    for rows, left in ([long], 1), ([long, longer, short], 2):
        put("long.jsonl", *rows)
        assert main(["calibrate", "long.jsonl", "-o", "c.json"]) == 3
        told = f"nothing was kept for runs: the judge left {left} of {len(rows)} labelled claims unjudged"
        assert told in capsys.readouterr().out
        assert load(folder / "c.json")["unjudged"] == left
        assert (folder / ".gate" / "calibration.json").read_bytes() == kept
    put("half.jsonl", long, short)
    assert main(["calibrate", "half.jsonl"]) == 0
