"""What a command is doing, on stderr: on a terminal a spinner, or a bar with the remaining time where much is asked;
elsewhere a line now and then of what takes long."""

from __future__ import annotations

import contextlib
import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from rich.status import Status

WORDS = {
    "generate_prompts": "reading prompts",
    "run_model": "asking the model",
    "extract_claims": "extracting claims",
    "retrieve_evidence": "finding evidence",
    "verify_claims": "judging claims",
    "score_risk": "scoring",
}
SECONDS = 10.0  # between two lines
QUIET = 30.0  # the same for the agents of a run: a short run says nothing


class Advance(Protocol):
    """To be called from any thread when a number of what is counted is done."""

    def __call__(self, number: int = 1) -> None:
        """Count them."""
        ...


class Watch:
    """Called with the name of each agent as it begins; `status` is the spinner of a terminal."""

    def __init__(self, status: Status | None = None) -> None:
        self._status = status

    def __call__(self, name: str) -> None:
        """Say what begins."""
        if self._status:
            self._status.update(WORDS.get(name, name))

    @contextmanager
    def counting(self, total: int, what: str) -> Iterator[Callable[[], None]]:
        """A function to call from any thread when one of `total` is done; the spinner makes way for the bar."""
        if not total:  # a bar of nothing would only flash
            yield lambda: None
            return
        if self._status:
            self._status.stop()
        try:
            with counting(total, what, seconds=QUIET) as done:
                yield done
        finally:
            if self._status:
                self._status.start()


@contextmanager
def watching() -> Iterator[Watch]:
    """What is told of a run while it goes on; never on stdout."""
    if not sys.stderr.isatty():
        yield Watch()
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield Watch(status)


@contextmanager
def counting(
    total: int,
    what: str,
    stream: TextIO | None = None,
    clock: Callable[[], float] = time.monotonic,
    seconds: float = SECONDS,
) -> Iterator[Advance]:
    """What is called when some of `total` are done; shown on `stream` (default: the error stream), where that is no
    terminal every so many `seconds`."""
    stream = stream or sys.stderr
    if not stream.isatty():
        lines = CountedLines(total, what, stream, clock, seconds)
        try:
            yield lines.done
        finally:
            lines.end()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.text import Text

    class Left(ProgressColumn):
        max_refresh = 0.5

        def render(self, task: Task) -> Text:
            return Text(left(task.elapsed or 0.0, task.completed, total), style="progress.remaining")

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), Left())
    with Progress(*columns, console=Console(file=stream), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda number=1: progress.update(task, advance=number)


def seconds_left(elapsed: float, done: float, total: float) -> float:
    """About how long the rest takes by the mean pace (what comes back in portions has no other); `done` is above 0."""
    return elapsed / done * (total - done)


def left(elapsed: float, done: float, total: float) -> str:
    """The remaining time beside a bar: `about 0:02:05 left`; nothing as long as nothing is done."""
    if not done:
        return ""
    minutes, seconds = divmod(round(seconds_left(elapsed, done, total)), 60)
    return f"about {minutes // 60}:{minutes % 60:02}:{seconds:02} left"


class CountedLines:
    """Plain lines: how many are done every so many seconds, and about how long the rest will take."""

    def __init__(self, total: int, what: str, stream: TextIO, clock: Callable[[], float], seconds: float) -> None:
        self._total, self._what, self._stream, self._clock, self._seconds = total, what, stream, clock, seconds
        self._begun = clock()
        self._next = self._begun + seconds
        self._count = 0
        self._lock = threading.Lock()

    def done(self, number: int = 1) -> None:
        """Count them; say so if it is time."""
        with self._lock:
            self._count += number
            now = self._clock()
            if now < self._next or self._count == self._total:
                return
            self._next = now + self._seconds
            left = seconds_left(now - self._begun, self._count, self._total)
            with contextlib.suppress(OSError, ValueError):  # a stream that has gone must not end the work
                self._stream.write(f"{self._count:,} of {self._total:,} {self._what}, about {left:.0f} s left\n")
                self._stream.flush()

    def end(self) -> None:
        """Say nothing more: a call that was given up may still come back."""
        with self._lock:
            self._next = math.inf
