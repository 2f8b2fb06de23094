"""The chain around a provider: which wrappers a call passes.

From the outside in:

1. Cache (gate.providers.calls): what is recorded costs neither money nor time; a new reply is recorded as it returns.
   Its lock makes another process that asks the same wait for that reply.
2. Preflight: before the first call that is really made, whatever a run cannot do without is checked.
3. Retry: outside of the throttle, so that a call that waits to be repeated holds no place.
4. Throttle: how many calls are made at once.
5. Budgeted (gate.providers.budget): inside the retries, so that each attempt is a call that the limits count.
6. Deadline: innermost, so that it bounds the attempt and not the waits before it.

Secrets are redacted below all of them, where a server's words become an error (gate.providers.faults).
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from gate.config import ModelSettings
from gate.errors import BadReplyError, LimitError, ProviderError, SetupError, StoreError, TransientError
from gate.providers.base import Message, Provider, Remote, Reply, Request, Wrapper
from gate.providers.budget import Budget, Budgeted
from gate.providers.calls import Cache, Calls, Locks, Renewal
from gate.providers.faults import OVERLOADED, Refused

if TYPE_CHECKING:
    from tenacity import RetryCallState

T = TypeVar("T")
PREFLIGHT_SECONDS = 20.0  # what takes longer is no fault of the set-up
# A second look at these is cheap and often helps; a third has not been worth its price.
_ONCE_MORE = frozenset({"timeout", "empty", "malformed", "died"})
_OVERLOAD = frozenset({"throttled", "server", "timeout"})
# The share of refusals is a running mean over about 16 calls. Below a fifth it is noise: halving for each single 429
# of 5 % made a run of 1,000 calls ten times as long, where repeating those few costs nothing.
_MEMORY, _TOLERATED = 1 / 16, 0.2


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

        passing = retry_if_exception(_may_pass)
        return Retrying(retry=passing, stop=self._over, wait=self._wait, sleep=self.sleep, reraise=True)(work)

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


@dataclass(frozen=True, slots=True)
class Chain:
    """What the calls of a run share; `around` puts it around a provider."""

    budget: Budget
    calls: Calls
    concurrency: int = 16
    fresh: bool = False  # --no-cache
    patience: Patience = field(default_factory=Patience)
    on_fault: Callable[[str], None] = lambda message: None
    locks: Locks | None = None  # shared with the other processes that use this record

    def around(
        self, provider: Remote, before: Callable[[], None] | None = None, renewal: Renewal | None = None
    ) -> Cache:
        """The provider as agents and judges get it; `before` is done once, before the first call that is made. With a
        `renewal` the answers to a run's questions are used up by a run that finishes."""
        if (refused := getattr(provider, "refused", None)) is not None:
            self._remember(refused, f"{provider.name}\n{provider.model}\n{provider.identity}")
        asked = self.uncached(provider)
        if before is not None:
            asked = Preflight(asked, before)
        found = Cache(asked, self.calls, self.fresh, self.budget.cached, self.on_fault, self.locks)
        found.renewal = renewal
        return found

    def uncached(self, provider: Remote) -> Provider:
        """The chain without its record: for an embedder, which records text by text what it asks in batches."""
        budgeted = Budgeted(Deadline(provider, provider.timeout), self.budget)
        ceiling = min(self.concurrency, getattr(provider, "parallel", self.concurrency))
        return Retry(Throttle(budgeted, ceiling), self.patience)

    def _remember(self, refused: Refused, server: str) -> None:
        """What a server refuses is learnt once, not in every run. The record may fail here: that costs a request."""

        def keep(part: str, least: int) -> None:
            with contextlib.suppress(StoreError):
                self.calls.keep_refusal(server, part, least)

        known: dict[str, int] = {}
        with contextlib.suppress(StoreError):
            known = {} if self.fresh else self.calls.refusals(server)
        refused.remember(known, keep)


class Preflight(Wrapper):
    """A provider before whose first call something is done, once; it is never asked if that says that no run can."""

    def __init__(self, inner: Provider, before: Callable[[], None]) -> None:
        super().__init__(inner)
        self._before = before
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


