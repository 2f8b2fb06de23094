"""judge.require: a missing, damaged, unfit, outdated, other or future calibration makes a run undecidable."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from gate.config import Require
from gate.judge_quality import NAME, doubts, quality
from gate.records import JudgeInfo, Label
from gate.reports.calibration import Calibrated, build
from gate.statistics.agreement import Pair

NOW = datetime(2031, 5, 4, tzinfo=UTC)
JUDGE = JudgeInfo("local", "stack-plain", "3", {"judged": 7})
STRICT = Require(balanced_accuracy=0.8, max_age_days=90)


def document(created=NOW, judge=JUDGE):
    pairs = [Pair(Label.SUPPORTED, Label.SUPPORTED, 0.1, "a")] * 9 + [
        Pair(Label.UNSUPPORTED, Label.UNSUPPORTED, 0.9, "b")
    ] * 9
    data = {"name": "l.jsonl", "sha256": "0" * 64, "n": len(pairs)}
    return build(Calibrated(judge, data, pairs, [None] * 18, [0] * 18, (0.1, 0.25), created))


def keep(folder, value):
    (folder / NAME).write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")


def why(folder, require=STRICT, judge=JUDGE, now=NOW):
    return " | ".join(doubts(require, folder, judge, now))


def test_a_fit_judge_raises_no_doubt_and_a_missing_calibration_does(tmp_path):
    assert "not calibrated" in why(tmp_path)
    assert why(tmp_path, require=None) == ""
    keep(tmp_path, document())
    assert why(tmp_path) == ""
    assert why(tmp_path, now=NOW + timedelta(days=89)) == ""


@pytest.mark.parametrize("text", ["", "[]", '{"judge": 1}', "[" * 100_000])
def test_a_damaged_calibration(tmp_path, text):
    keep(tmp_path, text)
    assert "cannot be read" in why(tmp_path)
    assert quality(tmp_path, JUDGE) is None


@pytest.mark.parametrize(
    "other",
    [JudgeInfo("ollama", "stack-plain", "3"), JudgeInfo("local", "x", "3"), JudgeInfo("local", "stack-plain", "4")],
)
def test_the_calibration_of_another_judge(tmp_path, other):
    keep(tmp_path, document())
    assert "another judge was calibrated" in why(tmp_path, judge=other)
    assert quality(tmp_path, other) is None


def test_a_judge_that_is_not_good_enough(tmp_path):
    bad = document()
    bad["kappa"] = {"value": -0.4, "interval": [-0.9, 0.1]}  # worse than chance
    bad["balanced_accuracy"] = {"value": 0.7999, "interval": [0.7, 0.9]}
    keep(tmp_path, bad)
    assert "balanced accuracy is 0.800 (95 % interval 0.700 to 0.900), judge.require asks for 0.8" in why(tmp_path)
    assert quality(tmp_path, JUDGE)["kappa"]["value"] == -0.4
    bad["balanced_accuracy"] = {"value": None, "interval": None}
    keep(tmp_path, bad)
    assert "not known" in why(tmp_path)


@pytest.mark.parametrize(
    ("created", "part"),
    [
        ((NOW - timedelta(days=91)).isoformat(), "91 days old"),
        ((NOW + timedelta(days=2)).isoformat(), "in the future"),
        ("yesterday", "no date that can be read"),
        ("9999-99-99", "no date that can be read"),
        ("2031-05-03", ""),
    ],
)
def test_the_age(tmp_path, created, part):
    keep(tmp_path, document() | {"created": created})
    assert (part in why(tmp_path)) if part else why(tmp_path) == ""
    assert why(tmp_path, Require(balanced_accuracy=0.5)) == ""


def test_the_quality_that_a_verdict_shows(tmp_path):
    keep(tmp_path, document())
    found = quality(tmp_path, JUDGE)
    assert found["balanced_accuracy"]["value"] == 1
    assert (found["data"]["n"], found["created"]) == (18, NOW.isoformat(timespec="seconds"))
    assert "differences" not in found


def test_a_calibration_in_which_most_claims_were_left_unjudged_is_none(tmp_path):
    thin = document() | {"data": {"name": "l.jsonl", "sha256": "0" * 64, "n": 40}}
    keep(tmp_path, thin | {"unjudged": 22})
    assert "the judge left 22 of 40 labelled claims unjudged" in why(tmp_path)
    assert quality(tmp_path, JUDGE) is None
    keep(tmp_path, thin | {"unjudged": 18})
    assert why(tmp_path) == ""


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("recall", 0.4, "balanced accuracy of 1.000 does not follow from its recall and specificity"),
        ("recall", None, "balanced accuracy of 1.000 does not follow from its recall and specificity"),
        ("balanced_accuracy", 1.2, "cannot be read"),
        ("balanced_accuracy", float("nan"), "cannot be read"),
    ],
)
def test_a_figure_that_was_raised_by_hand_satisfies_nothing(tmp_path, name, value, fault):
    raised = document()
    raised[name]["value"] = value
    keep(tmp_path, raised)
    assert fault in why(tmp_path)
    assert quality(tmp_path, JUDGE) is None
