"""Retries: exponential waits with jitter for what may pass, and no second try for what will not."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from gate.errors import BadReplyError, TransientError
from gate.providers.base import Provider, Reply, Request

if TYPE_CHECKING:
    from tenacity import RetryCallState

T = TypeVar("T")
# A second look at these is cheap and often helps; a third has not been worth its price.
_ONCE_MORE = frozenset({"timeout", "empty", "malformed"})


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to try: `attempts` in all, `first` and `longest` wait and the `total` in seconds.

    The wait before attempt n + 1 is drawn evenly from 0 to first * 2^(n - 1), at most `longest` ("full jitter"); where
    the server named a time it is at least that long. A server's time beyond `total` ends the trying.
    `sleep` waits that many seconds; it may raise to end the run.
    """

    attempts: int = 6
    first: float = 1.0
    longest: float = 30.0
    total: float = 180.0
    sleep: Callable[[float], None] = time.sleep

    def __call__(self, work: Callable[[], T]) -> T:
        """Do `work` until it succeeds or patience is over; then the last error is raised as it is."""
        from tenacity import Retrying, retry_if_exception

        return Retrying(
            retry=retry_if_exception(_may_pass),
            stop=self._over,
            wait=self._wait,
            sleep=self.sleep,
            reraise=True,
        )(work)

    def _over(self, state: RetryCallState) -> bool:
        error = _error(state)
        bound = min(2, self.attempts) if getattr(error, "kind", "") in _ONCE_MORE else self.attempts
        asked = getattr(error, "retry_after", None) or 0.0
        spent = state.seconds_since_start or 0.0
        return state.attempt_number >= bound or spent + asked >= self.total

    def _wait(self, state: RetryCallState) -> float:
        from tenacity import wait_random_exponential

        drawn = wait_random_exponential(multiplier=self.first, max=self.longest)(state)
        asked: float | None = getattr(_error(state), "retry_after", None)
        # Spread over a little more than was asked, or all callers come back in the same moment.
        return drawn if asked is None else asked + min(drawn, 0.25 * asked + 0.1)


class Retry:
    """A provider that tries again."""

    def __init__(self, inner: Provider, patience: Patience | None = None) -> None:
        self.name, self.model = inner.name, inner.model
        self.identity = getattr(inner, "identity", "")
        self._inner, self._patience = inner, patience or Patience()

    def complete(self, request: Request) -> Reply:
        """The first reply that can be used. Errors: the last one of the provider."""
        return self._patience(lambda: self._inner.complete(request))


def _may_pass(error: BaseException) -> bool:
    return isinstance(error, TransientError) or (isinstance(error, BadReplyError) and error.kind in _ONCE_MORE)


def _error(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome is not None else None
