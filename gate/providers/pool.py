"""The pool: many items at once on threads, their outcomes in the order of the items, and a clean stop at any moment."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from gate.errors import GateError, LimitError, SetupError
from gate.providers.budget import Budget

T = TypeVar("T")
R = TypeVar("R")
# What is in flight when a run is interrupted gets this many seconds to come back and be kept.
GRACE = 2.0
INTERRUPTED = "the run was interrupted"


# (how many, of what) -> a context that gives a function to call, from any thread, whenever one of them is done.
Counting = Callable[[int, str], AbstractContextManager[Callable[[], None]]]


def uncounted(total: int, what: str) -> AbstractContextManager[Callable[[], None]]:
    """The Counting where nobody watches."""
    return nullcontext(lambda: None)


@dataclass(frozen=True, slots=True)
class Done(Generic[R]):
    """The outcome of one item: its value, or the fault of this item alone."""

    value: R | None = None
    error: GateError | None = None

    def get(self) -> R:
        """The value. Errors: the item's fault."""
        if self.error is not None:
            raise self.error
        return cast(R, self.value)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[R]):
    """One entry for each item, in order (None: it was not done); `stopped` says why not all were done."""

    results: list[Done[R] | None]
    stopped: GateError | None


def run_all(
    work: Callable[[T], R],
    items: Sequence[T],
    concurrency: int,
    budget: Budget | None = None,
    grace: float | None = None,
    done: Callable[[], None] = lambda: None,
) -> Outcome[R]:
    """Do `work` for all items, at most `concurrency` at once; `done` is called, on its thread, after each.

    A GateError of an item is its outcome. A SetupError or LimitError, the end of the budget's seconds, or Ctrl-C stops
    the handing out of items: what is in flight is waited for (`grace` seconds, by default GRACE, after Ctrl-C or the
    end of the seconds), the rest is left. A stop is a value here, so that what was done is kept: the caller raises it.
    Errors: any other exception of `work`, as it is.
    """
    crew = _Crew(work, items, budget, done)
    for _ in range(min(concurrency, len(items))):
        # Daemons: a call that hangs must not hold the end of the process.
        threading.Thread(target=crew.labour, daemon=True).start()
    stopped = _attend(crew, budget)
    if stopped is not None:
        crew.halt(stopped)
        with contextlib.suppress(KeyboardInterrupt):  # the second one: do not wait any longer
            crew.wait(GRACE if grace is None else grace)
    return crew.outcome(stopped)


def _attend(crew: _Crew[T, R], budget: Budget | None) -> LimitError | None:
    """Wait for the end of the work, of the time, or for Ctrl-C."""
    try:
        while not crew.wait(budget.remaining() if budget is not None else None):
            if budget is not None and budget.remaining() == 0.0:
                return budget.out_of_time()
    except KeyboardInterrupt:
        return LimitError(INTERRUPTED, "run again: what was answered is recorded and is not asked twice")
    return None


class _Crew(Generic[T, R]):
    """The shared state of the threads of one run_all."""

    def __init__(
        self, work: Callable[[T], R], items: Sequence[T], budget: Budget | None, done: Callable[[], None]
    ) -> None:
        self._work, self._items, self._budget, self._done = work, items, budget, done
        self._results: list[Done[R] | None] = [None] * len(items)
        self._next = self._busy = 0
        self._stop: GateError | None = None
        self._crash: BaseException | None = None
        self._change = threading.Condition()

    def labour(self) -> None:
        """Take item after item until there is none or the work is stopped."""
        while (index := self._take()) is not None:
            try:
                self._results[index] = self._one(self._items[index])
            except (SetupError, LimitError) as error:
                self.halt(error)
            except BaseException as error:  # noqa: BLE001 - handed to the caller's thread
                self._crash = self._crash or error
            with self._change:
                self._busy -= 1
                self._change.notify_all()

    def _take(self) -> int | None:
        with self._change:
            if self._halted or self._next == len(self._items):
                return None
            self._next += 1
            self._busy += 1
            return self._next - 1

    def _one(self, item: T) -> Done[R]:
        try:
            return Done(self._work(item))
        except (SetupError, LimitError):
            raise
        except GateError as error:
            return Done(error=error)
        finally:
            self._done()

    @property
    def _halted(self) -> bool:
        return self._stop is not None or self._crash is not None

    def wait(self, seconds: float | None) -> bool:
        """Wait until nothing is left to do, at most `seconds`; whether that is so."""
        with self._change:
            return self._change.wait_for(self._finished, seconds)

    def _finished(self) -> bool:
        if isinstance(self._stop, SetupError) or self._crash is not None:
            return True  # nothing in flight can be of use
        return self._busy == 0 and (self._halted or self._next == len(self._items))

    def halt(self, error: GateError) -> None:
        """Hand out nothing more, make no further call, and end the waits for retries."""
        if self._budget is not None:
            self._budget.stop(error)
        with self._change:
            self._stop = self._stop or error
            self._change.notify_all()

    def outcome(self, stopped: GateError | None) -> Outcome[R]:
        """What there is now; what comes back later does not change it."""
        if self._crash is not None:
            raise self._crash
        return Outcome(list(self._results), stopped or self._stop)
