"""What is asked first of all, and what becomes of the calls behind it."""

import threading
from pathlib import Path
from typing import Any

import pytest

from gate.config import Limits
from gate.errors import BadReplyError, LimitError, SetupError, TransientError
from gate.providers.base import Reply
from gate.providers.budget import Budget
from gate.providers.calls import Calls
from gate.providers.chain import Chain
from gate.providers.first import First, reach
from tests.support.fake_models import FakeModels


def test_it_is_done_once_before_the_first_call(scripted: Any, ask: Any) -> None:
    inner, before = scripted(Reply("x")), []
    first = First(inner, lambda: before.append(len(inner.requests)))
    threads = [threading.Thread(target=first.complete, args=(ask(str(n)),)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (before, len(inner.requests)) == ([0], 8)
    assert (first.name, first.model, first.identity) == (inner.name, inner.model, inner.identity)


def test_where_it_fails_nothing_is_asked(scripted: Any, ask: Any) -> None:
    inner, done = scripted(Reply("x")), []

    def before() -> None:
        done.append(True)
        raise SetupError("no key")

    first = First(inner, before)
    for _ in range(2):
        with pytest.raises(SetupError, match="no key"):
            first.complete(ask())
    assert (inner.requests, done) == ([], [True])


def test_what_is_recorded_needs_nothing_first(tmp_path: Path, scripted: Any, ask: Any) -> None:
    calls, done = Calls(tmp_path / "calls.sqlite"), []
    for _ in range(2):
        chain = Chain(Budget(Limits()), calls)
        assert chain.around(scripted(Reply("x")), lambda: done.append(True)).complete(ask()).text == "x"
    assert done == [True]
    calls.close()


@pytest.mark.parametrize("provider", ["openai", "ollama", "bedrock"])
@pytest.mark.parametrize("fault", ["401", "403", "404"])
def test_what_no_call_can_mend_is_raised(server: FakeModels, remote: Any, fault: str, provider: str) -> None:
    server.faults = [fault]
    with pytest.raises(SetupError):
        reach(remote(provider), Budget(Limits()))


@pytest.mark.parametrize("provider", ["openai", "ollama", "bedrock"])
@pytest.mark.parametrize("fault", ["", "500", "429", "400", "cut", "empty", "truncated"])
def test_what_may_pass_is_left_to_the_calls_that_follow(
    server: FakeModels, remote: Any, fault: str, provider: str
) -> None:
    server.faults = [fault]
    budget = Budget(Limits())
    reach(remote(provider), budget)
    assert (budget.spent().calls, len(server.sent)) == (1, 1)


def test_a_limit_holds_for_it_too(scripted: Any) -> None:
    inner = scripted(Reply("x"))
    reach(inner, Budget(Limits(max_calls=0)))
    assert inner.requests == []


@pytest.mark.parametrize("error", [TransientError("busy"), BadReplyError("empty"), LimitError("over")])
def test_only_a_fault_of_the_set_up_ends_a_run(scripted: Any, error: Exception) -> None:
    reach(scripted(error), Budget(Limits()))


def test_where_one_call_may_be_made_it_is_left_to_the_answer(scripted: Any) -> None:
    inner = scripted(Reply("x"))
    reach(inner, Budget(Limits(max_calls=1)))
    assert inner.requests == []
    reach(inner, Budget(Limits(max_calls=2)))
    assert len(inner.requests) == 1