class Tuned(Wrapper):
    """A provider whose requests are put as the configuration of its server wants them. It stands outside of the record:
    what it changes is part of a request's key.

    `max_tokens` is what an answer of the target may have, and at least what a reply of the judge may have. `tuning` is
    a short hash of what changes the words of a model, empty where nothing does: another judge than the one that was
    measured must not have its name.
    """

    def __init__(self, inner: Provider, settings: ModelSettings) -> None:
        super().__init__(inner)
        self._settings = settings
        words = [settings.temperature, settings.system]
        self.tuning = "" if words == [None, None] else hashlib.sha256(repr(words).encode()).hexdigest()[:8]

    def complete(self, request: Request) -> Reply:
        """Ask. Errors: those of the provider."""
        settings, messages = self._settings, request.messages
        if settings.system is not None:
            messages = (Message("system", settings.system), *messages)
        room = settings.max_tokens or request.max_tokens
        temperature = request.temperature if settings.temperature is None else settings.temperature
        return self._inner.complete(
            replace(
                request,
                messages=messages,
                temperature=temperature,
                max_tokens=room if request.role == "target" else max(room, request.max_tokens),
            )
        )


class Retry(Wrapper):
    """A provider that tries again: exponential waits with jitter for what may pass, no second try for what will not."""

    def __init__(self, inner: Provider, patience: Patience) -> None:
        super().__init__(inner)
        self._patience = patience

    def complete(self, request: Request) -> Reply:
        """The first reply that can be used. Errors: the last one of the provider."""
        return self._patience(lambda: self._inner.complete(request))


class Throttle(Wrapper):
    """A provider that is asked as often at once as it bears: slowly more while it answers, half when it throttles.

    Additive increase, multiplicative decrease (Chiu and Jain, 1989), between 1 and `ceiling` calls at once, from the
    ceiling on; it grows by a sixteenth of the ceiling (at least 1) in each round. Calls that were in flight when it
    was halved do not count again.
    """

    def __init__(self, inner: Provider, ceiling: int) -> None:
        super().__init__(inner)
        self._ceiling = ceiling
        self.width = float(ceiling)
        self._refused = 0.0
        self._busy = 0
        self._epoch = 0
        self._change = threading.Condition()

    def complete(self, request: Request) -> Reply:
        """Ask when there is a place for this call. Errors: those of the provider."""
        with self._change:
            while self._busy >= int(self.width):
                self._change.wait()
            self._busy += 1
            epoch = self._epoch
        kind = "other"
        try:
            reply = self._inner.complete(request)
            kind = ""
        except ProviderError as error:
            kind = error.kind
            raise
        finally:
            with self._change:
                self._busy -= 1
                if epoch == self._epoch:
                    self._learn(kind)
                self._change.notify_all()
        return reply

    def _learn(self, kind: str) -> None:
        """From how a call ended: the kind of its fault, empty where it was answered."""
        self._refused += _MEMORY * ((kind in _OVERLOAD) - self._refused)
        if self._refused > _TOLERATED:
            self._epoch += 1
            self._refused = 0.0
            self.width = max(1.0, self.width / 2)
        elif not kind:
            self.width = min(float(self._ceiling), self.width + max(1.0, self._ceiling / 16) / self.width)


class Deadline(Wrapper):
    """A provider whose every call ends in time.

    The time-outs of the SDKs bound one read, not a call: a server that drips a byte now and then holds them for ever.
    So a call is made on a thread of its own, which is left behind when the time is over.
    """

    def __init__(self, inner: Provider, seconds: float) -> None:
        super().__init__(inner)
        self._seconds = seconds

    def complete(self, request: Request) -> Reply:
        """Ask and wait. Errors: TransientError (kind `timeout`), and those of the provider."""
        future: Future[Reply] = Future()

        def work() -> None:
            try:
                future.set_result(self._inner.complete(request))
            except BaseException as error:  # handed to the thread that waits
                future.set_exception(error)

        threading.Thread(target=work, daemon=True).start()
        try:
            future.exception(self._seconds)  # only waits: a TimeoutError of the call itself is not one of this deadline
        except TimeoutError as error:
            told = f"{self.name}: no answer within {self._seconds:g} s"
            raise TransientError(told, OVERLOADED, "timeout") from error
        return future.result()


def tiny_request(role: str = "target") -> Request:
    """A question that costs one output token."""
    return Request((Message("user", "Say yes."),), max_tokens=1, prompt_id="doctor", role=role, question="Say yes.")


def check_judge(remote: Remote, budget: Budget) -> None:
    """Ask a judge's model once, without the record: an old reply says nothing of today's key. It is a call like any
    other for the budget, so it is left out where only one may be made: run after run would get no further. What may
    pass, and a limit, are left to the calls that follow. Errors: SetupError."""
    if budget.calls_left() == 1:
        return
    budgeted = Budgeted(Deadline(remote, min(PREFLIGHT_SECONDS, remote.timeout)), budget)
    with contextlib.suppress(TransientError, BadReplyError, LimitError):
        budgeted.complete(tiny_request("judge"))


def _may_pass(error: BaseException) -> bool:
    return isinstance(error, TransientError) or (isinstance(error, BadReplyError) and error.kind in _ONCE_MORE)


def _error(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome is not None else None
