"""Stored verdicts: rendered, merged, compared and waived."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.cli import main
from gate.commands.stored import find_claim, parse_day
from gate.config import RiskTolerance
from gate.errors import UsageError
from gate.records import fingerprint
from gate.waivers import load_waivers
from tests.support.verdicts import document

ENTRIES = {"a": ["s one is here", "s two is here", "u three is here"], "b": ["s four is here"]}
SHARDED = {f"p{n}": [f"{'su'[n == 3]} claim {n} is here"] for n in range(4)}
VERDICT = document({"a": ["s the box is red", "u the lid is blue", "u the lid is green"], "b": ["? the key is gone"]})
TODAY = datetime.now(UTC).date()
CALIBRATED = {"claim", "context", "evidence", "label"}


def run_of(wrong, prompts=8):
    """Ten claims to each prompt, of which so many are unsupported."""
    return {f"p{n}": [f"{'u' if k < wrong else 's'} claim {k} of {n} holds" for k in range(10)] for n in range(prompts)}


def shard(i):
    return document({name: SHARDED[name] for name in list(SHARDED)[i - 1 :: 2]}, shard=f"{i}/2")


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Write a verdict, or text, under a name."""
    monkeypatch.chdir(tmp_path)

    def put(**files):
        for name, found in files.items():
            (tmp_path / f"{name}.json").write_text(found if isinstance(found, str) else json.dumps(found))
        return tmp_path

    return put


def test_the_stored_verdict_comes_again_in_any_format(stored, capsys):
    folder = stored(v=document(ENTRIES))
    assert main(["report", "v.json", "-o", "again.json", "-o", "again.md"]) == 0
    assert json.loads((folder / "again.json").read_text()) == document(ENTRIES)
    assert "three is here" in (folder / "again.md").read_text()
    assert "three is here" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("tolerance", "flags", "code"),
    [
        ({}, ["--fail-on", "warn"], 1),
        ({"deploy_threshold": 0.1, "warn_threshold": 0.2}, [], 1),
        ({"min_claims": 9}, [], 3),
    ],
)
def test_other_thresholds_decide_anew(stored, tolerance, flags, code):
    values = {"use_case": "x", "model": {"provider": "replay", "path": "a"}, "risk_tolerance": tolerance}
    stored(v=document(ENTRIES), c=values)
    assert main(["report", "v.json", "-c", "c.json", *flags]) == code


@pytest.mark.parametrize(("held", "code"), [("all", 1), (1, 0), (3, 2)])
def test_another_number_of_answers_that_must_hold_decides_anew(stored, capsys, held, code):
    values = {"use_case": "x", "model": {"provider": "replay", "path": "a"}}
    values["evaluation"] = {"repeats": 3, "pass": held}
    found = document({"a": ["s one is here", "s two is here"]}, repeats=2)
    fault = {"answer_id": "a", "check": "contains", "why": "the answer does not contain x"}
    again = {"id": "a#1", "repeat": 1, "answer": "x", "latency_ms": None}
    found["prompts"][0] |= {"failed_checks": [fault], "answers": [again], "missing": 0}
    found["thresholds"]["checks"] = "block"
    stored(v={**found, "decision": "block"}, c=values)
    assert main(["report", "v.json", "-c", "c.json"]) == code
    assert ("the run has 2 answers to a prompt" in capsys.readouterr().err) == (code == 2)


@pytest.mark.parametrize(("answer", "checks", "code"), [("", [], 0), ("Sent.", [], 3), ("", None, 3)])
def test_a_stored_run_of_bare_calls_is_decided_by_its_checks(stored, answer, checks, code):
    found = document({"a": []}, RiskTolerance(min_claims=0))
    found["prompts"][0] |= {"answer": answer, "tool_calls": [{"name": "send", "arguments": "{}", "id": ""}]}
    found["prompts"][0] |= {} if checks is None else {"failed_checks": checks}
    values = {"use_case": "x", "model": {"provider": "replay", "path": "a"}, "risk_tolerance": {"min_claims": 0}}
    stored(v=found, c=values)
    assert main(["report", "v.json", "-c", "c.json", "-o", "again.json", "-o", "again.html", "-o", "again.md"]) == code
    assert main(["report", "again.json"]) == code


CONTRADICTED = json.dumps({**document({"a": ["u one is wrong"]}), "decision": "deploy"})


@pytest.mark.parametrize("text", ["", "{}", '{"decision": "deploy"}', "[" * 5000, CONTRADICTED])
def test_what_is_no_verdict_or_contradicts_its_numbers_is_no_pass(stored, capsys, text):
    stored(v=text)
    assert main(["report", "v.json"]) == 2
    told = capsys.readouterr()
    assert told.err.startswith("error: ")
    assert told.out == ""


