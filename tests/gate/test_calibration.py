"""From labelled claims to a calibration: rows checked, judges made here measured, fits that help and that do not."""

import hashlib
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from gate.calibration import calibrate, judge_of, passages, read_labels, repeated
from gate.config import Config
from gate.errors import InputFileError, LimitError, ModelFileError, UsageError
from gate.judges.line import FIT, fit_text
from gate.providers.pool import uncounted
from gate.records import JudgeInfo, Label, Quote, Verdict
from tests.support.project import put

CONFIG = Config.model_validate({"use_case": "x", "model": {"provider": "replay", "path": "a"}})


class Told:
    """A judge that reads its chance of support from the claim (`... 0.73`): sure above 0.9 and below 0.1."""

    remote = False

    def __init__(self, version="1", silent=(), fault=None):
        self.version, self.silent, self.fault = version, silent, fault

    def info(self):
        return JudgeInfo("local", "stack-plain", self.version, {})

    def judge(self, items):
        if self.fault:
            raise self.fault
        return [self._one(item) for item in items]

    def _one(self, item):
        chance = float(item.claim.text.split()[-1])
        if item.claim.id in self.silent:
            return Verdict(item.claim, Label.UNJUDGED, "", reason="tired")
        label = Label.SUPPORTED if chance >= 0.9 else Label.UNSUPPORTED if chance <= 0.1 else Label.WEAKLY_SUPPORTED
        best = item.evidence[0]
        quote = Quote(best.source, best.line, best.text, 1.0)
        return Verdict(item.claim, label, "so", confidence=0.9, evidence=(quote,), support=chance)


def labels(folder, rows, name="labels.jsonl"):
    """`rows`: (chance that the judge will see, label)."""
    claims = ((f"Claim number {n} has {chance}", label) for n, (chance, label) in enumerate(rows))
    made = [row(claim=claim, evidence="A claim.", label=label) for claim, label in claims]
    return read_labels(put(folder / name, *made))


def tools(folder, judge, use_fit=True):
    return SimpleNamespace(judge=judge, folder=folder, config=CONFIG, use_fit=use_fit, counting=uncounted)


def told(rng, n=300, turn=1.0):
    """Labels drawn from chances that the judge tells far too low (its log odds less 2)."""
    true = rng.beta(1.5, 1.5, n)
    low = 1 / (1 + np.exp(-turn * (np.log(true / (1 - true)) - 2)))
    return [(round(float(c), 4), int(rng.random() < p)) for c, p in zip(low, true, strict=True)]


def test_the_judge_is_measured_and_named(tmp_path):
    rows = [(0.95, 1), (0.95, 0), (0.05, 0), (0.05, 0), (0.5, 1), (0.5, 1)]
    found = calibrate(CONFIG, tools(tmp_path, Told("7")), labels(tmp_path, rows)).document
    assert judge_of(found) == JudgeInfo("local", "stack-plain", "7")
    assert (found["judged"], found["unjudged"], found["data"]["n"]) == (6, 0, 6)
    assert found["balanced_accuracy"]["value"] == pytest.approx((2 / 3 + 1 / 3) / 2, abs=1e-6)
    assert found["confusion"]["supported"] == {"supported": 1, "weakly_supported": 2, "unsupported": 0, "unjudged": 0}
    assert [d["line"] for d in found["differences"]] == [2, 5, 6]
    assert found["differences"][0]["evidence"][0]["quote"] == "A claim."


def test_what_a_reader_of_the_figures_should_know_is_noted(tmp_path):
    given = labels(tmp_path, [(0.95, 1), (0.95, 0), (0.05, 0)])
    found = calibrate(CONFIG, tools(tmp_path, Told(silent=("line 2",))), given).document
    assert (found["judged"], found["unjudged"], found["balanced_accuracy"]["value"]) == (2, 1, 1)
    assert found["notes"] == ["1 not judged: tired"]
    broken = Told(fault=ModelFileError("scores that are no numbers"))
    found = calibrate(CONFIG, tools(tmp_path, broken), given).document
    assert (found["judged"], found["unjudged"]) == (0, 3)
    assert "the judge failed: scores that are no numbers" in found["notes"]
    found = calibrate(CONFIG, tools(tmp_path, Told()), labels(tmp_path, [(0.95, 1)])).document
    assert found["balanced_accuracy"] == {"value": None, "interval": None}
    assert "only one label" in found["notes"][0]
    with pytest.raises(LimitError):
        calibrate(CONFIG, tools(tmp_path, Told(fault=LimitError("no money"))), given)


