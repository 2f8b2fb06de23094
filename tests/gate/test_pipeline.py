"""The for loop over the agents: in order, timed, and a limit ends the asking but not the judging."""

from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from gate.agents.score_risk import score_risk
from gate.config import Config
from gate.errors import LimitError, SetupError
from gate.pipeline import begin, conclude, run
from gate.providers.pool import INTERRUPTED
from gate.records import Answer, Claim, Decision, Label, Prompt, Verdict


def fresh(config=None):
    return begin(SimpleNamespace(config=config, counting=None, limit=None, shard=None))


def first(state):
    state["seen"] = ["first"]


def second(state):
    state["seen"].append("second")


def third(state):
    state["seen"].append("third")


def limited(state):
    state["seen"].append("limited")
    raise LimitError("the limit of 3 calls is reached", "raise it")


def test_agents_run_in_order_watched_and_timed():
    state, watched, guarded = fresh(), [], []

    @contextmanager
    def guard():
        guarded.append("in")
        yield
        guarded.append("out")

    seconds = run(state, (first, second, third), watched.append, guard)
    assert guarded == ["in", "out"] * 3
    assert state["seen"] == watched == list(seconds) == ["first", "second", "third"]
    assert all(value >= 0 for value in seconds.values())
    assert state["void"] == []
    assert "limit" not in state


def test_after_a_limit_the_others_still_run_and_the_run_is_void():
    state = fresh()
    seconds = run(state, (first, limited, limited, third))
    assert state["seen"] == ["first", "limited", "limited", "third"]
    assert state["void"] == ["the limit of 3 calls is reached"]
    assert state["limit"] == "the limit of 3 calls is reached"
    assert "limited" in seconds


def test_ctrl_c_in_local_work_ends_the_run_with_what_is_there():
    def interrupted(state):
        raise KeyboardInterrupt

    state = fresh()
    seconds = run(state, (first, interrupted, second))
    assert (state["seen"], state["void"], state["limit"]) == (["first"], [INTERRUPTED], INTERRUPTED)
    assert list(seconds) == ["first", "interrupted"]


def ended_in(agent, **left):
    """A state of a run that was ended while that agent worked."""
    config = Config.model_validate({"use_case": "x", "model": {"provider": "replay", "path": "a.jsonl"}})
    state = fresh(config)
    claims = [Claim(f"q:{n}", "q", "q", "t", 0, 1) for n in range(3)]
    state.update(prompts=[Prompt("q", "?")], responses=[Answer("q", "q", "t")], claims=claims, **left)
    run(state, (agent,))
    conclude(state)
    return state


def test_what_was_left_open_is_unjudged_and_never_a_pass():
    def interrupted(state):
        state["verdicts"] = [Verdict(state["claims"][1], Label.SUPPORTED, "")]
        raise KeyboardInterrupt

    state = ended_in(interrupted)
    assert [verdict.label.value for verdict in state["verdicts"]] == ["unjudged", "supported", "unjudged"]
    assert [verdict.claim for verdict in state["verdicts"]] == state["claims"]
    assert state["score"].decision is Decision.INCONCLUSIVE
    assert state["score"].ledger.balanced
    assert INTERRUPTED in state["score"].reasons


@pytest.mark.parametrize("error", [KeyboardInterrupt(), LimitError("the limit of 3 calls is reached")])
def test_a_scoring_that_was_ended_is_no_pass_either(error):
    def scoring(state):
        state["verdicts"] = [Verdict(claim, Label.SUPPORTED, "") for claim in state["claims"]]
        score_risk(state)
        assert state["score"].decision is Decision.DEPLOY
        raise error

    state = ended_in(scoring)
    assert state["score"].decision is Decision.INCONCLUSIVE
    assert state["score"].risk == 0.0


@pytest.mark.parametrize("error", [SetupError, KeyError])
def test_anything_else_ends_the_run_at_once(error):
    def failing(state):
        raise error("x")

    state = fresh()
    with pytest.raises(error):
        run(state, (first, failing, second))
    assert state["seen"] == ["first"]
    assert state["void"] == []
