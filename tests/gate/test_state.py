"""`attempt`: one item's fault is a value, a fault of the set-up is not; `each`: many items, counted."""

from types import SimpleNamespace

import pytest

from gate.config import Config
from gate.errors import BadReplyError, LimitError, SetupError, StoreError, TransientError
from gate.records import Failure
from gate.state import State, attempt, each
from tests.support.counted import Counter


def trying(error):
    state = State(failures=[])

    def work():
        raise error

    return state, lambda: attempt(state, "run_model", "p1", work)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (TransientError("too slow", kind="timeout"), "timeout"),
        (BadReplyError("empty", kind="empty"), "empty"),
        (StoreError("odd"), "StoreError"),
    ],
)
def test_a_fault_of_one_item_becomes_a_failure(error, kind):
    state, go = trying(error)
    assert go() is None
    assert state["failures"] == [Failure("run_model", "p1", kind, error.message)]


@pytest.mark.parametrize("error", [SetupError("no key"), LimitError("too dear"), KeyError("a bug of ours")])
def test_what_no_other_item_can_escape_ends_the_run(error):
    state, go = trying(error)
    with pytest.raises(type(error)):
        go()
    assert state["failures"] == []


def test_items_are_done_at_once_and_counted_where_somebody_counts():
    config = Config.model_validate({"use_case": "x", "model": {"provider": "replay", "path": "a.jsonl"}})
    counter = Counter()
    state = State(config=config, tools=SimpleNamespace(budget=None))
    for given in (state, State(**state, counting=counter)):
        assert [done.get() for done in each(given, lambda item: item + 1, [1, 2, 3], "numbers").results] == [2, 3, 4]
    assert counter.counted == [("numbers", 3, 3)]
