"""Retries: what is repeated, how often, and how long is waited."""

from typing import Any

import pytest

from gate.errors import BadReplyError, GateError, LimitError, SetupError, TransientError
from gate.providers.base import Reply
from gate.providers.retry import Patience, Retry


def patience(waits: list[float], **more: Any) -> Patience:
    return Patience(sleep=waits.append, **more)


def throttled(retry_after: float | None = None) -> TransientError:
    return TransientError("slow down", kind="throttled", retry_after=retry_after)


def test_it_goes_on_until_it_succeeds(scripted: Any, ask: Any) -> None:
    waits: list[float] = []
    inner = scripted(throttled(), throttled(), Reply("ok"))
    assert Retry(inner, patience(waits)).complete(ask()).text == "ok"
    assert len(inner.requests) == 3
    assert 0 <= waits[0] <= 1
    assert 0 <= waits[1] <= 2


def test_waits_grow_to_a_bound_and_the_last_error_is_told(scripted: Any, ask: Any) -> None:
    waits: list[float] = []
    inner = scripted(*[throttled() for _ in range(19)], TransientError("the last", kind="server"))
    with pytest.raises(TransientError, match="the last"):
        Retry(inner, patience(waits, attempts=20, first=1.0, longest=4.0)).complete(ask())
    assert len(inner.requests) == 20
    assert all(wait <= min(4.0, 2.0**number) for number, wait in enumerate(waits))
    assert len(set(waits)) > 1


def test_the_time_that_the_server_names_is_waited(scripted: Any, ask: Any) -> None:
    waits: list[float] = []
    inner = scripted(throttled(20.0), throttled(0.0), Reply("ok"))
    assert Retry(inner, patience(waits, longest=5.0)).complete(ask()).text == "ok"
    assert 20.0 <= waits[0] <= 25.2
    assert 0.0 <= waits[1] <= 0.2


def test_a_time_beyond_all_patience_ends_it_at_once(scripted: Any, ask: Any) -> None:
    waits: list[float] = []
    with pytest.raises(TransientError):
        Retry(scripted(throttled(3600.0)), patience(waits)).complete(ask())
    assert waits == []


@pytest.mark.parametrize(
    ("error", "calls"),
    [
        (SetupError("no key"), 1),
        (LimitError("enough"), 1),
        (BadReplyError("withheld", kind="filtered"), 1),
        (BadReplyError("no", kind="rejected"), 1),
        (BadReplyError("nothing", kind="empty"), 2),
        (BadReplyError("garbled", kind="malformed"), 2),
        (TransientError("hung", kind="timeout"), 2),
        (TransientError("reset", kind="connection"), 6),
        (TransientError("500", kind="server"), 6),
    ],
)
def test_each_fault_has_its_number_of_tries(scripted: Any, ask: Any, error: GateError, calls: int) -> None:
    inner = scripted(error)
    with pytest.raises(type(error)) as caught:
        Retry(inner, patience([])).complete(ask())
    assert caught.value is error
    assert len(inner.requests) == calls


def test_a_fault_of_our_own_is_not_repeated(scripted: Any, ask: Any) -> None:
    inner = scripted(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        Retry(inner, patience([])).complete(ask())
    assert len(inner.requests) == 1


def test_the_wait_may_end_the_run(scripted: Any, ask: Any) -> None:
    def stop(seconds: float) -> None:
        raise LimitError("the time is over")

    inner = scripted(throttled(), Reply("never"))
    with pytest.raises(LimitError):
        Retry(inner, Patience(sleep=stop)).complete(ask())
    assert len(inner.requests) == 1
