"""One process at a time for one request: what two runs ask for at the same moment is paid for once."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LOOK = 0.1  # seconds between two looks at whether another process has let go


class Turns:
    """Locks on single bytes of a file, the byte being the key of the request: they end with the process, however it
    ends. Threads of one process do not keep each other waiting. Where the system has no such locks, nobody waits."""

    def __init__(self, path: Path, sleep: Callable[[float], None]) -> None:
        """The file is made when the first turn is taken. `sleep` waits, and may end the waiting with an error."""
        self._path, self._sleep = path, sleep
        self._lock = threading.Lock()
        self._file: int | None = None

    @contextmanager
    def turn(self, key: str) -> Iterator[None]:
        """Come in when no other process is in with this key (a hex digest). Errors: those of `sleep`."""
        place = int(key[:15], 16)
        while (taken := self._take(place)) is False:
            self._sleep(LOOK)
        try:
            yield
        finally:
            if taken:
                self._release(place)

    def close(self) -> None:
        """Let go of all; safe to call twice."""
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _take(self, place: int) -> bool | None:
        """Whether the byte is ours now; None where it cannot be locked at all."""
        if sys.platform == "win32":
            return None
        import fcntl

        try:
            file = self._opened()
        except OSError:  # a folder that cannot be written: the record tells of that
            return None
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except (BlockingIOError, PermissionError):  # EAGAIN or EACCES, as the system likes
            return False
        except OSError:  # a file system without locks
            return None
        return True

    def _release(self, place: int) -> None:
        if sys.platform == "win32":
            return
        import fcntl

        with self._lock:
            if self._file is not None:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, place)

    def _opened(self) -> int:
        with self._lock:
            if self._file is None:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            return self._file
