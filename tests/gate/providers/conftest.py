"""What the tests of the providers share: a provider that says what it is told to."""

import threading
from collections.abc import Callable, Sequence

import pytest

from gate.providers.base import Message, Reply, Request


class Scripted:
    """Gives the scripted outcomes one after the other (the last one for ever) and counts its calls."""

    name = "scripted"
    model = "script-1"
    identity = ""
    timeout = 5.0

    def __init__(self, outcomes: Sequence[Reply | BaseException | Callable[[Request], Reply]]) -> None:
        self.outcomes = list(outcomes)
        self.requests: list[Request] = []
        self._lock = threading.Lock()

    def complete(self, request: Request) -> Reply:
        with self._lock:
            outcome = self.outcomes[min(len(self.requests), len(self.outcomes) - 1)]
            self.requests.append(request)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome(request) if callable(outcome) else outcome

    def close(self) -> None:
        pass


@pytest.fixture
def scripted() -> Callable[..., Scripted]:
    return lambda *outcomes: Scripted(outcomes)


@pytest.fixture
def ask() -> Callable[..., Request]:
    return lambda text="q", **more: Request((Message("user", text),), **more)