def test_a_fit_helps_a_judge_that_is_off_and_is_told_by_unseen_claims(tmp_path):
    given = labels(tmp_path, told(np.random.default_rng(4)))
    outcome = calibrate(CONFIG, tools(tmp_path, Told(), use_fit=False), given, fit=True)
    found, entry = outcome.document, outcome.document["fit"]
    assert entry["before"]["balanced_accuracy"]["value"] < 0.6 < 0.65 < found["balanced_accuracy"]["value"]
    assert found["ece"]["value"] < entry["before"]["ece"]["value"]
    assert (outcome.fit.line.slope, outcome.fit.line.offset) == (pytest.approx(1, abs=0.3), pytest.approx(2, abs=0.5))
    assert found["judge"]["prompt_version"] == outcome.fit.version != "1"
    assert outcome.fit.data == given.sha256
    assert sum(sum(row.values()) for row in found["confusion"].values()) == 300
    silent = Told(silent=("line 1", "line 2"))  # what it settles without a chance stays out of the fit
    outcome = calibrate(CONFIG, tools(tmp_path, silent, use_fit=False), given, fit=True)
    assert (outcome.fit is not None, outcome.document["unjudged"]) == (True, 2)
    alike = replace(given, rows=tuple(replace(row, group="one") for row in given.rows))
    outcome = calibrate(CONFIG, tools(tmp_path, Told(), use_fit=False), alike, fit=True)
    assert outcome.fit is None
    assert outcome.document["notes"][-1].endswith("label claims of more groups")


def test_a_fit_to_noise_or_against_the_labels_is_left(tmp_path):
    rng = np.random.default_rng(6)
    noise = [(round(float(rng.random()), 4), int(rng.integers(2))) for _ in range(300)]
    upside_down = [(chance, 1 - label) for chance, label in told(rng)]
    for rows in (noise, upside_down):
        outcome = calibrate(CONFIG, tools(tmp_path, Told(), use_fit=False), labels(tmp_path, rows), fit=True)
        assert outcome.fit is None
        assert "fit" not in outcome.document
        assert outcome.document["judge"]["prompt_version"] == "1"
        assert outcome.document["notes"][-1].startswith("not fitted")


@pytest.mark.parametrize("rows", [[(0.5, 1)] * 199, [(0.5, 1)] * 300 + [(0.5, 0)] * 39])
def test_too_few_labels_and_the_judge_of_a_model_are_not_fitted(tmp_path, rows):
    given = labels(tmp_path, rows)
    with pytest.raises(UsageError, match="too few"):
        calibrate(CONFIG, tools(tmp_path, Told()), given, fit=True)
    judge = {"provider": "ollama", "model_id": "m"}
    config = Config.model_validate({"use_case": "x", "model": {"provider": "replay", "path": "a"}, "judge": judge})
    with pytest.raises(UsageError, match="local judge"):
        calibrate(config, tools(tmp_path, Told()), given, fit=True)


def test_the_same_labels_three_times_over_are_no_more_labels(tmp_path):
    once = labels(tmp_path, told(np.random.default_rng(4), n=150))
    (tmp_path / "thrice.jsonl").write_text((tmp_path / "labels.jsonl").read_text() * 3)
    thrice = read_labels(tmp_path / "thrice.jsonl")
    first, second = (calibrate(CONFIG, tools(tmp_path, Told()), given).document for given in (once, thrice))
    assert first["recall"] == second["recall"]
    assert second["notes"] == ["left out, since they say what an earlier row says: 300"]
    with pytest.raises(UsageError, match="too few"):
        calibrate(CONFIG, tools(tmp_path, Told()), thrice, fit=True)


