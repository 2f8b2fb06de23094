"""Labelled sources are read from every form that they come in, and every fault names its line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import InputFileError
from gate.jsonl import Row
from gate.retrieval_labels import MOST, Labelled, Place, places, read_labelled


def put(path, *rows):
    path.write_text("".join(json.dumps({"question": "How?", **row}) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"source": "a.md", "line": 3}, [("a.md", 3)]),
        ({"source": "a.md"}, [("a.md", 0)]),
        ({"source": "a.md", "line": None}, [("a.md", 0)]),
        ({"source": None, "line": 4}, []),
        ({"source": "", "line": 0}, []),
        ({"sources": [{"source": "a.md", "line": 3}, {"source": "b.md", "line": 1}]}, [("a.md", 3), ("b.md", 1)]),
        ({"sources": ["a.md", "b.md"]}, [("a.md", 0), ("b.md", 0)]),
        ({"sources": "a.md"}, [("a.md", 0)]),
        ({"sources": {"source": "a.md", "line": 2.0}}, [("a.md", 2)]),
        ({"sources": []}, []),
        ({"source": "a.md", "line": 3, "sources": [{"source": "a.md", "line": 3}, "b.md"]}, [("a.md", 3), ("b.md", 0)]),
        ({}, []),
    ],
)
def test_places_in_every_form(fields, found):
    assert places(Row("qa.jsonl", 1, fields)) == tuple(Place(*one) for one in found)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"source": 7}, "`source` must be a string"),
        ({"source": "  "}, "`source` is empty"),
        ({"source": "a.md", "line": "3"}, "`line` must be a number"),
        ({"source": "a.md", "line": -1}, "`line` must be a number"),
        ({"source": "a.md", "line": 1.5}, "`line` must be a whole number"),
        ({"source": "a.md", "line": True}, "`line` must be a number"),
        ({"sources": [["a.md", 3]]}, "objects with `source` and `line`"),
        ({"sources": 3}, "objects with `source` and `line`"),
        ({"sources": [{"line": 3}]}, "`source` is missing"),
        ({"sources": ["a.md"] * (MOST + 1)}, "more than"),
    ],
)
def test_a_fault_names_its_line(tmp_path, fields, message):
    path = put(tmp_path / "qa.jsonl", {"source": "a.md"}, fields)
    with pytest.raises(InputFileError, match=message) as caught:
        read_labelled(path)
    assert "qa.jsonl:2: " in caught.value.message
    assert '"source"' in caught.value.hint


def test_questions_without_a_place_are_counted(tmp_path):
    path = put(tmp_path / "qa.jsonl", {"id": 7, "source": "a.md", "line": 2}, {"question": "Why?"}, {"source": "b.md"})
    found, left_out = read_labelled(path)
    assert found[0] == Labelled("7", "How?", (Place("a.md", 2),))
    assert found[1].id.startswith("q-")
    assert (len(found), left_out) == (2, 1)


@pytest.mark.parametrize(("rows", "message"), [([{}], "none of its 1 questions"), ([], "nothing in it")])
def test_a_file_without_any_place_is_refused(tmp_path, rows, message):
    with pytest.raises(InputFileError, match=message) as caught:
        read_labelled(put(tmp_path / "qa.jsonl", *rows))
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
