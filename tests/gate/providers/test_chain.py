"""The chain: what is known costs nothing, each attempt is a call, and a hang ends in time."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gate.config import Limits
from gate.errors import LimitError, SetupError, TransientError
from gate.providers.base import Reply, Request
from gate.providers.budget import Budget
from gate.providers.calls import Calls
from gate.providers.chain import Chain
from gate.providers.deadline import Deadline
from gate.providers.retry import Patience
from gate.records import Usage

QUICK = Patience(first=0.0)


@pytest.fixture
def calls(tmp_path: Path) -> Iterator[Calls]:
    opened = Calls(tmp_path / "calls.sqlite")
    yield opened
    opened.close()


def test_a_second_run_makes_no_call_even_without_any_budget(calls: Calls, scripted: Any, ask: Any) -> None:
    first = Budget(Limits())
    Chain(first, calls).around(scripted(Reply("x", Usage(7, 3)))).complete(ask())
    second, inner = Budget(Limits(max_calls=0)), scripted(Reply("y"))
    assert Chain(second, calls).around(inner).complete(ask()).text == "x"
    assert (first.spent().calls, first.spent().cached_calls) == (1, 0)
    assert (second.spent().calls, second.spent().cached_calls, second.spent().input_tokens) == (0, 1, 0)
    assert inner.requests == []


def test_each_attempt_is_a_call(calls: Calls, scripted: Any, ask: Any) -> None:
    budget = Budget(Limits(max_calls=3))
    throttled = TransientError("no", kind="throttled")
    provider = Chain(budget, calls, patience=QUICK).around(scripted(throttled, throttled, Reply("x"), throttled))
    assert provider.complete(ask("a")).text == "x"
    assert budget.spent().calls == 3
    with pytest.raises(LimitError):
        provider.complete(ask("b"))


def test_a_set_up_that_cannot_work_is_one_call(calls: Calls, scripted: Any, ask: Any) -> None:
    inner = scripted(SetupError("no key"))
    with pytest.raises(SetupError):
        Chain(Budget(Limits()), calls, patience=QUICK).around(inner).complete(ask())
    assert len(inner.requests) == 1


def test_a_hang_is_given_up_and_asked_once_more(calls: Calls, scripted: Any, ask: Any) -> None:
    never = threading.Event()

    def hang(request: Request) -> Reply:
        never.wait(60)
        return Reply("too late")

    inner = scripted(hang, Reply("in time"))
    inner.timeout = 0.05
    assert Chain(Budget(Limits()), calls, patience=QUICK).around(inner).complete(ask()).text == "in time"
    with pytest.raises(TransientError, match="no answer within 0.05 s") as caught:
        Deadline(scripted(hang), 0.05).complete(ask())
    assert caught.value.kind == "timeout"
    never.set()


def test_a_deadline_passes_replies_and_faults_on(scripted: Any, ask: Any) -> None:
    assert Deadline(scripted(Reply("x")), 5.0).complete(ask()).text == "x"
    with pytest.raises(ZeroDivisionError):
        Deadline(scripted(ZeroDivisionError()), 5.0).complete(ask())


def test_the_name_goes_through(calls: Calls, scripted: Any) -> None:
    provider = Chain(Budget(Limits()), calls).around(scripted(Reply("x")))
    assert (provider.name, provider.model) == ("scripted", "script-1")
