"""The Python door: the same labels and decisions as the command line, and a fixture for pytest."""

import subprocess
import sys
from pathlib import Path

import pytest

import gate
from gate.cli import main
from gate.errors import ConfigError, IndexMissingError, UsageError
from gate.pytest_plugin import check_grounded
from gate.reports.files import load
from tests.support.project import configure, put, write

RATES = "# Rates\n\nBreakfast is included in all rates. It is served from 7 to 10."


def test_a_run_is_that_of_the_command(folder):
    answer = "It is served from 7 to 10. It costs 12 euros."
    write("rates.md", RATES)
    put("answers.jsonl", {"id": "q1", "question": "When is breakfast served?", "answer": answer})
    configure(doc_sources=["rates.md"])
    assert main(["ingest"]) == 0
    code = main(["run", "-o", "by-command.json"])
    result = gate.run(baseline="by-command.json")
    before = load(Path("by-command.json"))
    assert (result.exit_code(), result.decision, result.risk) == (code, before["decision"], before["score"])
    assert result.reasons[:1] == tuple(before["reasons"][:1])
    assert result.document["comparison"]["word"] == "too few prompts"
    result.save("report.html")
    assert "<html" in Path("report.html").read_text(encoding="utf-8")
    by_index = gate.judge("When is breakfast served?", answer)
    assert [verdict.label for verdict in by_index] == [claim["label"] for claim in before["details"]]
    with pytest.raises(UsageError):
        result.save("report.pdf")


def test_no_answer_is_held_against_an_index_of_documents_that_changed(folder):
    Path("a.md").write_text(RATES, encoding="utf-8")
    assert main(["ingest", "a.md"]) == 0
    Path("a.md").write_text("Breakfast is not served.", encoding="utf-8")
    with pytest.raises(UsageError, match=r"a\.md changed since"):
        gate.judge("When is breakfast served?", "It is served from 7 to 10.")


def test_an_answer_is_held_against_contexts_alone(folder):
    (right,) = gate.judge("When is breakfast served?", "It is served from 7 to 10.", contexts=["Else.", RATES])
    assert (right.label, right.evidence[0].source, right.evidence[0].line) == ("supported", "context 2", 3)
    assert right.evidence[0].quote in RATES
    (wrong,) = gate.judge("Is breakfast included?", "No.", contexts=[RATES])
    assert wrong.label == "unsupported"
    assert gate.judge("Hi?", "Hello! How can I help you?", contexts=[RATES]) == []
    for nothing in ([], [" "]):
        assert [one.label for one in gate.judge("", "The pool is heated.", contexts=nothing)] == ["unsupported"]
    assert [one.label for one in gate.judge("", "Breakfast is included.", contexts=["", RATES])] == ["supported"]
    (odd,) = gate.judge("\ud83d?", "Breakfast is included.\ud83d", contexts=[f"{RATES}\ud83d"])  # as JSON can hold it
    assert odd.label == "supported"
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("texts", [("q", None, [RATES]), (5, "a", [RATES]), ("q", "a", [b"x"]), ("q", "a", RATES)])
def test_what_is_no_text_is_refused(texts):
    with pytest.raises(UsageError, match="text"):
        gate.judge(*texts[:2], contexts=texts[2])


@pytest.mark.parametrize(
    ("where", "error"),
    [
        ({"contexts": [], "index": "x"}, UsageError),
        ({"contexts": "The pool is heated."}, UsageError),
        ({"index": "none"}, IndexMissingError),
        ({"config": "no"}, ConfigError),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_cannot_be_judged_is_an_error(where, error):
    with pytest.raises(error):
        gate.judge("q", "The pool is heated.", **where)


@pytest.mark.parametrize("limits", [{"limit": 0}, {"limit": -1}, {"max_calls": -1}, {"max_seconds": float("nan")}])
def test_a_limit_that_is_none_is_refused(limits):
    with pytest.raises(UsageError, match=next(iter(limits))):
        gate.run("none.yaml", **limits)


def test_only_what_is_there_can_be_had():
    with pytest.raises(AttributeError, match="nothing_of_it"):
        _ = gate.nothing_of_it


def test_grounded_names_each_claim_and_its_evidence():
    assert check_grounded("Breakfast is included.", contexts=[RATES])[0].label == "supported"
    with pytest.raises(AssertionError) as error:
        check_grounded("Breakfast is not included in the rates.", "Is breakfast included?", contexts=[RATES])
    assert "1 of 1 claims" in str(error.value)
    assert "context 1:3: Breakfast is included in all rates." in str(error.value)
    for said, shown in (("The pool \x1b[2J is heated.", "␛"), ("الإفطار غير مشمول.", "not in English")):
        with pytest.raises(AssertionError, match=shown):
            check_grounded(said, contexts=[RATES])
    with pytest.raises(AssertionError, match="nothing was judged"):
        check_grounded("Hello!", contexts=[RATES])


def test_pytest_finds_the_fixture(tmp_path):
    text = "def test_it(assert_grounded): assert_grounded('The sky is green.', contexts=['It is blue.'])"
    (tmp_path / "test_sky.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "unsupported: The sky is green." in done.stdout) == (1, True), done.stdout + done.stderr
