"""The deadline of one call: whatever a server does with its bytes, the caller goes on after that many seconds."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from gate.errors import TransientError
from gate.providers.base import Provider, Reply, Request

T = TypeVar("T")


def within(seconds: float, name: str, work: Callable[[], T]) -> T:
    """The result of `work`, if it comes in time.

    The time-outs of the SDKs bound one read, not a call: a server that drips a byte now and then holds them for ever.
    So the work is done on a thread of its own, which is left behind when the time is over.
    Errors: TransientError (kind `timeout`), and whatever `work` raises.
    """
    future: Future[T] = Future()

    def labour() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # handed to the thread that waits
            future.set_exception(error)

    threading.Thread(target=labour, daemon=True).start()
    try:
        future.exception(seconds)  # only waits: a TimeoutError of the work itself is not one of this deadline
    except TimeoutError as error:
        hint = "the server may be overloaded: lower limits.concurrency"
        raise TransientError(f"{name}: no answer within {seconds:g} s", hint, "timeout") from error
    return future.result()


class Deadline:
    """A provider whose every call ends in time."""

    def __init__(self, inner: Provider, seconds: float) -> None:
        self.name, self.model = inner.name, inner.model
        self.identity = getattr(inner, "identity", "")
        self._inner, self._seconds = inner, seconds

    def complete(self, request: Request) -> Reply:
        """Ask and wait. Errors: TransientError (kind `timeout`), and those of the provider."""
        return within(self._seconds, self.name, lambda: self._inner.complete(request))
