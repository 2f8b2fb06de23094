"""The deadline of one call: whatever a server does with its bytes, the caller goes on after that many seconds."""

from __future__ import annotations

import threading
from concurrent.futures import Future

from gate.errors import TransientError
from gate.providers.base import Provider, Reply, Request


class Deadline:
    """A provider whose every call ends in time.

    The time-outs of the SDKs bound one read, not a call: a server that drips a byte now and then holds them for ever.
    So the call runs on a thread of its own, which is left behind when the time is over.
    """

    def __init__(self, inner: Provider, seconds: float) -> None:
        self.name, self.model = inner.name, inner.model
        self.identity = getattr(inner, "identity", "")
        self._inner, self._seconds = inner, seconds

    def complete(self, request: Request) -> Reply:
        """Ask and wait. Errors: TransientError (kind `timeout`), and those of the provider."""
        future: Future[Reply] = Future()
        threading.Thread(target=self._ask, args=(request, future), daemon=True).start()
        try:
            return future.result(self._seconds)
        except TimeoutError as error:
            hint = "the server may be overloaded: lower limits.concurrency"
            raise TransientError(f"{self.name}: no answer within {self._seconds:g} s", hint, "timeout") from error

    def _ask(self, request: Request, future: Future[Reply]) -> None:
        try:
            future.set_result(self._inner.complete(request))
        except BaseException as error:  # handed to the thread that waits
            future.set_exception(error)