def test_figures_on_the_labels_of_the_fit_are_called_too_good(tmp_path):
    given = labels(tmp_path, told(np.random.default_rng(4)))
    fit = calibrate(CONFIG, tools(tmp_path, Told(), use_fit=False), given, fit=True).fit
    (tmp_path / FIT).write_text(fit_text(fit))
    again = calibrate(CONFIG, tools(tmp_path, Told(fit.version)), given).document
    assert "too good" in again["notes"][-1]
    other = labels(tmp_path, told(np.random.default_rng(5)), "other.jsonl")
    assert calibrate(CONFIG, tools(tmp_path, Told(fit.version)), other).document["notes"] == []


FILLER = " ".join(f"Paragraph {n} speaks of nothing in particular and goes on for a while." for n in range(400))


def row(**changes):
    return {"claim": "The tank holds 9 litres.", "evidence": "The tank holds 9 litres.", "label": 1, **changes}


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"label": 2}, "`label` must be"),
        ({"label": "unjudged"}, "`label` must be"),
        ({"claim": " "}, "`claim` is empty"),
        ({"evidence": None}, "`evidence` is missing"),
        ({"group": [1]}, "`group` must be a string"),
    ],
)
def test_a_bad_row_is_named_with_its_line(tmp_path, changes, fault):
    path = put(tmp_path / "l.jsonl", row(), row(**changes))
    with pytest.raises(InputFileError, match=rf"l\.jsonl:2: {fault}") as caught:
        read_labels(path)
    assert "a line needs `claim`, `evidence` and `label`" in caught.value.hint
    path.write_text("\n\n")
    with pytest.raises(InputFileError, match="no labelled claim"):
        read_labels(path)


def test_the_file_is_known_by_its_bytes_and_rows_by_their_lines_and_groups(tmp_path):
    other = row(group="a", label=" Weakly_Supported")
    path = put(tmp_path / "l.jsonl", row(), other, row(group=7, label=0.0), row(group="a", label=True))
    labels = read_labels(path)
    assert [r.people.value for r in labels.rows] == ["supported", "weakly_supported", "unsupported", "supported"]
    assert labels.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert [r.line for r in labels.rows] == [1, 2, 3, 4]
    assert len({r.claim.id for r in labels.rows}) == len({r.claim.answer_id for r in labels.rows}) == 4
    assert [r.group for r in labels.rows] == ["line 1", "group a", "group 7", "group a"]


def test_a_row_that_stands_there_again_is_left_out_and_told(tmp_path):
    other = row(claim="The lid is red.", evidence=["The lid is red.", "It fits."])
    texts = row(evidence="Another text."), row(group="a")
    labels = read_labels(put(tmp_path / "l.jsonl", row(), other, row(label=0), other, *texts))
    assert [r.line for r in labels.rows] == [1, 2, 3, 5, 6]
    assert [r.group for r in labels.rows] == ["line 1", "line 2", "line 1", "line 5", "group a"]
    assert [r.repeats for r in labels.rows] == [0, 0, 1, 0, 1]
    again, against = repeated(labels)
    assert again == "left out, since they say what an earlier row says: 1"
    assert against == "the same claim and evidence with another label: 1 of 5 rows (lines 1 and 3)"
    assert repeated(read_labels(put(tmp_path / "m.jsonl", row(), other))) == []


def test_a_whole_page_is_read_in_the_windows_that_speak_of_the_claim():
    page = f"{FILLER} The tank of the Larkspur holds nine litres of water. {FILLER}"
    found = passages("The Larkspur tank holds nine litres.", ["The lid is red.", "", page], "l.jsonl", 5)
    assert "nine litres of water" in found[0].text
    assert all(len(p.text.split()) <= 100 and p.text in page and p.line == 5 for p in found)


def test_short_evidence_without_a_common_word_is_shown_and_a_long_page_is_not():
    assert [p.text for p in passages("Cats sleep.", ["Dogs bark.", ""], "l", 1)] == ["Dogs bark."]
    assert passages("Cats sleep.", [FILLER], "l", 1) == ()
    assert passages("Cats sleep.", [], "l", 1) == ()
