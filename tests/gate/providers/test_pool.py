"""The pool: order kept, faults apart, and a clean stop."""

import subprocess
import sys
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import Limits
from gate.errors import BadReplyError, GateError, LimitError, SetupError
from gate.providers import pool
from gate.providers.budget import Budget
from gate.providers.pool import Done, run_all


def values(results: list[Done[Any] | None]) -> list[Any]:
    return [None if done is None else done.value for done in results]


@pytest.fixture
def halted(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set as soon as a pool hands out nothing more."""
    event, halt = threading.Event(), pool._Crew.halt

    def halt_and_tell(crew: Any, error: GateError) -> None:
        halt(crew, error)
        event.set()

    monkeypatch.setattr(pool._Crew, "halt", halt_and_tell)
    return event


@given(st.lists(st.integers(), max_size=40), st.integers(1, 8))
def test_results_stand_in_the_order_of_the_items(items: list[int], concurrency: int) -> None:
    outcome = run_all(lambda item: item * 2, items, concurrency)
    assert values(outcome.results) == [item * 2 for item in items]
    assert outcome.stopped is None


def test_items_run_at_once_up_to_the_bound() -> None:
    gate, seen, now, lock = threading.Barrier(4), [], [0], threading.Lock()

    def work(item: int) -> int:
        with lock:
            now[0] += 1
            seen.append(now[0])
        gate.wait(10)  # passes only if four are here at the same time
        with lock:
            now[0] -= 1
        return item

    assert values(run_all(work, range(8), 4).results) == list(range(8))
    assert max(seen) <= 4


def test_a_fault_is_of_its_item_alone_and_each_item_is_counted() -> None:
    counted: list[int] = []

    def work(item: int) -> int:
        if item == 1:
            raise BadReplyError("odd", kind="empty")
        return item

    outcome = run_all(work, [0, 1, 2], 2, done=lambda: counted.append(1))
    assert values(outcome.results) == [0, None, 2]
    assert len(counted) == 3
    with pytest.raises(BadReplyError, match="odd"):
        (outcome.results[1] or Done()).get()
    with pytest.raises(ZeroDivisionError):  # a mistake of ours is not swallowed
        run_all(lambda item: 1 // item, [1, 0, 1], 2)


@pytest.mark.parametrize("error", [LimitError("enough"), SetupError("no key")])
def test_a_stop_keeps_what_was_done_and_starts_nothing_more(error: GateError) -> None:
    done: list[int] = []

    def work(item: int) -> int:
        if item == 3:
            raise error
        done.append(item)
        return item

    outcome = run_all(work, range(100), 1)
    assert outcome.stopped is error
    assert values(outcome.results) == [0, 1, 2] + [None] * 97
    assert done == [0, 1, 2]


def test_what_is_in_flight_at_a_limit_is_kept(halted: threading.Event) -> None:
    begun = threading.Barrier(2)

    def work(item: int) -> str:
        begun.wait(10)
        if item == 1:
            raise LimitError("enough")
        halted.wait(10)
        return "paid for"

    outcome = run_all(work, [0, 1, 2, 3], 2)
    assert values(outcome.results) == ["paid for", None, None, None]


def test_a_hang_of_one_holds_neither_the_others_nor_the_end() -> None:
    never, done = threading.Event(), []

    def work(item: int) -> int:
        if item == 0:
            never.wait(60)
        done.append(item)
        return item

    # The seconds are over once all others are done.
    budget = Budget(Limits(max_seconds=0.01), clock=lambda: float(len(done) // 49))
    outcome = run_all(work, range(50), 2, budget, grace=0.0)
    never.set()
    assert values(outcome.results) == [None, *range(1, 50)]
    assert isinstance(outcome.stopped, LimitError)
    assert "max_seconds" in outcome.stopped.message


class Interrupted(Budget):
    """Ctrl-C comes while the main thread waits, once all of a barrier are there."""

    def __init__(self, begun: threading.Barrier) -> None:
        super().__init__(Limits())
        self.begun = begun

    def remaining(self) -> float | None:
        if threading.current_thread() is threading.main_thread():
            self.begun.wait(10)
            raise KeyboardInterrupt
        return None


def test_ctrl_c_keeps_what_comes_back_in_time(halted: threading.Event) -> None:
    begun = threading.Barrier(3)

    def work(item: int) -> int:
        begun.wait(10)
        halted.wait(10)
        return item

    outcome = run_all(work, range(5), 2, Interrupted(begun), grace=10.0)
    assert isinstance(outcome.stopped, LimitError)
    assert "interrupted" in outcome.stopped.message
    assert values(outcome.results) == [0, 1, None, None, None]


def test_a_call_that_hangs_does_not_hold_the_end_of_the_process() -> None:
    script = """
import subprocess
import sys
import threading
from gate.config import Limits
from gate.providers.budget import Budget
from gate.providers.pool import run_all
outcome = run_all(lambda item: threading.Event().wait(), [0, 1], 2, Budget(Limits(max_seconds=0.01)), grace=0.0)
print(type(outcome.stopped).__name__)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=50, check=True)
    assert done.stdout == "LimitError\n"
