"""`gate compare`: the word of the comparison as an exit code, told or as JSON."""

import json

import pytest

from gate.cli import main
from tests.support.verdicts import document


def run_of(wrong, prompts=8):
    """Ten claims to each prompt, of which so many are unsupported."""
    return {f"p{n}": [f"{'u' if k < wrong else 's'} claim {k} of {n} holds" for k in range(10)] for n in range(prompts)}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, entries in {"good": run_of(0), "bad": run_of(5), "few": run_of(5, 1)}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(document(entries)))
    return tmp_path


@pytest.mark.parametrize(
    ("base", "head", "flags", "code", "word"),
    [
        ("good", "bad", [], 1, "regression"),
        ("good", "bad", ["--max-increase", "0.9"], 0, "no difference"),
        ("bad", "good", [], 0, "improvement"),
        ("good", "good", [], 0, "no difference"),
        ("few", "few", [], 3, "too few prompts"),
    ],
)
def test_the_word_is_the_code(capsys, base, head, flags, code, word):
    assert main(["compare", f"{base}.json", f"{head}.json", *flags, "--json"]) == code
    assert json.loads(capsys.readouterr().out)["word"] == word
    assert main(["compare", f"{base}.json", f"{head}.json", *flags]) == code
    assert capsys.readouterr().out.splitlines()[0] == word.upper()


def test_a_claim_cannot_command_the_runner_through_json(folder, capsys):
    entries = run_of(0) | {"p0": ["u ##[error]gotcha"]}
    (folder / "evil.json").write_text(json.dumps(document(entries)))
    main(["compare", "good.json", "evil.json", "--json"])
    out = capsys.readouterr().out
    assert "##[" not in out
    assert "##[error]gotcha" in [claim["claim"] for claim in json.loads(out)["new"]]


def test_the_report_of_the_new_one_holds_the_comparison(folder, capsys):
    outputs = ["-o", "out.html", "-o", "out.json", "-o", "out.md"]
    assert main(["compare", "good.json", "bad.json", *outputs]) == 1
    assert "Against the base: regression" in (folder / "out.html").read_text()
    assert "### Against the base: regression" in (folder / "out.md").read_text()
    assert json.loads((folder / "out.json").read_text())["comparison"]["word"] == "regression"


def test_a_report_that_cannot_be_written_is_told_first(capsys):
    assert main(["compare", "good.json", "bad.json", "-o", "out.pdf"]) == 2
    assert capsys.readouterr().out == ""
