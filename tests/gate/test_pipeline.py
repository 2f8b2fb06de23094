"""The for loop over the agents: in order, timed, and a limit ends the asking but not the judging."""

import pytest

from gate.errors import LimitError, SetupError
from gate.pipeline import AGENTS, run, start


def first(state):
    state["seen"] = ["first"]


def second(state):
    state["seen"].append("second")


def third(state):
    state["seen"].append("third")


def limited(state):
    state["seen"].append("limited")
    raise LimitError("the limit of 3 calls is reached", "raise it")


def test_the_agents_are_the_six_in_the_order_of_the_data():
    assert [agent.__name__ for agent in AGENTS] == [
        "generate_prompts",
        "run_model",
        "extract_claims",
        "retrieve_evidence",
        "verify_claims",
        "score_risk",
    ]


def test_a_fresh_state_holds_what_is_given_and_shares_nothing():
    one, other = start("config", "tools"), start("config", "tools")
    assert one == {"config": "config", "tools": "tools", "failures": [], "void": []}
    one["void"].append("x")
    one["failures"].append("y")
    assert other["void"] == other["failures"] == []


def test_agents_run_in_order_watched_and_timed():
    state, watched = start(None, None), []
    seconds = run(state, (first, second, third), watched.append)
    assert state["seen"] == watched == list(seconds) == ["first", "second", "third"]
    assert all(value >= 0 for value in seconds.values())
    assert state["void"] == []
    assert "limit" not in state


def test_after_a_limit_the_others_still_run_and_the_run_is_void():
    state = start(None, None)
    seconds = run(state, (first, limited, third))
    assert state["seen"] == ["first", "limited", "third"]
    assert state["void"] == ["the limit of 3 calls is reached"]
    assert state["limit"] == "the limit of 3 calls is reached"
    assert "limited" in seconds


@pytest.mark.parametrize("error", [SetupError, KeyError, KeyboardInterrupt])
def test_anything_else_ends_the_run_at_once(error):
    def failing(state):
        raise error("x")

    state = start(None, None)
    with pytest.raises(error):
        run(state, (first, failing, second))
    assert state["seen"] == ["first"]
    assert state["void"] == []
