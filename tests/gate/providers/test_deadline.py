"""The deadline of one call: an answer in time, a fault in time, or a time-out."""

import threading

import pytest

from gate.errors import BadReplyError, GateError, TransientError
from gate.providers.base import Message, Reply, Request
from gate.providers.deadline import Deadline, within
from gate.records import Usage

REQUEST = Request((Message("user", "When does the ferry leave?"),))


class Ferryman:
    """Answers once `gate` is open."""

    name, model = "ferry", "oar-2"

    def __init__(self, gate: threading.Event, fault: Exception | None = None) -> None:
        self.gate, self.fault = gate, fault
        self.asked: list[Request] = []

    def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        self.gate.wait(20)
        if self.fault:
            raise self.fault
        return Reply("At noon.", Usage(5, 2))


class Named(Ferryman):
    identity = "oar-2@pier"


def opened() -> threading.Event:
    gate = threading.Event()
    gate.set()
    return gate


@pytest.mark.parametrize("value", [None, 0, "", "tide", [1, 2], ValueError("a value, not a fault")])
def test_the_result_of_the_work(value: object) -> None:
    assert within(20, "pier", lambda: value) is value


@pytest.mark.parametrize(
    "fault", [KeyError("rope"), BadReplyError("empty", "ask again"), KeyboardInterrupt(), SystemExit(3)]
)
def test_the_fault_of_the_work(fault: BaseException) -> None:
    def work() -> None:
        raise fault

    with pytest.raises(type(fault)) as caught:
        within(20, "pier", work)
    assert caught.value is fault


def test_a_time_out_of_the_work_itself_is_not_called_one_of_the_deadline() -> None:
    fault = TimeoutError("the pier's own clock")

    def work() -> None:
        raise fault

    with pytest.raises(TimeoutError) as caught:
        within(20, "pier", work)
    assert caught.value is fault


def test_time_over_leaves_the_work_behind() -> None:
    gate, finished = threading.Event(), threading.Event()

    def work() -> None:
        gate.wait(20)
        finished.set()

    with pytest.raises(TransientError, match=r"pier: no answer within 0\.05 s") as caught:
        within(0.05, "pier", work)
    assert caught.value.kind == "timeout"
    assert "limits.concurrency" in caught.value.hint
    assert isinstance(caught.value, GateError)
    assert not finished.is_set()
    gate.set()
    assert finished.wait(20)  # a late end harms nobody


def test_the_work_is_done_elsewhere_and_keeps_no_program_alive() -> None:
    worker = within(20, "pier", threading.current_thread)
    assert worker is not threading.current_thread()
    assert worker.daemon


def test_one_slow_call_does_not_hold_up_the_next() -> None:
    gate = threading.Event()
    with pytest.raises(TransientError):
        within(0.05, "slow", lambda: gate.wait(20))
    assert within(20, "quick", lambda: "there") == "there"
    gate.set()


def test_a_provider_in_time() -> None:
    inner = Ferryman(opened())
    assert Deadline(inner, 20).complete(REQUEST) == Reply("At noon.", Usage(5, 2))
    assert inner.asked == [REQUEST]


def test_a_provider_too_late() -> None:
    inner = Ferryman(threading.Event())
    with pytest.raises(TransientError, match="ferry: no answer within") as caught:
        Deadline(inner, 0.05).complete(REQUEST)
    assert caught.value.kind == "timeout"
    inner.gate.set()


def test_a_provider_with_a_fault() -> None:
    with pytest.raises(BadReplyError, match="sunk"):
        Deadline(Ferryman(opened(), BadReplyError("sunk", "swim")), 20).complete(REQUEST)


@pytest.mark.parametrize(("kind", "identity"), [(Ferryman, ""), (Named, "oar-2@pier")])
def test_it_is_known_by_the_name_of_the_provider(kind: type[Ferryman], identity: str) -> None:
    outer = Deadline(kind(opened()), 20)
    assert (outer.name, outer.model, outer.identity) == ("ferry", "oar-2", identity)
