"""Anchors of a hosted judge: written from two looks, and judged again by a run that a changed judge makes void."""

import json
import math
from types import SimpleNamespace

import pytest

from gate.anchors import LEAST, anchors_text, chance_of_flips, drifted, load_anchors
from gate.calibration import read_labels
from gate.config import Config
from gate.errors import InputFileError, UsageError
from gate.providers.pool import uncounted
from gate.records import JudgeInfo, Label, Quote, Verdict

CONFIG = Config.model_validate(
    {
        "use_case": "x",
        "model": {"provider": "replay", "path": "a"},
        "judge": {"provider": "openai", "model_id": "m", "anchors": "anchors.jsonl"},
    }
)


class Judge:
    """Supports every claim but those with a number below `bad`; leaves those below `silent` unjudged."""

    remote = False

    def __init__(self, bad=5, silent=0, model="m"):
        self.bad, self.silent, self.model = bad, silent, model

    def info(self):
        return JudgeInfo("openai", self.model, "5", {})

    def judge(self, items):
        made = []
        for item in items:
            number, shown = int(item.claim.text.split()[-1]), item.evidence[0]
            quote = Quote(shown.source, shown.line, shown.text, 1.0)
            label = Label.UNSUPPORTED if number < self.bad else Label.SUPPORTED
            label = Label.UNJUDGED if number < self.silent else label
            made.append(Verdict(item.claim, label, "so", evidence=(quote,), reason="tired"))
        return made


def tools(judge, config=CONFIG):
    made = SimpleNamespace(judge=judge, config=config, counting=uncounted)
    made.uncached = lambda: made
    return made


@pytest.fixture
def anchors(tmp_path):
    rows = [{"claim": f"Room number {n}", "evidence": f"Room number {n}.", "label": 1} for n in range(30)]
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = tmp_path / "anchors.jsonl"
    path.write_text(anchors_text(tools(Judge()), read_labels(tmp_path / "labels.jsonl")))
    return path


def test_a_judge_that_stays_is_not_doubted_and_one_that_changed_is(anchors):
    found = load_anchors(anchors, Judge().info())
    assert (len(found.rows), found.differed) == (30, 0)
    assert drifted(tools(Judge()), found) == ""
    assert drifted(tools(Judge(bad=7)), found) == ""
    assert "10 of 30 anchors have another label" in drifted(tools(Judge(bad=15)), found)
    told = drifted(tools(Judge(silent=12)), found)
    assert "12 of 30" in told
    assert "12 not judged: tired" in told


def test_the_labels_can_be_read_as_labelled_claims(anchors):
    assert len(read_labels(anchors).rows) == 30


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda rows: rows[: LEAST - 1], UsageError),
        (lambda rows: [{**rows[0], "judged": ["supported"]}, *rows[1:]], InputFileError),
        (lambda rows: [{**rows[0], "judged": "no"}, *rows[1:]], InputFileError),
        (lambda rows: [{**rows[0], "judge": {"provider": "ollama"}}, *rows[1:]], UsageError),
        (lambda rows: [{**rows[0], "judge": 3}, *rows[1:]], UsageError),
    ],
)
def test_what_are_no_anchors_of_this_judge_is_refused(anchors, change, error):
    rows = change([json.loads(line) for line in anchors.read_text().splitlines()])
    anchors.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(error):
        load_anchors(anchors, Judge().info())


def test_a_judge_that_asks_no_model_or_leaves_too_many_unjudged_has_no_anchors(anchors, tmp_path):
    labels = read_labels(anchors)
    local = CONFIG.model_copy(update={"judge": CONFIG.judge.model_copy(update={"provider": "local"})})
    for toolbox in (tools(Judge(), local), tools(Judge(silent=25))):
        with pytest.raises(UsageError):
            anchors_text(toolbox, labels)


def test_the_chance_of_flips_is_a_distribution_that_grows_with_what_was_seen():
    assert chance_of_flips(0, 2, 30) == pytest.approx(1.0)
    assert chance_of_flips(5, 0, 30) < 0.01 < chance_of_flips(3, 0, 30)
    assert chance_of_flips(8, 6, 30) > 0.2
    steps = [chance_of_flips(k, 3, 40) for k in range(42)]
    assert steps == sorted(steps, reverse=True)
    assert steps[-1] == 0
    assert all(math.isfinite(one) for one in steps)
