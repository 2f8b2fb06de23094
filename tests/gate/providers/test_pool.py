"""The pool: order kept, faults apart, and a clean stop."""

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


def test_a_fault_is_of_its_item_alone() -> None:
    def work(item: int) -> int:
        if item == 1:
            raise BadReplyError("odd", kind="empty")
        return item

    outcome = run_all(work, [0, 1, 2], 2)
    assert values(outcome.results) == [0, None, 2]
    with pytest.raises(BadReplyError, match="odd"):
        (outcome.results[1] or Done()).get()
    assert (outcome.results[2] or Done()).get() == 2


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


def test_a_stop_ends_the_waits_of_the_others() -> None:
    budget = Budget(Limits())
    waiting = threading.Event()

    def work(item: int) -> None:
        if item == 0:
            waiting.set()
            budget.sleep(1000)
        waiting.wait(10)
        raise LimitError("enough")

    outcome = run_all(work, [0, 1], 2, budget)
    assert outcome.stopped is not None
    assert outcome.stopped.message == "enough"


def test_a_mistake_of_ours_is_not_swallowed() -> None:
    with pytest.raises(ZeroDivisionError):
        run_all(lambda item: 1 // item, [1, 0, 1], 2)


def test_a_hang_of_one_holds_neither_the_others_nor_the_end() -> None:
    never, done = threading.Event(), []

    def work(item: int) -> int:
        if item == 0:
            never.wait(60)
        done.append(item)
        return item

    budget = Budget(Limits(max_seconds=0.5))
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


def test_nothing_to_do_is_done() -> None:
    assert run_all(lambda item: item, [], 4, Budget(Limits())).results == []


def test_every_item_is_counted_before_the_end_whatever_became_of_it() -> None:
    counted: list[int] = []

    def work(item: int) -> int:
        if item % 2:
            raise BadReplyError("odd")
        return item

    run_all(work, range(9), 3, done=lambda: counted.append(1))
    assert len(counted) == 9


def test_a_mistake_in_counting_is_told_and_holds_nothing_up() -> None:
    def broken() -> None:
        raise RuntimeError("cannot count")

    with pytest.raises(RuntimeError, match="cannot count"):
        run_all(lambda item: item, [1, 2, 3], 2, done=broken)
