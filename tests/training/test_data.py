"""Packing, pairs, the leakage check and the figures on small data made here: no torch."""

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gate.judges import windows
from gate.records import Evidence
from training import amounts, data, days, evaluate, leakage, pack, pairs, reworded, sections, tables

UNITS = """# P pets-01 | hotel rules | Pets at the Quay
1|# Pets
2|
3|Dogs are welcome in all rooms for 12 euros a night.
4|Cats may stay in the garden wing only.
5|
6|| Animal | Deposit |
7|| --- | --- |
8|| Dog | 50 euros |
# Q Can I bring my dog?
A
S@3 Yes.
C@3 It costs 15 euros a night.
A
X You need:
S@8 - a deposit of 50 euros
X Anything else?
# E user | Where may my dog go?
# E assistant | Everywhere.
# Q What about cats?
A
C@4 They may go anywhere.
N They are fed at noon.
"""


def row(**changes: object) -> dict[str, object]:
    raw: dict[str, object] = {
        "id": "d-1", "dataset": "docs_x", "claim": "Dogs cost 12 euros.", "label": 1, "label4": "supported",
        "evidence": "Dogs cost twelve euros a night here. Cats stay in the garden wing.", "kind": "plain",
        "quote": "Dogs cost twelve euros a night here.", "meta": {"pid": "p1"},
    }  # fmt: skip
    return raw | changes


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    (tmp_path / "pets.txt").write_text(UNITS, encoding="utf-8")
    claims = [row(), row(claim="Dogs are free.", label=0, label4="contradicted")]
    (tmp_path / "c.jsonl").write_text("".join(json.dumps(one) + "\n" for one in claims), encoding="utf-8")
    out = tmp_path / "data"
    for file, pages in (("pets.txt", "real"), ("c.jsonl", "invented")):
        options = ["--subject", "pets", "--made", "by hand", "--pages", pages, "--out", str(out)]
        assert pack.main([str(tmp_path / file), *options]) == 0
    return out


def test_units_come_back_as_they_went_in(packed: Path) -> None:
    assert pack.show_units(pack.parse_units(UNITS)) == UNITS
    [passage] = data.load_lines(packed / "units-pets.jsonl.gz")
    assert pack.show_units([passage]) == UNITS
    [document] = data.load_documents(packed)
    assert document.lines[2] == "Dogs are welcome in all rooms for 12 euros a night."
    assert document.questions[0][1][0] == (
        data.Unit("S", (3,), "Yes."),
        data.Unit("C", (3,), "It costs 15 euros a night."),
    )
    assert document.questions[1][0] == "What about cats?\nWhere may my dog go?"


def test_claims_come_back_with_their_passage_stored_once(packed: Path) -> None:
    [passage] = data.load_lines(packed / "pets.jsonl.gz")
    assert [one["claim"] for one in passage["claims"]] == ["Dogs cost 12 euros.", "Dogs are free."]
    found = data.load_claims(packed)
    assert [one.target for one in found] == [(data.SUPPORTED,), (data.CONTRADICTED,)]
    assert {one.evidence for one in found} == {row()["evidence"]}


def test_the_manifest_counts_and_the_same_data_gives_the_same_bytes(packed: Path) -> None:
    entries = {one["file"]: (one["rows"], one["passages"]) for one in data.load_manifest(packed)}
    assert entries == {"pets.jsonl.gz": (2, 1), "units-pets.jsonl.gz": (7, 1)}
    before = {path.name: path.read_bytes() for path in packed.iterdir()}
    pack.main(
        [
            str(packed.parent / "pets.txt"),
            "--subject",
            "pets",
            "--made",
            "by hand",
            "--pages",
            "real",
            "--out",
            str(packed),
        ]
    )
    assert before == {path.name: path.read_bytes() for path in packed.iterdir()}


