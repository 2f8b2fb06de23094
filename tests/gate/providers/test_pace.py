"""The pace: half when it throttles, slowly more when it does not, never beyond the ceiling."""

import contextlib
import threading
from typing import Any

import pytest

from gate.errors import BadReplyError, ProviderError, TransientError
from gate.providers.base import Reply, Request
from gate.providers.pace import Pace

THROTTLED = TransientError("slow", kind="throttled")


def run(pace: Pace, request: Request, times: int = 1) -> None:
    for _ in range(times):
        with contextlib.suppress(ProviderError):
            pace.complete(request)


def test_it_starts_at_the_ceiling_and_stays_there(scripted: Any, ask: Any) -> None:
    pace = Pace(scripted(Reply("x")), 8)
    run(pace, ask(), 50)
    assert pace.width == 8


@pytest.mark.parametrize("kind", ["throttled", "server", "timeout"])
def test_it_halves_down_to_one_and_grows_again(scripted: Any, ask: Any, kind: str) -> None:
    inner = scripted(*[TransientError("no", kind=kind)] * 10, Reply("x"))
    pace = Pace(inner, 8)
    widths = []
    for _ in range(10):
        run(pace, ask())
        widths.append(pace.width)
    assert widths == [4, 2] + [1] * 8
    run(pace, ask(), 3)
    assert 2 < pace.width < 4
    run(pace, ask(), 100)
    assert pace.width == 8


@pytest.mark.parametrize(
    "error", [BadReplyError("no", kind="empty"), TransientError("r", kind="connection"), OSError()]
)
def test_other_faults_say_nothing_about_the_pace(scripted: Any, ask: Any, error: Exception) -> None:
    pace = Pace(scripted(error), 8)
    with pytest.raises(type(error)):
        pace.complete(ask())
    assert pace.width == 8


def test_one_burst_halves_once(scripted: Any, ask: Any) -> None:
    together = threading.Barrier(6)

    def refuse(request: Request) -> Reply:
        together.wait(10)
        raise THROTTLED

    pace = Pace(scripted(refuse), 6)
    threads = [threading.Thread(target=run, args=(pace, ask())) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert pace.width == 3


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

    pace = Pace(scripted(THROTTLED, count), 4)
    run(pace, ask())
    pace.width = 2.0
    threads = [threading.Thread(target=run, args=(pace, ask(), 1)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert most[0] <= 2
