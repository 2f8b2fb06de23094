"""`gate waive`: one claim, named without doubt, is accepted until a day, and the decision shows it."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.cli import main
from gate.commands.waive import find_claim, parse_day
from gate.errors import UsageError
from gate.records import fingerprint
from gate.waivers import load_waivers
from tests.support.verdicts import document

VERDICT = document({"a": ["s the box is red", "u the lid is blue", "u the lid is green"], "b": ["? the key is gone"]})
TODAY = datetime.now(UTC).date()
CALIBRATED = {"claim", "context", "evidence", "label"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "v.json").write_text(json.dumps(VERDICT))
    return tmp_path


def waive(*words, reason="agreed", until="30d"):
    return main(["waive", "v.json", *words, "--reason", reason, "--until", until, "--who", "Ann"])


def test_a_waived_claim_is_written_and_leaves_the_risk(folder, capsys):
    assert waive("lid is blue") == 0
    (held,) = load_waivers(folder / ".gate-waivers.yaml")
    assert (held.claim, held.reason, held.who, held.until) == (
        "the lid is blue", "agreed", "Ann", TODAY + timedelta(days=30),
    )  # fmt: skip
    assert "risk 0.667 -> 0.500" in capsys.readouterr().out
    config = {"use_case": "x", "model": {"provider": "replay", "path": "a"}, "risk_tolerance": {"max_unjudged": 1}}
    (folder / "c.json").write_text(json.dumps(config))
    main(["report", "v.json", "-c", "c.json", "-o", "again.json"])
    again = json.loads((folder / "again.json").read_text())
    assert (again["score"], again["waived"], again["unsupported"]) == (0.5, 1, 2)


def test_one_claim_has_one_waiver_and_comments_stay(folder):
    (folder / ".gate-waivers.yaml").write_text("# ours\n# keep\n")
    assert waive("lid is blue") == 0
    assert waive("lid is blue", reason="agreed again") == 0
    assert (folder / ".gate-waivers.yaml").read_text().startswith("# ours\n# keep\n")
    assert [one.reason for one in load_waivers(folder / ".gate-waivers.yaml")] == ["agreed again"]


@pytest.mark.parametrize("words", ["the lid", "box is red", "key is gone", "no such words", "abcdef", ""])
def test_what_names_no_one_claim_that_can_be_waived_is_refused(folder, words):
    assert waive(words) == 2
    assert not (folder / ".gate-waivers.yaml").exists()


@given(st.integers(6, 16), st.sampled_from([d for d in VERDICT["details"] if d["label"] == "unsupported"]))
def test_the_first_digits_of_a_fingerprint_name_its_claim(digits, claim):
    assert find_claim(VERDICT, claim["fingerprint"][:digits]) == claim


@pytest.mark.parametrize("until", ["2020-01-01", "soon", "0d", "999d", "2999-01-01", "2027-02-30"])
def test_a_day_that_is_none_over_or_too_far_is_refused(until):
    with pytest.raises(UsageError):
        parse_day(until, datetime(2027, 1, 15, tzinfo=UTC).date())


def test_a_waived_claim_can_be_a_label_for_the_calibration(folder):
    VERDICT["details"][1]["evidence"] = [{"source": "d.md", "line": 1, "quote": "The lid: blue.", "score": 1.0}]
    (folder / "v.json").write_text(json.dumps(VERDICT))
    (folder / "labels.jsonl").write_text("{}")  # no end of line
    assert waive("lid is blue", "--label", "labels.jsonl") == 0
    row = json.loads((folder / "labels.jsonl").read_text().splitlines()[1])
    assert (set(row), row["label"], row["evidence"]) == (CALIBRATED, 1, ["The lid: blue."])
    assert waive("lid is blue", "--label", "labels.jsonl") == 0
    assert len((folder / "labels.jsonl").read_text().splitlines()) == 2  # a second one would count twice


def test_hostile_texts_make_a_file_that_can_be_read_again(folder):
    said = "the \x00\u202e\ud800\ufffe lid " + 9 * "\x1b[2J is open" + 5000 * "!"
    (folder / "v.json").write_text(json.dumps(document({"a": [f"u {said}"]}, question=f"{said}?")))
    assert waive("lid", reason="\x07agreed\x00\n") == 0
    (held,) = load_waivers(folder / ".gate-waivers.yaml")
    assert (held.fingerprint, held.reason, "\x1b" in held.claim) == (fingerprint(f"{said}?", said), "␇agreed␀", False)
    assert len((folder / ".gate-waivers.yaml").read_bytes()) < 9000
    assert waive("lid", reason="again") == 0


def test_what_cannot_be_labelled_is_not_waived_either(folder):
    assert waive("lid is green", "--label", "labels.jsonl") == 2  # it has no evidence
    assert waive("lid is blue", "--label", "nowhere/labels.jsonl") == 2
    assert not (folder / ".gate-waivers.yaml").exists()


def test_the_list_says_loudly_what_has_ended(folder, capsys):
    waive("lid is blue")
    text = (folder / ".gate-waivers.yaml").read_text().replace(str(TODAY + timedelta(days=30)), "2020-01-01")
    (folder / ".gate-waivers.yaml").write_text(text)
    assert main(["waive", "--list"]) == 0
    assert "ENDED" in capsys.readouterr().out


def test_a_file_with_faults_is_left_as_it_is(folder, capsys):
    (folder / ".gate-waivers.yaml").write_text("waivers: [{fingerprint: x}]\n")
    assert waive("lid is blue") == 2
    assert (folder / ".gate-waivers.yaml").read_text() == "waivers: [{fingerprint: x}]\n"
    assert ".gate-waivers.yaml" in capsys.readouterr().err
