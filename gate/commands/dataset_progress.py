"""How far many calls are: a bar with the remaining time on a terminal, a line now and then anywhere else."""

from __future__ import annotations

import contextlib
import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

SECONDS = 10.0  # between two lines


def seconds_left(elapsed: float, done: float, total: float) -> float:
    """About how long the rest takes; `done` is above 0."""
    return elapsed / done * (total - done)


@contextmanager
def counting(
    total: int,
    what: str,
    stream: TextIO | None = None,
    clock: Callable[[], float] = time.monotonic,
    seconds: float = SECONDS,
) -> Iterator[Callable[[], None]]:
    """A function to call from any thread when one of `total` is done; shown on `stream` (default: the error stream),
    where that is no terminal every so many `seconds`."""
    stream = stream or sys.stderr
    if not stream.isatty():
        lines = Lines(total, what, stream, clock, seconds)
        try:
            yield lines.done
        finally:
            lines.end()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from gate.commands.progress_column import Left

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), Left())
    with Progress(*columns, console=Console(file=stream), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.update(task, advance=1)


class Lines:
    """Plain lines: how many are done every so many seconds, and about how long the rest will take."""

    def __init__(
        self, total: int, what: str, stream: TextIO, clock: Callable[[], float], seconds: float = SECONDS
    ) -> None:
        self._total, self._what, self._stream, self._clock, self._seconds = total, what, stream, clock, seconds
        self._begun = clock()
        self._next = self._begun + seconds
        self._count = 0
        self._lock = threading.Lock()

    def done(self) -> None:
        """Count one; say so if it is time."""
        with self._lock:
            self._count += 1
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
