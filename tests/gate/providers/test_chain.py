"""The chain: what is known costs nothing, each attempt is a call, and a hang ends in time."""

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gate.config import Limits
from gate.errors import BadReplyError, LimitError, SetupError, TransientError
from gate.providers.base import Reply, Request
from gate.providers.budget import Budget, Metered
from gate.providers.calls import Calls
from gate.providers.chain import Chain
from gate.providers.deadline import Deadline
from gate.providers.refused import Refused
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


class Learner:
    """A provider that may be told nothing of a temperature."""

    name, model, timeout = "learner", "m", 5.0

    def __init__(self, identity: str) -> None:
        self.identity, self.refused, self.asked = identity, Refused(), 0

    def complete(self, request: Request) -> Reply:
        self.asked += 1
        known = self.refused.of(request)
        if "temperature" not in known:
            told = BadReplyError("no temperature", kind="rejected")
            self.refused.learn(told, request, frozenset({"temperature"}), known)
        return Reply("x")

    def close(self) -> None:
        pass


def test_what_a_server_refuses_is_learnt_in_one_run_of_several(calls: Calls, ask: Any) -> None:
    def asked(identity: str, limit: int, fresh: bool = False) -> int:
        learner = Learner(identity)
        with contextlib.suppress(LimitError):
            chain = Chain(Budget(Limits(max_calls=limit)), calls, fresh=fresh)
            assert chain.around(learner).complete(ask(identity)).text == "x"
        return learner.asked

    assert asked("a", 1) == 1  # the refusal takes all that may be asked
    assert asked("a", 1) == 1  # and the next run gets its answer
    assert calls.get(ask("a").key("learner", "m\na")) is not None
    assert asked("b", 9) == 2
    assert asked("a", 9, fresh=True) == 2


def test_what_target_and_judge_learn_of_one_server_is_kept_together(calls: Calls, ask: Any) -> None:
    def met() -> tuple[Learner, Learner]:
        pair = Learner("a"), Learner("a")
        for learner in pair:
            Chain(Budget(Limits()), calls).around(learner)
        return pair

    refusal = BadReplyError("no", kind="rejected")
    for learner, part in zip(met(), ("schema", "system"), strict=True):
        with pytest.raises(BadReplyError):
            learner.refused.learn(refusal, ask(), frozenset({part}), frozenset())
    assert [learner.refused.of(ask()) for learner in met()] == [{"schema", "system"}] * 2


def test_a_record_that_fails_does_not_keep_a_server_from_being_asked(tmp_path: Path, ask: Any) -> None:
    closed = Calls(tmp_path / "c.sqlite")
    closed.close()
    learner = Learner("a")
    Chain(Budget(Limits()), closed).around(learner)
    assert Metered(learner, Budget(Limits())).complete(ask()).text == "x"
