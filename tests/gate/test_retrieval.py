"""The retriever on labelled sources: every form of a place, where it is held, what is found, which question fails."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import InputFileError, UsageError
from gate.files import Row
from gate.records import Chunk
from gate.reports.files import render_json
from gate.retrieval import (
    MEASURES,
    MOST,
    SCHEMA_VERSION,
    WAYS,
    Asked,
    LabelledQuestion,
    Place,
    check,
    describe,
    hold,
    places,
    read_labelled,
)
from gate.store.embedded import EmbeddedStore, open_for_writing
from tests.support.project import put
from tests.support.words_embedder import WordsEmbedder, chunk

REDIRECTS = "The client follows redirects only when it is told to.\nElse it hands back the answer."
TIMEOUTS = "A time-out is five seconds unless it is set."
PROXIES = "Proxies are given by mounting a transport."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    store = open_for_writing(tmp_path / "index.sqlite", WordsEmbedder())
    store.replace("a.md", "1", [chunk(REDIRECTS, "a.md", 3), chunk(TIMEOUTS, "a.md", 9)])
    store.replace("b.md", "1", [chunk(PROXIES, "b.md"), chunk(TIMEOUTS, "b.md", 7)])
    yield store
    store.close()


def ask(question: str, *places: tuple[str, int]) -> LabelledQuestion:
    return LabelledQuestion(question[:8], question, tuple(Place(*place) for place in places))


def test_a_place_is_held_by_the_chunks_with_its_line() -> None:
    long = Chunk("long", "first\nsecond", "a.md", "", (10, 14))
    tail = Chunk("tail", "second\nthird", "a.md", "", (14, 15))
    wanted = [Place("a.md", line) for line in (0, 9, 10, 12, 14, 15, 16)] + [Place("b.md", 10)]
    held = hold([long, tail, Chunk("empty", "", "c.md", "", ())], wanted)
    assert [sorted(held.places[place]) for place in wanted] == [
        ["long", "tail"],  # the document as a whole
        [],
        ["long"],
        ["long"],  # between two of its lines: a paragraph that was joined
        ["long", "tail"],  # the overlap
        ["tail"],
        [],
        [],
    ]
    assert (held.documents, held.chunks) == (("a.md", "c.md"), 3)


def test_figures_ranks_and_the_question_that_fails(store: EmbeddedStore) -> None:
    questions = [
        ask("who follows redirects", ("a.md", 4)),
        ask("five seconds", ("b.md", 7)),  # the text stands in a.md too, and is shown there
        ask("mounting a transport", ("a.md", 3)),  # planted: the answer stands in b.md
    ]
    found = check(Asked("qa.jsonl", questions, 2), store, 1, "words")
    assert found["figures"]["fused"]["hit_rate"]["value"] == pytest.approx(2 / 3)
    assert found["figures"]["bm25"]["mrr"]["value"] == pytest.approx(2 / 3)
    assert [one["failed"] for one in found["questions"]] == [False, False, True]
    failed = found["questions"][2]
    assert failed["expected"] == [{"source": "a.md", "line": 3, "indexed": True}]
    assert failed["found"] == {"source": "b.md", "line": 1, "text": PROXIES}
    assert failed["ranks"]["bm25"] is None
    assert failed["ranks"]["fused"] in (2, 3)
    assert found["questions"][0]["found"] is None
    assert (found["left_out"], found["not_indexed"], found["documents"], found["chunks"]) == (2, 0, 2, 3)
    assert found["index"] == store.fingerprint()


def test_a_place_that_is_not_indexed_is_not_found(store: EmbeddedStore) -> None:
    questions = [ask("five seconds", ("a.md", 9)), ask("five seconds or so", ("a.md", 400)), ask("?!", ("b.md", 1))]
    found = check(Asked("qa.jsonl", questions), store, 5, "words")
    assert [one["failed"] for one in found["questions"]] == [False, True, True]
    assert found["not_indexed"] == 1
    assert found["questions"][2]["found"] is None  # nothing can be sought
    assert found["figures"]["fused"]["ndcg"]["value"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (("docs/a.md", 3), "it names docs/a.md; the index has a.md, b.md"),
        (("a.md", 77), "no chunk of the index holds any"),
    ],
)
def test_labels_of_other_documents_are_told(store: EmbeddedStore, place: tuple[str, int], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        check(Asked("qa.jsonl", [ask("five seconds", place)]), store, 5, "words")


def asking(path, *rows):
    return put(path, *({"question": "How?", **row} for row in rows))


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"source": "a.md", "line": 3}, [("a.md", 3)]),
        ({"source": None, "line": 4}, []),
        ({"sources": [{"source": "a.md", "line": 3}, {"source": "b.md", "line": 1}]}, [("a.md", 3), ("b.md", 1)]),
        ({"sources": "a.md"}, [("a.md", 0)]),
        ({"source": "a.md", "line": 3, "sources": [{"source": "a.md", "line": 3}, "b.md"]}, [("a.md", 3), ("b.md", 0)]),
        ({}, []),
    ],
)
def test_places_in_every_form(fields, found):
    assert places(Row("qa.jsonl", 1, fields)) == tuple(Place(*one) for one in found)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"source": "  "}, "`source` is empty"),
        ({"source": "a.md", "line": 1.5}, "`line` must be a whole number"),
        ({"sources": [["a.md", 3]]}, "objects with `source` and `line`"),
        ({"sources": ["a.md"] * (MOST + 1)}, "more than"),
    ],
)
def test_a_fault_names_its_line(tmp_path, fields, message):
    path = asking(tmp_path / "qa.jsonl", {"source": "a.md"}, fields)
    with pytest.raises(InputFileError, match=message) as caught:
        read_labelled(path)
    assert "qa.jsonl:2: " in caught.value.message
    assert '"source"' in caught.value.hint


def test_questions_without_a_place_are_counted(tmp_path):
    rows = {"id": 7, "source": "a.md", "line": 2}, {"question": "Why?"}, {"source": "b.md"}
    path = asking(tmp_path / "qa.jsonl", *rows)
    found, left_out = read_labelled(path)
    assert found[0] == LabelledQuestion("7", "How?", (Place("a.md", 2),))
    assert found[1].id.startswith("q-")
    assert (len(found), left_out) == (2, 1)


@pytest.mark.parametrize(("rows", "message"), [([{}], "none of its 1 questions"), ([], "nothing in it")])
def test_a_file_without_any_place_is_refused(tmp_path, rows, message):
    with pytest.raises(InputFileError, match=message) as caught:
        read_labelled(asking(tmp_path / "qa.jsonl", *rows))
    assert '"source"' in caught.value.hint


junk = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(("source", "line")), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(("source", "line", "sources")), junk))
def test_anything_gives_places_or_one_fault(fields):
    try:
        found = places(Row("qa.jsonl", 1, fields))
    except InputFileError:
        return
    assert len(set(found)) == len(found)
    assert all(place.source.strip() and place.line >= 0 for place in found)


def question(number, failed=False, **more):
    return {
        "id": f"q{number}",
        "question": f"Question {number}?",
        "expected": [{"source": "docs/a.md", "line": 12, "indexed": True}],
        "ranks": {"bm25": 9, "knn": None, "fused": 12 if failed else 1},
        "failed": failed,
        "found": {"source": "docs/b.md", "line": 4, "text": "Something\nelse."} if failed else None,
        **more,
    }


def document(*questions, **more):
    figure = {"value": 0.5, "interval": [0.25, 0.75]}
    return {
        "schema_version": SCHEMA_VERSION,
        "data": "qa.jsonl",
        "k": 5,
        "depth": 50,
        "documents": 2,
        "chunks": 30,
        "index": "0" * 64,
        "embedder": "words",
        "left_out": 0,
        "not_indexed": 0,
        "figures": {way: dict.fromkeys(MEASURES, figure) for way in WAYS},
        "questions": list(questions),
        **more,
    }


def test_the_table_and_a_failing_question():
    text = describe(document(question(1), question(2, failed=True)))
    assert "questions  qa.jsonl: 2 questions with a labelled source\nindex      2 documents, 30 chunks\n\n" in text
    assert re.search(r"\n +BM25 +kNN +fused\n", text)
    for name in ("hit rate@5", "MRR@5", "recall@5", "nDCG@5"):
        assert re.search(rf"\n  {name} +(0\.500 \(0\.250 to 0\.750\) *){{3}}\n", text)
    assert text.endswith(
        "1 of 2 questions finds no labelled place among its first 5 (fused)\n"
        "  q2  Question 2?\n"
        "    expected  docs/a.md:12  (found at rank: BM25 9, fused 12)\n"
        "    found     docs/b.md:4  Something else.\n"
    )
    assert max(map(len, text.splitlines())) <= 90


def test_many_failures_and_many_places_are_cut_short():
    places = [{"source": "docs/a.md", "line": line, "indexed": True} for line in range(1, 7)]
    text = describe(document(*(question(number, failed=True, expected=places) for number in range(25))))
    assert "docs/a.md:1, docs/a.md:2, docs/a.md:3, and 3 more" in text
    assert "q9" in text
    assert "q10" not in text
    assert "and 15 more: -o FILE.json has all of them" in text


def test_strangers_text_commands_neither_terminal_nor_runner():
    bad = "\x1b[2J\n::error::pwned \u202e" + "x" * 5000
    found = {"source": bad, "line": 1, "text": bad}
    expected = [{"source": bad, "line": 1, "indexed": True}]
    hostile = question(1, failed=True, id=bad, question=bad, expected=expected, found=found)
    text = describe(document(hostile, data=bad))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert not re.search(r"(?m)^\s*::", text)
    assert json.loads(render_json(document(hostile)))["questions"][0]["question"] == bad