def test_the_shards_become_the_whole_run_with_a_code_of_its_own(stored):
    folder = stored(s1=shard(1), s2=shard(2))
    assert main(["merge", "s2.json", "s1.json", "-o", "m.json"]) == 0
    merged = json.loads((folder / "m.json").read_text())
    assert {**merged, "timings": {}} == {**document(SHARDED), "timings": {}}
    assert main(["merge", "s1.json", "s2.json", "--fail-on", "warn"]) == 1
    assert main(["report", "s1.json", "--fail-on", "warn"]) == 0
    assert main(["report", "s2.json"]) == 1


@pytest.mark.parametrize("names", [["s1.json"], ["s1.json", "s1.json"], ["s1.json", "missing.json"]])
def test_what_is_not_all_shards_is_wrong_use_and_writes_nothing(stored, capsys, names):
    folder = stored(s1=shard(1))
    assert main(["merge", *names, "-o", "m.json"]) == 2
    assert capsys.readouterr().err.startswith("error: ")
    assert not (folder / "m.json").exists()


@pytest.mark.parametrize(
    ("base", "head", "flags", "code", "word"),
    [
        (run_of(0), run_of(5), [], 1, "regression"),
        (run_of(0), run_of(5), ["--max-increase", "0.9"], 0, "no difference"),
        (run_of(5), run_of(0), [], 0, "improvement"),
        (run_of(5, 1), run_of(5, 1), [], 3, "too few prompts"),
        (run_of(0), run_of(0) | {"p0": None}, [], 3, "no difference"),
    ],
    ids=["worse", "allowed", "better", "few", "lost"],
)
def test_the_word_of_a_comparison_is_its_code(stored, capsys, base, head, flags, code, word):
    stored(base=document(base), head=document(head))
    assert main(["compare", "base.json", "head.json", *flags, "--json"]) == code
    assert json.loads(capsys.readouterr().out)["word"] == word
    assert main(["compare", "base.json", "head.json", *flags]) == code
    assert capsys.readouterr().out.splitlines()[0] == word.upper()


def test_a_claim_cannot_command_the_runner_through_json(stored, capsys):
    stored(good=document(run_of(0)), evil=document(run_of(0) | {"p0": ["u ##[error]gotcha"]}))
    main(["compare", "good.json", "evil.json", "--json"])
    out = capsys.readouterr().out
    assert "##[" not in out
    assert "##[error]gotcha" in [claim["claim"] for claim in json.loads(out)["new"]]


def test_the_report_of_the_new_one_holds_the_comparison(stored, capsys):
    folder = stored(good=document(run_of(0)), bad=document(run_of(5)))
    assert main(["compare", "good.json", "bad.json", "-o", "out.html", "-o", "out.json", "-o", "out.md"]) == 1
    assert "Against the base: regression" in (folder / "out.html").read_text()
    assert "### Against the base: regression" in (folder / "out.md").read_text()
    assert json.loads((folder / "out.json").read_text())["comparison"]["word"] == "regression"
    capsys.readouterr()
    assert main(["compare", "good.json", "bad.json", "-o", "out.pdf"]) == 2
    assert capsys.readouterr().out == "", "what cannot be written is told first"


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


def test_a_waiver_ends_when_the_documents_come_to_deny_its_claim_and_can_be_given_anew(folder, capsys):
    assert waive("lid is blue") == 0
    denied = json.loads(json.dumps(VERDICT))
    for claim in denied["details"]:
        claim["contradicted"] = claim["contradicted"] or claim["claim"] == "the lid is blue"
    (folder / "v.json").write_text(json.dumps(denied))
    config = {"use_case": "x", "model": {"provider": "replay", "path": "a"}, "risk_tolerance": {"max_unjudged": 1}}
    (folder / "c.json").write_text(json.dumps(config))
    main(["report", "v.json", "-c", "c.json", "-o", "again.json"])
    again = json.loads((folder / "again.json").read_text())
    assert (again["score"], again.get("waived", 0)) == (VERDICT["score"], 0)
    assert "documents deny its claim" in again["notes"][0]
    assert waive("lid is blue") == 0
    assert [one.contradicted for one in load_waivers(folder / ".gate-waivers.yaml")] == [True]
    assert "risk 0.667 -> 0.500" in capsys.readouterr().out


def test_one_claim_has_one_waiver_and_comments_stay(folder):
    (folder / ".gate-waivers.yaml").write_text("# ours\n# keep\n")
    assert waive("lid is blue") == 0
    assert waive("lid is blue", reason="agreed again") == 0
    assert (folder / ".gate-waivers.yaml").read_text().startswith("# ours\n# keep\n")
    assert [one.reason for one in load_waivers(folder / ".gate-waivers.yaml")] == ["agreed again"]


def test_the_reason_of_the_printed_command_is_to_be_replaced(folder, capsys):
    assert waive("lid is blue", reason="...") == 2
    assert "--reason (in words)" in capsys.readouterr().err


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
