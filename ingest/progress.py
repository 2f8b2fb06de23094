"""How an ingest is shown on the error stream: a bar on a terminal, a line now and then anywhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from gate.store.base import Change
from ingest.base import Unread, printable
from ingest.index import Report

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

SECONDS = 10.0  # between two lines


@contextmanager
def reporter(stream: TextIO | None = None) -> Iterator[Report]:
    """While it is open, a report for `ingest` that writes to `stream` (default: the error stream)."""
    stream = stream or sys.stderr
    if not stream.isatty():
        yield Lines(stream)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[chunks]}"))
    with Progress(*columns, TimeElapsedColumn(), console=Console(file=stream), transient=True) as progress:
        yield Bar(progress)


@dataclass(slots=True)
class Lines:
    """Plain lines: every file that could not be read, and how far it is every SECONDS."""

    stream: TextIO
    clock: Callable[[], float] = time.monotonic
    _total: int = 0
    _documents: int = 0
    _chunks: int = 0
    _next: float = 0.0

    def begin(self, documents: int) -> None:
        """Start to count."""
        self._total, self._next = documents, self.clock() + SECONDS

    def done(self, source: str, change: Change) -> None:
        """Count a document; say so if it is time."""
        self._documents += 1
        self._chunks += change.added + change.unchanged
        if self.clock() >= self._next:
            self._next = self.clock() + SECONDS
            self.stream.write(f"ingest: {self._documents:,} of {self._total:,} documents, {self._chunks:,} chunks\n")
            self.stream.flush()

    def unread(self, unread: Unread) -> None:
        """Name the file."""
        self.stream.write(f"warning: {printable(str(unread))}\n")
        self.stream.flush()


@dataclass(slots=True)
class Bar:
    """A progress bar with the number of chunks; files that could not be read are named above it."""

    progress: Progress
    _task: TaskID | None = None
    _chunks: int = 0

    def begin(self, documents: int) -> None:
        """Show the bar."""
        self._task = self.progress.add_task("ingest", total=documents, chunks="")

    def done(self, source: str, change: Change) -> None:
        """Move the bar."""
        self._chunks += change.added + change.unchanged
        if self._task is not None:
            self.progress.update(self._task, advance=1, chunks=f"{self._chunks:,} chunks")

    def unread(self, unread: Unread) -> None:
        """Name the file, and move the bar if it was one of those counted."""
        from rich.text import Text

        self.progress.console.print(Text(f"warning: {printable(str(unread))}", style="yellow"))
        if self._task is not None:
            self.progress.update(self._task, advance=1)
