"""Columns by name, whoever named them; messages as exchanges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.datasets.base import (
    ALIASES,
    Leftovers,
    Turn,
    contexts_of,
    exchanges,
    normalise_name,
    number_of,
    role_of,
    row_of,
)


@pytest.mark.parametrize(
    "name", ["expected_output", "Expected Output", "expectedOutput", "expected-output", " EXPECTED OUTPUT"]
)
def test_one_name_in_many_spellings(name):
    assert normalise_name(name) == "expected_output"


@pytest.mark.parametrize(
    ("fields", "row"),
    [
        ({"Question": "q?", "Answer": "a"}, {"question": "q?", "answer": "a"}),
        ({"query": "q?", "response": "a", "ground_truth": "r"}, {"question": "q?", "answer": "a", "reference": "r"}),
        ({"question": "q?", "reference": "  ", "ideal": "r"}, {"question": "q?", "reference": "r"}),
        ({"question": "q?", "latency_ms": "12.5", "prompt_tokens": "7"},
         {"question": "q?", "latency_ms": 12.5, "input_tokens": 7}),
        ({"question": "q?", "contexts": '["a", "b"]'}, {"question": "q?", "contexts": ["a", "b"]}),
        ({"question": "q?", "context": "one text"}, {"question": "q?", "contexts": ["one text"]}),
        ({"question": "q?", "note": "n", "empty": ""}, {"question": "q?", "note": "n"}),
    ],
)  # fmt: skip
def test_columns_become_fields(fields, row):
    assert row_of(fields, Leftovers()) == row


def test_the_first_alias_counts_and_the_others_are_kept():
    assert row_of({"prompt": "p", "question": "q?", "output": "o", "response": "a"}, Leftovers()) == {
        "question": "q?", "answer": "a", "prompt": "p", "output": "o",
    }  # fmt: skip


def test_what_a_field_cannot_hold_is_kept_under_another_name():
    row = row_of({"question": "q?", "latency_ms": "soon", "answer": {"text": "a"}, "model": ["x", 1]}, Leftovers())
    assert row == {
        "question": "q?", "imported_latency_ms": "soon", "imported_answer": {"text": "a"}, "imported_model": ["x", 1],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("cell", "contexts"),
    [
        ("['it''s', \"two\"]", ["its", "two"]),
        ("['a\\n', 'b']", ["a\n", "b"]),
        ("[__import__('os')]", ["[__import__('os')]"]),
        ("[" * 5000 + "]" * 5000, ["[" * 5000 + "]" * 5000]),
        ("", []),
        ([{"text": "t"}, {"page_content": "p"}, "s", "  ", 5], ["t", "p", "s", "5"]),
    ],
)
def test_contexts_of_a_cell(cell, contexts):
    assert contexts_of(cell, Leftovers()) == contexts


@pytest.mark.parametrize(
    ("value", "number"), [("3", 3), (2.5, 2.5), (-1, None), (True, None), ("nan", None), ("inf", None), ([], None)]
)
def test_numbers(value, number):
    assert number_of(value) == number


@given(st.dictionaries(st.text(max_size=12) | st.sampled_from(sorted(ALIASES)), st.none() | st.text(max_size=8)))
def test_no_value_is_lost(fields):
    ledger = Leftovers()
    row = row_of(fields, ledger)
    left = [value for value in fields.values() if value not in (None, "")]
    kept = [value[0] if isinstance(value, list) else value for value in row.values()]
    texts = {str(value).strip() for value in kept}
    assert all(
        value.strip() == "" or value.strip() in texts or ledger.counts or number_of(value) is not None for value in left
    )


def taken(*messages):
    """([(question, answer, tools)], what was left out) of ("role", text) pairs."""
    ledger = Leftovers()
    found = exchanges([Turn(role_of(role), text) for role, text in messages], ledger)
    return [(*e.row.values(), e.tools) for e in found], {reason: n for (reason, _), n in ledger.counts.items()}


@pytest.mark.parametrize(
    ("messages", "found", "left"),
    [
        ([("human", "q"), ("ai", "a"), ("human", "q2"), ("ai", "")], [("q", "a", ()), ("q2", "", ())], {}),
        ([("user", "hi"), ("user", "q"), ("assistant", "a"), ("bot", "b")], [("hi\nq", "a\nb", ())], {}),
        ([("assistant", "welcome"), ("user", "q"), ("assistant", "a")], [("q", "a", ())],
         {"message that answers no question": 1}),
        ([("user", "q"), ("assistant", "a"), ("user", "q2")], [("q", "a", ())], {"question without an answer": 1}),
        ([("system", "s"), ("user", "q"), ("tool", "t"), ("assistant", "a")], [("q", "a", ("t",))],
         {"message of the system": 1}),
        ([("user", "q"), ("tool", "t"), ("tool", "u")], [],
         {"question without an answer": 1, "message of a tool before no answer": 2}),
        ([("user", "q"), ("assistant", None), ("assistant", "a")], [("q", "a", ())], {"message without text": 1}),
        ([("user", " "), ("wizard", "x"), ("user", "q"), ("assistant", "a")], [("q", "a", ())],
         {"message without text": 1, "message of an unknown role": 1}),
    ],
)  # fmt: skip
def test_messages_become_exchanges(messages, found, left):
    assert taken(*messages) == (found, left)
