"""What is made of stored verdicts: `gate report`, `gate merge`, `gate compare`."""

import json

import pytest

from gate.cli import main
from gate.config import RiskTolerance
from tests.support.verdicts import document

ENTRIES = {"a": ["s one is here", "s two is here", "u three is here"], "b": ["s four is here"]}
SHARDED = {f"p{n}": [f"{'su'[n == 3]} claim {n} is here"] for n in range(4)}


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
    ],
    ids=["worse", "allowed", "better", "few"],
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
