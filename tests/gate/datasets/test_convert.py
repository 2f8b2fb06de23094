"""Rows as they are written: readable by the gate, whatever was in them."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.datasets import convert as module
from gate.datasets.base import Leftovers, keep
from gate.datasets.convert import check, render, save, usable_rows
from gate.errors import InputFileError, UsageError
from gate.providers.replay import read_answers, read_dataset


def test_ids_stay_only_where_they_are_unique_and_fit():
    found = usable_rows([{"question": "a", "id": "x"}, {"question": "b", "id": "x "}, {"question": "c", "id": 3},
                     {"question": "d", "id": True}, {"question": "e", "id": ["l"]}], Leftovers())  # fmt: skip
    assert [row.get("id") for row in found] == [None, None, 3, None, None]
    assert [row.get("imported_id") for row in found] == ["x", "x ", None, True, ["l"]]


def test_where_some_answer_those_that_do_not_are_left_out():
    ledger = Leftovers()
    assert usable_rows([{"question": "a", "answer": ""}, {"question": "b"}, {"question": " "}], ledger) == [
        {"question": "a", "answer": ""}
    ]
    assert ledger.describe() == ["1 x question without an answer", "1 x row without a question"]


def test_names_of_the_gate_are_not_taken_by_others():
    assert keep({"question": "q", "turn": 1}, {"answer": "x", "turn": 2, "n": None, "note": "y"}, Leftovers()) == {
        "question": "q", "turn": 1, "imported_answer": "x", "imported_turn": 2, "note": "y",
    }  # fmt: skip
    ledger = Leftovers()
    keep({"question": "q", "imported_answer": "a"}, {"answer": "x"}, ledger)
    assert ledger.describe() == ["1 x field that is there twice: answer"]


@settings(max_examples=60)
@given(
    st.lists(
        st.fixed_dictionaries(
            {"question": st.text(min_size=1, max_size=20), "answer": st.text(max_size=20)},
            optional={"contexts": st.lists(st.text(max_size=9), max_size=3), "note": st.text(max_size=9),
                      "id": st.text(max_size=2)},
        ),
        min_size=1, max_size=5,
    )
)  # fmt: skip
def test_the_gate_reads_what_is_written(tmp_path_factory, rows):
    good = usable_rows(rows, Leftovers())
    path = tmp_path_factory.mktemp("rows") / "r.jsonl"
    if not good:
        return
    save(path, good)
    answers = read_answers(path)
    assert [answer.answer for answer in answers] == [row["answer"] for row in good]
    assert [answer.prompt.question for answer in answers] == [row["question"] for row in good]
    assert len(read_dataset(path)) == len(good)
    assert all(char.isprintable() or char == "\n" or ord(char) > 127 for char in path.read_text())


def test_what_a_terminal_would_obey_is_written_as_an_escape():
    text = render([{"question": "a\x1b[2J\x9b\u202eb\ud800"}], "f")
    assert text == '{"question": "a\\u001b[2J\\u009b\\u202eb\\ud800"}\n'
    assert json.loads(text) == {"question": "a\x1b[2J\x9b\u202eb\ud800"}


@pytest.mark.parametrize("name", ["MAX_CHARS", "MAX_LINE"])
def test_a_file_that_the_gate_would_not_read_is_not_written(monkeypatch, name):
    monkeypatch.setattr(module, name, 20)
    with pytest.raises(InputFileError, match="row 1 makes the file larger"):
        render([{"question": "q" * 30}], "f")


def test_an_existing_file_is_left_alone(tmp_path):
    path = tmp_path / "f.jsonl"
    check(path, force=False)
    path.write_text("mine")
    with pytest.raises(UsageError, match="already there"):
        check(path, force=False)
    check(path, force=True)
    for bad in (tmp_path, tmp_path / "no" / "f.jsonl"):
        with pytest.raises(UsageError):
            check(bad, force=True)
    check(tmp_path / ("x" * 300), force=False)
    with pytest.raises(UsageError, match="too long"):
        save(tmp_path / ("x" * 300), [])
