"""The labelled answers that the stack is fitted on, and those that it is measured on, are what they say they are."""

import json
from collections import Counter
from pathlib import Path

import pytest

from gate.providers.local_embedder import LocalEmbedder
from training.stack.cases import FOLDERS, about

HELD_OUT = tuple(sorted((Path(__file__).parents[3] / "benchmarks" / "answers").iterdir()))
PAGE = "# Lamp\n\nThe lamp goes out after 30 minutes.\n\n| Mode | Power |\n|---|---|\n| dim | 2 W |\n| bright | 9 W |\n"
CASE = {
    "id": "lamp-01-faithful",
    "variant": "faithful",
    "question": "When does the lamp go out?",
    "answer": "It goes out after half an hour.",
    "claims": [{"claim": "The lamp goes out after 30 minutes.", "label": "supported", "quote": "after 30 minutes"}],
}


@pytest.mark.parametrize("folder", [*FOLDERS, *HELD_OUT], ids=lambda folder: folder.name)
def test_every_label_is_borne_out(folder):
    pages = [" ".join(page.read_text(encoding="utf-8").split()) for page in (folder / "docs").glob("*.md")]
    rows = [json.loads(line) for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len({row["id"] for row in rows}) == len(rows) >= 60
    for row in rows:
        kinds = Counter(claim["label"] for claim in row["claims"])
        assert kinds.keys() <= {"supported", "contradicted", "not_in_docs"}
        if row["variant"] == "faithful":
            assert kinds.keys() == {"supported"}
        if row["variant"] == "subtle":
            assert 1 <= kinds["contradicted"] <= 2
        for claim in row["claims"]:
            quote = " ".join(claim["quote"].split())
            assert bool(quote) == (claim["label"] != "not_in_docs")
            assert not quote or any(quote in page for page in pages), (row["id"], quote)


def test_what_the_stack_is_fitted_on_is_not_what_it_is_measured_on():
    assert len(FOLDERS) >= 4
    assert not {folder.name.removeprefix("case_") for folder in FOLDERS} & {folder.name for folder in HELD_OUT}


def test_claims_are_labelled_ones_and_those_of_faithful_answers_with_the_evidence_of_a_run(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lamp.md").write_text(PAGE)
    wrong = {**CASE, "id": "lamp-01-subtle", "variant": "subtle", "answer": "After an hour.", "claims": [
        {"claim": "The lamp goes out after an hour.", "label": "contradicted", "quote": "after 30 minutes"},
    ]}  # fmt: skip
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in (CASE, wrong)))
    found = about(tmp_path, LocalEmbedder())
    assert {(sample.item.claim.text, sample.label) for sample in found} == {
        ("The lamp goes out after 30 minutes.", "supported"),
        ("The lamp goes out after half an hour.", "supported"),
        ("The lamp goes out after an hour.", "contradicted"),
    }
    assert len({sample.group for sample in found}) == 1
    assert all("30 minutes" in sample.item.evidence[0].text for sample in found)
