"""The chain: what is known costs nothing, each attempt is a call, and a hang ends in time."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from gate.config import Limits
from gate.errors import BadReplyError, GateError, LimitError, ProviderError, SetupError, TransientError
from gate.providers.base import Message, Reply, Request
from gate.providers.budget import Budget
from gate.providers.calls import Calls
from gate.providers.chain import Chain, Deadline, Patience, Preflight, Retry, Throttle, check_judge
from gate.providers.connect import connect
from gate.providers.faults import Refused
from gate.providers.openai import OpenAI
from gate.records import Usage

QUICK = Patience(first=0.0)
THROTTLED = TransientError("slow", kind="throttled")


def test_a_second_run_makes_no_call_even_without_any_budget(calls: Calls, scripted: Any, ask: Any) -> None:
    first = Budget(Limits())
    Chain(first, calls).around(scripted(Reply("x", Usage(7, 3)))).complete(ask())
    second, inner = Budget(Limits(max_calls=0)), scripted(Reply("y"))
    assert Chain(second, calls).around(inner).complete(ask()).text == "x"
    assert (first.spent().calls, first.spent().cached_calls) == (1, 0)
    assert (second.spent().calls, second.spent().cached_calls, second.spent().input_tokens) == (0, 1, 0)
    assert inner.requests == []


class Learner:
    """A provider that may be told nothing of a temperature."""

    name, model, timeout = "learner", "m", 5.0

    def __init__(self, identity: str) -> None:
        self.identity, self.refused, self.asked = identity, Refused("temperature", "system"), 0

    def complete(self, request: Request) -> Reply:
        self.asked += 1
        known = self.refused.of(request)
        if "temperature" not in known:
            self.refused.learn(BadReplyError("no temperature", kind="rejected"), request, known)
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

    request = Request((Message("system", "s"),))
    for learner, words in zip(met(), ("no temperature", "system is not supported"), strict=True):
        with pytest.raises(BadReplyError):
            learner.refused.learn(BadReplyError(words, kind="rejected"), request, frozenset())
    assert [learner.refused.of(ask()) for learner in met()] == [{"temperature", "system"}] * 2


def throttled(retry_after: float | None = None) -> TransientError:
    return TransientError("slow down", kind="throttled", retry_after=retry_after)


def test_waits_grow_to_a_bound_and_the_last_error_is_told(scripted: Any, ask: Any) -> None:
    waits: list[float] = []
    inner = scripted(*[throttled() for _ in range(19)], TransientError("the last", kind="server"))
    with pytest.raises(TransientError, match="the last"):
        Retry(inner, Patience(sleep=waits.append, attempts=20, first=1.0, longest=4.0)).complete(ask())
    assert len(inner.requests) == 20
    assert all(wait <= min(4.0, 2.0**number) for number, wait in enumerate(waits))
    assert len(set(waits)) > 1


def test_the_time_that_the_server_names_is_waited(scripted: Any, ask: Any) -> None:
    waits: list[float] = []
    inner = scripted(throttled(20.0), throttled(0.0), Reply("ok"))
    assert Retry(inner, Patience(sleep=waits.append, longest=5.0)).complete(ask()).text == "ok"
    assert 20.0 <= waits[0] <= 25.2
    assert 0.0 <= waits[1] <= 0.2
    with pytest.raises(TransientError):  # a time beyond all patience
        Retry(scripted(throttled(3600.0)), Patience(sleep=lambda seconds: pytest.fail("waited"))).complete(ask())


@pytest.mark.parametrize(
    ("error", "calls"),
    [
        (SetupError("no key"), 1),
        (BadReplyError("withheld", kind="filtered"), 1),
        (BadReplyError("nothing", kind="empty"), 2),
        (TransientError("hung", kind="timeout"), 2),
        (TransientError("reset", kind="connection"), 6),
    ],
)
def test_each_fault_has_its_number_of_tries(scripted: Any, ask: Any, error: GateError, calls: int) -> None:
    inner = scripted(error)
    with pytest.raises(type(error)) as caught:
        Retry(inner, Patience(sleep=lambda seconds: None)).complete(ask())
    assert caught.value is error
    assert len(inner.requests) == calls


def run(throttle: Throttle, request: Request, times: int = 1) -> list[float]:
    widths = []
    for _ in range(times):
        with contextlib.suppress(ProviderError):
            throttle.complete(request)
        widths.append(throttle.width)
    return widths


@pytest.mark.parametrize("kind", ["throttled", "server", "timeout"])
def test_it_halves_down_to_one_and_grows_again(scripted: Any, ask: Any, kind: str) -> None:
    throttle = Throttle(scripted(*[TransientError("no", kind=kind)] * 20, Reply("x")), 8)
    assert run(throttle, ask(), 20) == [8] * 3 + [4] * 4 + [2] * 4 + [1] * 9
    assert 2 < run(throttle, ask(), 3)[-1] < 4
    assert run(throttle, ask(), 100)[-1] == 8


def test_a_few_refusals_and_other_faults_change_nothing(scripted: Any, ask: Any) -> None:
    assert set(run(Throttle(scripted(*([THROTTLED] + [Reply("x")] * 19) * 20), 8), ask(), 400)) == {8}
    for error in (BadReplyError("no", kind="empty"), TransientError("r", kind="connection")):
        assert set(run(Throttle(scripted(error), 8), ask(), 9)) == {8}


@pytest.mark.parametrize("fault", [None, SetupError("no key")])
def test_the_preflight_is_made_once_and_where_it_fails_nothing_is_asked(
    scripted: Any, ask: Any, fault: SetupError | None
) -> None:
    inner, before = scripted(Reply("x")), []

    def check() -> None:
        before.append(len(inner.requests))
        if fault is not None:
            raise fault

    provider = Preflight(inner, check)
    with ThreadPoolExecutor(8) as pool:
        found = [pool.submit(provider.complete, ask(str(n))) for n in range(8)]
    assert {future.exception() for future in found} == {fault}
    assert (before, len(inner.requests)) == ([0], 0 if fault else 8)


@pytest.mark.parametrize("error", [None, THROTTLED])
def test_no_more_than_the_width_are_inside_and_a_burst_of_refusals_halves_once(
    scripted: Any, ask: Any, error: Exception | None
) -> None:
    meet, inside, most, lock = threading.Barrier(32), [0], [0], threading.Lock()

    def busy(request: Request) -> Reply:
        with lock:
            inside[0] += 1
            most[0] = max(most[0], inside[0])
        meet.wait(10)  # passes only if as many as may be here are here
        with lock:
            inside[0] -= 1
        if error is not None:
            raise error
        return Reply("x")

    throttle = Throttle(scripted(busy), 32)
    with ThreadPoolExecutor(64) as pool:
        list(pool.map(lambda _: run(throttle, ask()), range(32 if error is not None else 64)))
    assert (most[0], throttle.width) == (32, 16 if error is not None else 32)


@pytest.mark.parametrize("error", [None, TransientError("busy"), BadReplyError("empty"), LimitError("over")])
def test_only_a_fault_of_the_set_up_ends_a_run_before_it_begins(scripted: Any, error: Exception | None) -> None:
    inner = scripted(error or Reply("x"))
    check_judge(inner, Budget(Limits(max_calls=2)))
    assert len(inner.requests) == 1
    for left_to_the_answer in (0, 1):
        check_judge(inner, Budget(Limits(max_calls=left_to_the_answer)))
    assert len(inner.requests) == 1
    with pytest.raises(SetupError):
        check_judge(scripted(SetupError("no key")), Budget(Limits()))


def test_a_hang_is_left_behind_and_asked_once_more(calls: Calls, scripted: Any, ask: Any) -> None:
    never, finished = threading.Event(), threading.Semaphore(0)

    def hang(request: Request) -> Reply:
        assert threading.current_thread().daemon  # it keeps no program alive
        never.wait(20)
        finished.release()
        return Reply("too late")

    inner = scripted(hang)
    inner.timeout = 0.05
    with pytest.raises(TransientError, match=r"scripted: no answer within 0\.05 s") as caught:
        Chain(Budget(Limits()), calls, patience=QUICK).around(inner).complete(ask())
    assert (caught.value.kind, len(inner.requests)) == ("timeout", 2)
    assert "limits.concurrency" in caught.value.hint
    assert not finished.acquire(blocking=False)
    never.set()
    assert finished.acquire(timeout=20)  # a late end harms nobody


@pytest.mark.parametrize("fault", [BadReplyError("empty"), KeyError("rope"), SystemExit(3), TimeoutError("its own")])
def test_a_deadline_hands_on_the_fault_of_the_call_itself(scripted: Any, ask: Any, fault: BaseException) -> None:
    with pytest.raises(type(fault)) as caught:
        Deadline(scripted(fault), 20).complete(ask())
    assert caught.value is fault


def test_addresses_and_keys_come_from_the_configuration_or_the_environment() -> None:
    environ = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://env/v1", "OLLAMA_HOST": "http://gpu:11434"}
    first, second = connect("openai", "m", environ), connect("openai", "m", environ, "http://own/v1")
    third = connect("ollama", "m", environ)
    assert [model.identity for model in (first, second, third)] == [
        "http://env/v1",
        "http://own/v1",
        "http://gpu:11434",
    ]
    assert isinstance(first, OpenAI)
    assert first._headers["Authorization"] == "Bearer k"
    for model in (first, second, third):
        model.close()
    with pytest.raises(ValueError, match="no remote provider 'replay'"):
        connect("replay", "m", {})
