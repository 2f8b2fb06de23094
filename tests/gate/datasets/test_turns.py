"""Messages to exchanges."""

import pytest

from gate.datasets.base import Ledger
from gate.datasets.turns import Turn, exchanges, role_of


def taken(*messages):
    """([(question, answer, tools)], what was left out) of ("role", text) pairs."""
    ledger = Ledger()
    found = exchanges([Turn(role_of(role), text) for role, text in messages], ledger)
    return [(e.question, e.answer, e.tools) for e in found], {reason: n for (reason, _), n in ledger.counts.items()}


@pytest.mark.parametrize(
    ("messages", "found", "left"),
    [
        ([("User", "q"), ("AI/Chatbot", "a")], [("q", "a", ())], {}),
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
        ([], [], {}),
    ],
)  # fmt: skip
def test_messages_become_exchanges(messages, found, left):
    assert taken(*messages) == (found, left)


@pytest.mark.parametrize("role", [None, 3, ["user"], "", "moderator"])
def test_a_strange_role_is_none(role):
    assert role_of(role) == ""
