"""How far many calls are: a bar with the remaining time on a terminal, a line now and then anywhere else."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

SECONDS = 10.0  # between two lines


@contextmanager
def counting(
    total: int, what: str, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[], None]]:
    """A function to call from any thread when one of `total` is done; shown on `stream` (default: the error stream)."""
    stream = stream or sys.stderr
    if not stream.isatty():
        yield Lines(total, what, stream, clock).done
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=stream), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.update(task, advance=1)


class Lines:
    """Plain lines: how many are done every SECONDS, and about how long the rest will take."""

    def __init__(self, total: int, what: str, stream: TextIO, clock: Callable[[], float]) -> None:
        self._total, self._what, self._stream, self._clock = total, what, stream, clock
        self._begun = clock()
        self._next = self._begun + SECONDS
        self._count = 0
        self._lock = threading.Lock()

    def done(self) -> None:
        """Count one; say so if it is time."""
        with self._lock:
            self._count += 1
            now = self._clock()
            if now < self._next or self._count == self._total:
                return
            self._next = now + SECONDS
            left = (now - self._begun) / self._count * (self._total - self._count)
            self._stream.write(f"{self._count:,} of {self._total:,} {self._what}, about {left:.0f} s left\n")
            self._stream.flush()
