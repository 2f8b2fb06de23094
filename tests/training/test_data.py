"""Rows, windows, mixtures and the leakage check on small data made here."""

import gzip
import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from training import evaluate, leakage, mixture, reworded, rows, windows

PASSAGE = (
    "# Limits\nA key may make 600 requests a minute. Bursts of up to 50 are tolerated, e.g. at start. "
    "Requests above that are refused with 429.\nBatch calls count once for each item that they contain. "
    "The owner of a workspace can ask for more at any time."
)


def line(**changes: object) -> str:
    raw = {
        "id": "d-1", "dataset": "docs_x", "split": "train", "claim": "A key has 600 requests a minute.",
        "evidence": PASSAGE, "label": 1, "label4": "supported", "kind": "plain",
        "quote": "A key may make 600 requests a minute.", "meta": {"pid": "p1"},
    }  # fmt: skip
    return json.dumps({**raw, **changes})


@pytest.mark.parametrize(
    ("changes", "target"),
    [
        ({}, (rows.SUPPORTED,)),
        ({"label": 0, "label4": "contradicted"}, (rows.CONTRADICTED,)),
        ({"label": 0, "label4": "partial"}, (rows.NEITHER,)),
        ({"label": 0, "label4": None, "label3": "neutral"}, (rows.NEITHER,)),
        ({"label": 0, "label4": None}, (rows.CONTRADICTED, rows.NEITHER)),
        ({"label": 0, "label4": None, "dataset": "fever_dev"}, (rows.CONTRADICTED,)),
    ],
)
def test_a_label_allows_its_classes(changes: dict[str, object], target: rows.Target) -> None:
    assert rows.parse(line(**changes)).target == target


def test_units_join_headings_to_what_follows_and_keep_abbreviations_whole() -> None:
    assert windows.units(PASSAGE) == [
        "# Limits A key may make 600 requests a minute.",
        "Bursts of up to 50 are tolerated, e.g. at start.",
        "Requests above that are refused with 429.",
        "Batch calls count once for each item that they contain.",
        "The owner of a workspace can ask for more at any time.",
    ]


@given(st.text(st.characters(exclude_characters="|", exclude_categories=["Cs"]), max_size=300))
@example("-")
@example("a\n---\nb")
def test_units_lose_no_word(text: str) -> None:
    assert " ".join(windows.units(text)).split() == text.split()


def test_the_best_window_covers_the_claim() -> None:
    parts = windows.units(PASSAGE)
    assert "each item" in windows.best("Each item of a batch call counts.", parts, 1, size=1)[0]
    assert len(windows.best("anything", parts, 9)) == 3


def test_the_quote_is_found_or_not() -> None:
    parts = windows.units(PASSAGE)
    assert windows.locate("count once for each item", parts) == (3, 4)
    assert windows.locate("refused with 429. Batch calls", parts) == (2, 4)
    assert windows.locate("no such words", parts) is None
    assert windows.locate("", parts) is None


@pytest.mark.parametrize("seed", range(20))
def test_windows_around_the_quote_hold_it_and_those_without_it_do_not(seed: int) -> None:
    rng, parts = random.Random(seed), windows.units(PASSAGE)
    assert parts[2] in mixture.around((2, 3), parts, mixture.drawn_size(rng), rng)
    rest = mixture.without((2, 3), "429 requests", parts, mixture.drawn_size(rng), rng)
    assert rest is not None
    assert parts[2] not in rest


def test_an_epoch_has_all_kinds_of_pairs_and_is_the_same_for_the_same_seed() -> None:
    own = [rows.parse(line(id=f"d-{i}", meta={"pid": f"p{i}"})) for i in range(60)]
    other = [rows.parse(line(id=f"f-{i}", dataset="fm2", label4=None, evidence="Short.")) for i in range(10)]
    pairs = mixture.epoch([*own, *other], random.Random(1), 1.0, 1.5)
    assert pairs == mixture.epoch([*own, *other], random.Random(1), 1.0, 1.5)
    sources = {p.source for p in pairs}
    assert {"docs_x", "docs_x:removed", "docs_x:broken", "docs_x:renamed", "rule:kept", "rule:joined", "fm2"} <= sources
    assert all(p.target == (rows.SUPPORTED,) for p in pairs if p.source in ("docs_x", "docs_x:renamed", "rule:kept"))
    assert all(p.target == (rows.NEITHER,) for p in pairs if p.source.endswith(":removed"))