@pytest.mark.parametrize("text", ["S@1 A unit without a passage.", "# P a-1 | b | c\nnothing known", "A"])
def test_a_line_that_the_form_does_not_know_is_named(text: str) -> None:
    with pytest.raises(pack.FormatError, match="line"):
        pack.parse_units(text)


@pytest.mark.parametrize(
    ("changes", "target"),
    [
        ({}, (data.SUPPORTED,)),
        ({"label": 0, "label4": "contradicted"}, (data.CONTRADICTED,)),
        ({"label": 0, "label4": "partial"}, (data.NEITHER,)),
        ({"label": 0, "label4": None, "label3": "neutral"}, (data.NEITHER,)),
        ({"label": 0, "label4": None}, (data.CONTRADICTED, data.NEITHER)),
        ({"label": 0, "label4": None, "dataset": "fever_dev"}, (data.CONTRADICTED,)),
        ({"label": 0, "label4": None, "dataset": "fever_nei"}, (data.NEITHER,)),
    ],
)
def test_a_label_allows_its_classes(changes: dict[str, object], target: data.Target) -> None:
    assert data.parse_row(row(**changes)).target == target


def test_a_unit_is_shown_with_its_question_lead_in_and_header() -> None:
    units = [data.Unit("X", (), text) for text in ("Sure!", "You need:", "- a leash", "- a deposit of 50 euros")]
    claim, context = pairs.shown_unit(units, 3, "Can I bring my dog?", 1)
    assert claim == "a deposit of 50 euros"
    assert context == "Can I bring my dog? You need: a leash"
    rows = [data.Unit("S", (), text) for text in ("| Animal | Deposit |", "| --- | --- |", "| Dog | 50 euros |")]
    assert pairs.shown_unit(rows, 2, "", 0)[0] == windows.show_claim("| Dog | 50 euros |", "| Animal | Deposit |")


@pytest.mark.parametrize("seed", range(10))
def test_texts_of_pairs_are_those_that_the_product_shows(packed: Path, seed: int) -> None:
    [document] = data.load_documents(packed)
    shown, held = pairs.laid_out(document.lines)
    made = list(pairs.UnitPairs(random.Random(seed)).pairs(document, 1.0))
    renders = {windows.render(shown[a:b]) for a in range(len(shown)) for b in range(a + 1, len(shown) + 1)}
    assert made
    assert {one.evidence for one in made} <= renders
    yes = next(one for one in made if one.claim == "Yes." and one.target == (data.SUPPORTED,))
    assert shown[held[3][0]].text in yes.evidence
    assert yes.context == "Can I bring my dog?"
    dogs, cats = "pets-01|Can I bring my dog?", "pets-01|What about cats?\nWhere may my dog go?"
    assert {one.group for one in made} <= {"", dogs, cats, f"{dogs}|polar"}


def test_short_answers_are_made_rightly_wrongly_and_under_another_question() -> None:
    def unit(letter: str, line: int, text: str) -> tuple[data.Unit, ...]:
        return (data.Unit(letter, (line,), text),)

    lines = ("# Inn", "Dogs are welcome.", "A room costs 90 euros.", "Breakfast is served from 7.")
    asked = (
        ("Are dogs allowed?", (unit("S", 2, "Yes, they are."),)),
        ("Is a room free?", (unit("C", 3, "Yes."),)),
        ("What does a room cost?", (unit("S", 3, "90 euros"), unit("S", 3, "It costs 90 euros a night here."))),
        ("When is breakfast?", (unit("S", 4, "From 7."),)),
    )
    document = data.Document("inn-1", "inns", "invented", lines, asked)
    assert [(question, yes) for question, yes, _ in pairs.known_polar(document)] == [
        ("Are dogs allowed?", True),
        ("Is a room free?", False),
    ]
    made = [one for seed in range(20) for one in pairs.UnitPairs(random.Random(seed)).pairs(document, 1.0)]
    polar = {(one.context, one.claim in pairs.YES, one.target) for one in made if one.group.endswith("|polar")}
    assert polar == {
        ("Are dogs allowed?", True, (data.SUPPORTED,)),
        ("Are dogs allowed?", False, (data.CONTRADICTED,)),
        ("Is a room free?", True, (data.CONTRADICTED,)),
        ("Is a room free?", False, (data.SUPPORTED,)),
    }
    swapped = {(one.context, one.claim) for one in made if one.target == (data.CONTRADICTED, data.NEITHER)}
    assert swapped == {("When is breakfast?", "90 euros"), ("What does a room cost?", "From 7.")}


