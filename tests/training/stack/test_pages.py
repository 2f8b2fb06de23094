"""The pages that the stack is fitted on, and those that it is measured on, are what they say they are."""

import json
from collections import Counter
from pathlib import Path

import pytest

from gate.providers.local_embedder import LocalEmbedder
from training.stack.pages import FOLDERS, about

HELD_OUT = Path(__file__).parents[3] / "benchmarks" / "one_page"


def _rows(folder: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (folder / "claims.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("folder", [*FOLDERS, HELD_OUT], ids=lambda folder: folder.name)
def test_every_label_is_borne_out_by_its_page(folder):
    pages = {page.name: " ".join(page.read_text(encoding="utf-8").split()) for page in (folder / "docs").glob("*.md")}
    rows = _rows(folder)
    assert {row["source"] for row in rows} == pages.keys()
    assert len({row["id"] for row in rows}) == len({row["claim"] for row in rows}) == len(rows) >= 200
    labels = Counter(row["label"] for row in rows)
    assert labels["supported"] == labels["contradicted"] > labels["not_in_docs"] > 0
    for row in rows:
        assert bool(row["quote"]) == (row["label"] != "not_in_docs")
        assert " ".join(row["quote"].split()) in pages[row["source"]], row["id"]


def test_no_page_is_both_fitted_and_measured_on():
    assert len(FOLDERS) == 2
    fitted = {row["claim"] for folder in FOLDERS for row in _rows(folder)}
    assert not fitted & {row["claim"] for row in _rows(HELD_OUT)}


def test_a_claim_has_the_evidence_of_its_own_page_alone(tmp_path):
    (tmp_path / "docs").mkdir()
    for name, minutes in (("lamp", 30), ("oven", 90)):
        (tmp_path / "docs" / f"{name}.md").write_text(f"The {name} goes out after {minutes} minutes.\n")
    rows = [
        {"id": "a", "source": "lamp.md", "claim": "The lamp goes out after 90 minutes.", "label": "contradicted"},
        {"id": "b", "source": "oven.md", "claim": "The oven goes out after 90 minutes.", "label": "supported"},
    ]
    (tmp_path / "claims.jsonl").write_text("".join(json.dumps({**row, "quote": "after"}) + "\n" for row in rows))
    lamp, oven = about(tmp_path, LocalEmbedder())
    assert (lamp.label, oven.label) == ("contradicted", "supported")
    assert lamp.group != oven.group
    assert [passage.source for passage in lamp.item.evidence] == ["lamp.md"]
    assert [passage.source for passage in oven.item.evidence] == ["oven.md"]