def test_fresh_sets_are_whole_in_an_epoch_and_the_others_in_part_by_passage() -> None:
    own = [
        rows.parse(line(id=f"{name}-{i}-{j}", dataset=name, meta={"pid": f"{name}{i}"}))
        for name in ("written_new", "written_old")
        for i in range(40)
        for j in range(3)
    ]
    found = mixture.chosen(own, random.Random(1), ["written_new"], 0.3)
    by = Counter(row.group for row in found)
    assert set(by.values()) == {3}
    assert sum(group.startswith("written_new") for group in by) == 40
    assert 4 < sum(group.startswith("written_old") for group in by) < 24
    assert len(mixture.chosen(own, random.Random(1), [], 1.0)) == len(own)
    with pytest.raises(ValueError, match="no written set is named new"):
        mixture.chosen(own, random.Random(1), ["new"], 0.3)


def test_rule_made_pairs_come_in_twos_that_differ_in_one_side() -> None:
    row = rows.parse(line())
    made = [list(mixture.ruled(row, 2, random.Random(seed))) for seed in range(60)]
    twos = [pairs for pairs in made if len(pairs) == 2]
    assert len(twos) > 20
    for good, bad in twos:
        assert good.group == bad.group != ""
        assert good.target == (rows.SUPPORTED,)
        assert rows.SUPPORTED not in bad.target
        assert (good.claim == bad.claim) != (good.evidence == bad.evidence)


def test_contract_statements_are_said_in_other_words_only() -> None:
    claim = "Receiving Party shall not solicit some of Disclosing Party's representatives."
    row = rows.parse(line(dataset="contractnli", claim=claim, label4=None))
    [pair] = mixture.public([row], random.Random(0))
    assert pair.claim in reworded.variants(claim)
    assert list(mixture.public([rows.parse(line(dataset="contractnli", label4=None))], random.Random(0))) == []


def written(folder: Path, name: str, *lines: str) -> None:
    with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


def test_a_shared_sentence_costs_the_whole_group(tmp_path: Path) -> None:
    written(
        tmp_path, "a.dev", line(claim="Owners of any workspace may ask.", evidence="Nothing else is said here at all.")
    )
    shared = line(id="d-2", evidence="nothing else is said here, at all!")
    same_group, clean = line(id="d-3"), line(id="d-4", meta={"pid": "p2"})
    held = leakage.measured(tmp_path, None)
    left = leakage.clean([rows.parse(t) for t in (shared, same_group, clean)], held)
    assert [r.id for r in left] == ["d-4"]


def test_cases_and_their_documents_are_held_out_too(tmp_path: Path) -> None:
    (tmp_path / "cases").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / "cases" / "x.jsonl").write_text(json.dumps({"claims": [{"claim": "One two three four five six."}]}))
    (tmp_path / "docs" / "y.md").write_text("Seven eight nine ten eleven twelve.\n")
    held = leakage.measured(tmp_path, tmp_path / "cases")
    assert {"one two three four five six", "seven eight nine ten eleven twelve"} <= held


def test_the_area_is_that_of_counting_pairs() -> None:
    rng = np.random.default_rng(0)
    good, bad = rng.integers(0, 5, 40).astype(float), rng.integers(0, 4, 30).astype(float)
    counted = np.mean([(g > b) + (g == b) / 2 for g in good for b in bad])
    assert evaluate.auc(good, bad) == pytest.approx(counted)
    assert evaluate.balanced(np.array([2.0, 3.0]), np.array([0.0, 1.0])) == 1


def test_the_best_window_counts_and_chunks_of_a_claim_go_together() -> None:
    def score(pairs: object) -> np.ndarray:
        return np.array([[0.9, 0.1, 0] if "429" in e else [0.2, 0.5, 0.3] for _, e in pairs], dtype=np.float32)  # type: ignore[attr-defined]

    long = f"{PASSAGE} {'Nothing of this kind is said anywhere. ' * 12}"
    row = rows.parse(line(evidence=long, claim="Requests above the limit are refused."))
    other = rows.parse(line(evidence=long.replace("429", "503"), label=0, label4="contradicted"))
    assert evaluate.pooled([row], score)[0] == pytest.approx([np.log(9), -np.log(9)], rel=1e-4)
    found = evaluate.figures("docs", [row, other], score)
    assert found["contradicted"] == found["contradicted, less contradiction"] == 1
