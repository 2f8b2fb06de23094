"""The pace: half when it throttles, slowly more when it does not, never beyond the ceiling."""

import contextlib
import threading
from typing import Any

import pytest

from gate.errors import BadReplyError, ProviderError, TransientError
from gate.providers.base import Reply, Request
from gate.providers.pace import Pace

THROTTLED = TransientError("slow", kind="throttled")


def run(pace: Pace, request: Request, times: int = 1) -> list[float]:
    widths = []
    for _ in range(times):
        with contextlib.suppress(ProviderError):
            pace.complete(request)
        widths.append(pace.width)
    return widths


def test_it_starts_at_the_ceiling_and_stays_there(scripted: Any, ask: Any) -> None:
    assert set(run(Pace(scripted(Reply("x")), 8), ask(), 50)) == {8}


@pytest.mark.parametrize("kind", ["throttled", "server", "timeout"])
def test_it_halves_down_to_one_and_grows_again(scripted: Any, ask: Any, kind: str) -> None:
    pace = Pace(scripted(*[TransientError("no", kind=kind)] * 20, Reply("x")), 8)
    assert run(pace, ask(), 20) == [8] * 3 + [4] * 4 + [2] * 4 + [1] * 9
    assert 2 < run(pace, ask(), 3)[-1] < 4
    assert run(pace, ask(), 100)[-1] == 8


def test_a_few_refusals_among_many_answers_change_nothing(scripted: Any, ask: Any) -> None:
    pace = Pace(scripted(*([THROTTLED] + [Reply("x")] * 19) * 20), 8)
    assert set(run(pace, ask(), 400)) == {8}


def test_a_third_of_refusals_slows_down(scripted: Any, ask: Any) -> None:
    pace = Pace(scripted(*([THROTTLED] + [Reply("x")] * 2) * 20), 8)
    assert min(run(pace, ask(), 60)) <= 4


def test_it_grows_in_step_with_the_ceiling(scripted: Any, ask: Any) -> None:
    pace = Pace(scripted(Reply("x")), 64)
    pace.width = 32.0
    assert run(pace, ask(), 32)[-1] == pytest.approx(36, abs=0.5)


@pytest.mark.parametrize(
    "error", [BadReplyError("no", kind="empty"), TransientError("r", kind="connection"), OSError()]
)
def test_other_faults_say_nothing_about_the_pace(scripted: Any, ask: Any, error: Exception) -> None:
    pace = Pace(scripted(error), 8)
    for _ in range(9):
        with pytest.raises(type(error)):
            pace.complete(ask())
    assert pace.width == 8


def together(pace: Pace, request: Request, count: int) -> None:
    threads = [threading.Thread(target=run, args=(pace, request)) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)


def test_one_burst_halves_once(scripted: Any, ask: Any) -> None:
    barrier = threading.Barrier(32)

    def refuse(request: Request) -> Reply:
        barrier.wait(10)
        raise THROTTLED

    pace = Pace(scripted(refuse), 32)
    together(pace, ask(), 32)
    assert pace.width == 16


def test_no_more_than_the_width_are_inside(scripted: Any, ask: Any) -> None:
    inside, most, lock = [0], [0], threading.Lock()

    def count(request: Request) -> Reply:
        with lock:
            inside[0] += 1
            most[0] = max(most[0], inside[0])
        threading.Event().wait(0.002)
        with lock:
            inside[0] -= 1
        return Reply("x")

    together(Pace(scripted(count), 3), ask(), 12)
    assert 1 <= most[0] <= 3
