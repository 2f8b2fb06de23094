"""Rows as they are written: readable by the gate, whatever was in them."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.datasets import rows as module
from gate.datasets.base import Ledger, keep
from gate.datasets.output import check, save
from gate.datasets.rows import lines, settled, told
from gate.errors import InputFileError, UsageError
from gate.providers.replay import read_answers, read_dataset


def test_ids_stay_only_where_they_are_unique_and_fit():
    found = settled([{"question": "a", "id": "x"}, {"question": "b", "id": "x "}, {"question": "c", "id": 3},
                     {"question": "d", "id": True}, {"question": "e", "id": ["l"]}], Ledger())  # fmt: skip
    assert [row.get("id") for row in found] == [None, None, 3, None, None]
    assert [row.get("imported_id") for row in found] == ["x", "x ", None, True, ["l"]]


def test_a_strange_category_is_kept_aside():
    found = settled([{"category": "edge_cases", "question": "a"}, {"question": "b", "category": "maths"}], Ledger())
    assert found == [{"question": "a", "category": "edge_cases"}, {"question": "b", "imported_category": "maths"}]


def test_where_some_answer_those_that_do_not_are_left_out():
    ledger = Ledger()
    assert settled([{"question": "a", "answer": ""}, {"question": "b"}, {"question": " "}], ledger) == [
        {"question": "a", "answer": ""}
    ]
    assert ledger.told() == ["1 x question without an answer", "1 x row without a question"]


def test_names_of_the_gate_are_not_taken_by_others():
    assert keep({"question": "q", "turn": 1}, {"answer": "x", "turn": 2, "n": None, "note": "y"}, Ledger()) == {
        "question": "q", "turn": 1, "imported_answer": "x", "imported_turn": 2, "note": "y",
    }  # fmt: skip
    ledger = Ledger()
    keep({"question": "q", "imported_answer": "a"}, {"answer": "x"}, ledger)
    assert ledger.told() == ["1 x field that is there twice: answer"]


def test_a_long_ledger_is_told_to_the_end():
    ledger = Ledger()
    for number in range(50):
        ledger.out("field", f"{number:03}" * 100)
    assert len(ledger.told()) == 50
    assert max(map(len, ledger.told())) < 90


def test_what_is_kept_aside_takes_no_place_of_another():
    ledger = Ledger()
    rows = [{"question": "a", "category": "maths", "imported_category": "x"}]
    assert settled(rows, ledger) == [{"question": "a", "imported_category": "x"}]
    assert ledger.told() == ["1 x field that is there twice: category"]


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
    good = settled(rows, Ledger())
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
    text = lines([{"question": "a\x1b[2J\x9b\u202eb\ud800"}], "f")
    assert text == '{"question": "a\\u001b[2J\\u009b\\u202eb\\ud800"}\n'
    assert json.loads(text) == {"question": "a\x1b[2J\x9b\u202eb\ud800"}


@pytest.mark.parametrize("name", ["MAX_CHARS", "MAX_LINE"])
def test_a_file_that_the_gate_would_not_read_is_not_written(monkeypatch, name):
    monkeypatch.setattr(module, name, 20)
    with pytest.raises(InputFileError, match="row 1 makes the file larger"):
        lines([{"question": "q" * 30}], "f")


def test_told_in_a_few_words():
    assert told([{"question": "q", "answer": "a", "contexts": ["c"]}]) == "1 question (1 with answer, 1 with contexts)"
    assert told([{"question": "q"}, {"question": "r"}]) == "2 questions"


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
