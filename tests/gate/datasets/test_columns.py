"""Columns by name, whoever named them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.datasets.base import FIELDS, Ledger
from gate.datasets.columns import asks, contexts_of, mapped, normal, number_of, text_of


@pytest.mark.parametrize(
    "name", ["expected_output", "Expected Output", "expectedOutput", "expected-output", " EXPECTED OUTPUT"]
)
def test_one_name_in_many_spellings(name):
    assert normal(name) == "expected_output"


@pytest.mark.parametrize(
    ("fields", "row"),
    [
        ({"Question": "q?", "Answer": "a"}, {"question": "q?", "answer": "a"}),
        ({"query": "q?", "response": "a", "ground_truth": "r"}, {"question": "q?", "answer": "a", "reference": "r"}),
        ({"input": "q?", "expectedOutput": "r"}, {"question": "q?", "reference": "r"}),
        ({"question": "q?", "answer": ""}, {"question": "q?", "answer": ""}),
        ({"question": "q?", "reference": "  ", "ideal": "r"}, {"question": "q?", "reference": "r"}),
        ({"question": "q?", "latency_ms": "12.5", "prompt_tokens": "7"},
         {"question": "q?", "latency_ms": 12.5, "input_tokens": 7}),
        ({"question": 12}, {"question": "12"}),
        ({"question": "q?", "contexts": '["a", "b"]'}, {"question": "q?", "contexts": ["a", "b"]}),
        ({"question": "q?", "context": "one text"}, {"question": "q?", "contexts": ["one text"]}),
        ({"question": "q?", "note": "n", "empty": ""}, {"question": "q?", "note": "n"}),
        ({"answer": "a"}, {"answer": "a"}),
    ],
)  # fmt: skip
def test_columns_become_fields(fields, row):
    assert mapped(fields, Ledger()) == row


def test_the_first_alias_counts_and_the_others_are_kept():
    assert mapped({"prompt": "p", "question": "q?", "output": "o", "response": "a"}, Ledger()) == {
        "question": "q?", "answer": "a", "prompt": "p", "output": "o",
    }  # fmt: skip


def test_what_a_field_cannot_hold_is_kept_under_another_name():
    row = mapped({"question": "q?", "latency_ms": "soon", "answer": {"text": "a"}, "model": ["x", 1]}, Ledger())
    assert row == {
        "question": "q?", "imported_latency_ms": "soon", "imported_answer": {"text": "a"}, "imported_model": ["x", 1],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("cell", "contexts"),
    [
        ("['it''s', \"two\"]", ["its", "two"]),
        ("['a\\n', 'b']", ["a\n", "b"]),
        ("[1] see the note", ["[1] see the note"]),
        ("[1]", ["[1]"]),
        ("[__import__('os')]", ["[__import__('os')]"]),
        ("[" * 5000 + "]" * 5000, ["[" * 5000 + "]" * 5000]),
        ("", []),
        ([{"text": "t"}, {"page_content": "p"}, "s", "  ", 5], ["t", "p", "s", "5"]),
    ],
)
def test_contexts_of_a_cell(cell, contexts):
    assert contexts_of(cell, Ledger()) == contexts


def test_contexts_without_text_are_counted():
    ledger = Ledger()
    assert contexts_of([{"id": 1}, None, "a"], ledger) == ["a"]
    assert ledger.counts == {("context without text", ""): 2}


def test_what_a_context_says_besides_its_text_is_counted():
    ledger = Ledger()
    assert contexts_of([{"text": "a", "source": "s", "score": None}], ledger) == ["a"]
    assert ledger.counts == {("field of a context", "source"): 1}


@pytest.mark.parametrize(
    ("value", "number"), [("3", 3), (2.5, 2.5), (-1, None), (True, None), ("nan", None), ("inf", None), ([], None)]
)
def test_numbers(value, number):
    assert number_of(value) == number


@pytest.mark.parametrize(
    ("value", "text"), [("a", "a"), (1, "1"), (["a", "b"], "a\nb"), ([], None), ([1], None), (True, None), (None, None)]
)
def test_texts(value, text):
    assert text_of(value) == text


@given(st.dictionaries(st.text(max_size=12) | st.sampled_from(sorted(FIELDS)), st.none() | st.text(max_size=8)))
def test_no_value_is_lost(fields):
    ledger = Ledger()
    row = mapped(fields, ledger)
    left = [value for value in fields.values() if value not in (None, "")]
    kept = [value[0] if isinstance(value, list) else value for value in row.values()]
    texts = {str(value).strip() for value in kept}
    assert all(
        value.strip() == "" or value.strip() in texts or ledger.counts or number_of(value) is not None for value in left
    )


def test_a_question_goes_by_many_names():
    assert asks(["x", "User Input"])
    assert not asks(["x", "y"])