def test_an_epoch_is_the_same_for_the_same_seed_and_holds_every_kind(packed: Path) -> None:
    rows = [
        *data.load_claims(packed),
        *(data.parse_row(row(id=f"f-{i}", dataset="fm2", label4=None)) for i in range(9)),
    ]
    whole = dict.fromkeys(pairs.SHARES, 1.0)
    made = pairs.epoch(data.load_documents(packed), rows, random.Random(1), whole)
    assert made == pairs.epoch(data.load_documents(packed), rows, random.Random(1), whole)
    groups = [one.group.partition(" ")[0].partition("|")[0] for one in made]
    assert {"pets-01", "claims", ""} <= set(groups)
    assert {one.target for one in made} >= {(k,) for k in range(4)}


def test_the_share_of_short_answers_is_one_of_its_own(packed: Path) -> None:
    nothing = dict.fromkeys((*pairs.SHARES, "pets", "tables", "amounts", "sections", "days"), 0.0)
    documents = data.load_documents(packed)
    alone = pairs.epoch(documents, [], random.Random(1), {**nothing, "short": 1.0})
    assert {one.group for one in alone} == {"pets-01|Can I bring my dog?|polar"}
    assert pairs.epoch(documents, [], random.Random(1), nothing) == []


def test_contract_statements_are_said_in_other_words_only() -> None:
    claim = "Receiving Party shall not solicit some of Disclosing Party's representatives."
    known, unknown = (data.parse_row(row(dataset="contractnli", claim=text)) for text in (claim, "Something else."))
    [pair] = pairs.public_pairs([known], random.Random(0), {})
    assert pair.claim in reworded.variants(claim)
    assert list(pairs.public_pairs([unknown], random.Random(0), {})) == []


def test_a_shared_sentence_costs_the_whole_group(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "a.dev.jsonl.gz", "wt", encoding="utf-8") as out:
        out.write(json.dumps(row(evidence="Nothing else is said here at all.")) + "\n")
    held = leakage.measured(tmp_path, tmp_path / "cases")
    shared = row(id="d-2", evidence="nothing else is said here, at all!", claim="Other.")
    rows = [shared, row(id="d-3", claim="Else."), row(id="d-4", claim="More.", meta={"pid": "p2"})]
    assert [one.group for one in leakage.clean([data.parse_row(one) for one in rows], held)] == ["p2"]


def test_documents_kept_for_development_are_not_trained_on(packed: Path) -> None:
    [document] = data.load_documents(packed)
    assert leakage.clean_documents([document], set()) == ([] if document.dev else [document])
    assert leakage.clean_documents([document], {"cats may stay in the garden wing only"}) == []
    assert 40 < sum(data.is_dev(f"p-{i}") for i in range(1200)) < 160


def test_the_area_is_that_of_counting_pairs() -> None:
    rng = np.random.default_rng(0)
    good, bad = rng.integers(0, 5, 40).astype(float), rng.integers(0, 4, 30).astype(float)
    counted = np.mean([(g > b) + (g == b) / 2 for g in good for b in bad])
    assert evaluate.auc(good, bad) == pytest.approx(counted)


