"""What is asked first of all: one tiny question, so that a model that cannot answer ends a run before it is paid."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from gate.errors import GateError, SetupError
from gate.providers.base import Message, Provider, Reply, Request
from gate.providers.budget import Budget, Metered
from gate.providers.deadline import Deadline

if TYPE_CHECKING:
    from gate.providers.chain import Remote

SECONDS = 20.0  # what takes longer is no fault of the set-up


def tiny(role: str = "target") -> Request:
    """A question that costs one output token."""
    return Request((Message("user", "Say yes."),), max_tokens=1, prompt_id="doctor", role=role, question="Say yes.")


def reach(remote: Remote, budget: Budget) -> None:
    """Ask a judge's model once, without the record: an old reply says nothing of today's key. It is a call like any
    other for the budget, so it is left out where only one may be made: run after run would get no further. What may
    pass, and a limit, are left to the calls that follow. Errors: SetupError."""
    if budget.calls_left() == 1:
        return
    metered = Metered(Deadline(remote, min(SECONDS, remote.timeout)), budget)
    try:
        metered.complete(tiny("judge"))
    except SetupError:
        raise
    except GateError:
        return


class First:
    """A provider before whose first call something is done, once; it is never asked if that says that no run can."""

    def __init__(self, inner: Provider, before: Callable[[], None]) -> None:
        self.name, self.model = inner.name, inner.model
        self.identity = getattr(inner, "identity", "")
        self._inner, self._before = inner, before
        self._lock = threading.Lock()
        self._done = False
        self._fault: SetupError | None = None

    def complete(self, request: Request) -> Reply:
        """Ask. Errors: SetupError of what is done before; those of the provider."""
        with self._lock:
            if not self._done:
                self._done = True
                try:
                    self._before()
                except SetupError as error:
                    self._fault = error
        if self._fault is not None:
            raise self._fault
        return self._inner.complete(request)
