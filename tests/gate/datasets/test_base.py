"""Columns by name, whoever named them; messages as exchanges."""

import pytest

from gate.datasets.base import Leftovers, contexts_of, number_of, row_of
from gate.datasets.conversations import Turn, exchanges, role_of


@pytest.mark.parametrize(
    ("fields", "row"),
    [
        ({" QUESTION": "q?", "Expected Output": "r"}, {"question": "q?", "reference": "r"}),
        ({"user-query": "q?", "expectedOutput": "r"}, {"question": "q?", "reference": "r"}),
        ({"query": "q?", "response": "a", "ground_truth": "r"}, {"question": "q?", "answer": "a", "reference": "r"}),
        ({"question": "q?", "reference": "  ", "ideal": "r"}, {"question": "q?", "reference": "r"}),
        ({"question": "q?", "latency_ms": "12.5", "prompt_tokens": "7"},
         {"question": "q?", "latency_ms": 12.5, "input_tokens": 7}),
        ({"question": "q?", "contexts": '["a", "b"]'}, {"question": "q?", "contexts": ["a", "b"]}),
        ({"question": "q?", "context": "one text"}, {"question": "q?", "contexts": ["one text"]}),
        ({"question": "q?", "note": "n", "empty": ""}, {"question": "q?", "note": "n"}),
        # The first alias counts, and the others are kept.
        ({"prompt": "p", "question": "q?", "output": "o", "response": "a"},
         {"question": "q?", "answer": "a", "prompt": "p", "output": "o"}),
        # What a field cannot hold is kept under another name.
        ({"question": "q?", "latency_ms": "soon", "answer": {"text": "a"}, "model": ["x", 1]},
         {"question": "q?", "imported_latency_ms": "soon", "imported_answer": {"text": "a"},
          "imported_model": ["x", 1]}),
    ],
)  # fmt: skip
def test_columns_become_fields(fields, row):
    assert row_of(fields, Leftovers()) == row


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


def taken(*messages):
    """([(question, answer, what tools said, how many messages before)], what was left out) of ("role", text) pairs."""
    ledger = Leftovers()
    found = exchanges([Turn(role_of(role), text) for role, text in messages], ledger)
    rows = [(e.row["question"], e.row["answer"], tuple(turn.text for turn in e.tools), len(e.before)) for e in found]
    return rows, {reason: n for (reason, _), n in ledger.counts.items()}


@pytest.mark.parametrize(
    ("messages", "found", "left"),
    [
        ([("human", "q"), ("ai", "a"), ("human", "q2"), ("ai", "")], [("q", "a", (), 0), ("q2", "", (), 2)], {}),
        ([("user", "hi"), ("user", "q"), ("assistant", "a"), ("bot", "b")], [("hi\nq", "a\nb", (), 0)], {}),
        ([("assistant", "welcome"), ("user", "q"), ("assistant", "a")], [("q", "a", (), 1)], {}),
        ([("system", "s"), ("assistant", "welcome")], [],
         {"message of the system": 1, "message that answers no question": 1}),
        ([("user", "q"), ("assistant", "a"), ("user", "q2")], [("q", "a", (), 0)], {"question without an answer": 1}),
        ([("system", "s"), ("user", "q"), ("tool", "t"), ("assistant", "a")], [("q", "a", ("t",), 1)], {}),
        ([("user", "q"), ("tool", "t"), ("tool", "u")], [],
         {"question without an answer": 1, "message of a tool before no answer": 2}),
        ([("user", "q"), ("assistant", None), ("assistant", "a")], [("q", "a", (), 0)], {"message without text": 1}),
        ([("user", " "), ("wizard", "x"), ("user", "q"), ("assistant", "a")], [("q", "a", (), 0)],
         {"message without text": 1, "message of an unknown role": 1}),
    ],
)  # fmt: skip
def test_messages_become_exchanges(messages, found, left):
    assert taken(*messages) == (found, left)