def test_the_best_window_counts() -> None:
    shown = windows.pieces([Evidence("", 1, "One dog stays here.\n\n" + "Cats are kept elsewhere today.\n\n" * 9, 1.0)])

    def score(items: object) -> np.ndarray:
        rows = [[0.9, 0.1, 0, 0] if "dog" in text else [0.2, 0.5, 0.3, 0] for *_, text in items]  # type: ignore[attr-defined]
        return np.array(rows, dtype=np.float32)

    [found] = evaluate.pooled([evaluate.Sample("One dog and cats.", "", shown, "supported")], score)
    assert found == pytest.approx([np.log(9), 0, 0], abs=1e-4)


def test_claims_are_told_from_each_other_and_from_nothing() -> None:
    def score(items: object) -> np.ndarray:
        known = {"yes": [0.9, 0.1, 0, 0], "no": [0.2, 0.5, 0.3, 0], "hello": [0.1, 0, 0, 0.9]}
        return np.array([known[evidence] for *_, evidence in items], dtype=np.float32)  # type: ignore[attr-defined]

    samples = [
        evaluate.Sample("a", "", "yes", "supported"),
        evaluate.Sample("b", "", "no", "contradicted"),
        evaluate.Sample("c", "", "hello", "no_claim"),
    ]
    assert evaluate.figures(samples, score) == {
        "all": 1, "contradicted": 1, "contradicted, less": 1, "no claim": 1, "no claim, found": 1,
    }  # fmt: skip


def test_a_table_bears_out_the_cell_that_is_asked_for_and_no_other():
    made = list(tables.table_pairs(40, random.Random(0)))
    assert {label for *_, label, _ in made} == {data.SUPPORTED, data.CONTRADICTED}
    groups: dict[str, set[int]] = {}
    for claim, context, evidence, label, group in made:
        assert claim
        assert context
        assert "|" not in evidence
        groups.setdefault(group, set()).add(label)
    assert sum(len(labels) == 2 for labels in groups.values()) > len(groups) / 2


def test_a_section_bears_out_its_own_value_and_a_neighbour_decides_nothing() -> None:
    made = list(sections.section_pairs(400, random.Random(0)))
    assert {label for *_, label, _ in made} == {data.SUPPORTED, data.CONTRADICTED, data.NEITHER}
    by: dict[str, set[int]] = {}
    for claim, context, evidence, label, group in made:
        assert claim
        assert context
        assert evidence
        by.setdefault(group, set()).add(label)
    assert sum({data.SUPPORTED, data.CONTRADICTED} <= labels for labels in by.values()) > len(by) / 2


def test_amounts_are_made_in_pairs_with_the_amount_in_view() -> None:
    made = list(amounts.amount_pairs(400, random.Random(0)))
    by: dict[str, list[int]] = {}
    for claim, _, evidence, label, group in made:
        assert evidence
        assert claim
        by.setdefault(group, []).append(label)
    assert len(made) >= 400
    assert sum(sorted(labels) == [data.SUPPORTED, data.CONTRADICTED] for labels in by.values()) > 100


def test_a_question_about_days_has_a_right_and_a_wrong_answer_beside_the_fact() -> None:
    by: dict[str, list[int]] = {}
    for claim, context, evidence, label, group in days.day_pairs(400, random.Random(0)):
        assert claim
        assert context
        assert evidence
        by.setdefault(group, []).append(label)
    assert sum(data.SUPPORTED in labels and data.CONTRADICTED in labels for labels in by.values()) > 150


@pytest.mark.parametrize("kind", days.KINDS)
def test_no_right_answer_about_days_is_a_wrong_one(kind: Callable[[random.Random], days.Fact]) -> None:
    for seed in range(200):
        for case in kind(random.Random(seed)).cases:
            assert case.right
            assert case.wrong
            assert not set(case.right) & set(case.wrong)


@pytest.mark.parametrize("kind", sorted(amounts.THINGS))
def test_another_notation_is_no_other_value(kind: str) -> None:
    for seed in range(50):
        one = amounts.draw(kind, random.Random(seed))
        assert one.same
        assert one.other
        assert not {one.written, *one.same} & set(one.other)
