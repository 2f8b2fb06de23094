"""The cache: each reply is recorded the moment it returns, and no request is made twice, in whatever process."""

from __future__ import annotations

import dataclasses
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from pathlib import Path

from gate.errors import StoreError
from gate.providers.base import Provider, Reply, Request, Wrapper
from gate.providers.calls import Calls
from gate.text.output import parse_last_list

LOOK = 0.1  # seconds between two looks at whether another process has let go


class Cache(Wrapper):
    """Cache, resume and log of a provider in one; it stands outside everything that counts or repeats calls."""

    def __init__(
        self,
        inner: Provider,
        calls: Calls,
        fresh: bool = False,
        on_cached: Callable[[], None] = lambda: None,
        on_fault: Callable[[str], None] = lambda message: None,
        locks: Locks | None = None,
    ) -> None:
        """`fresh` (`--no-cache`) asks again, once, for everything and replaces what was recorded, so that a later run
        without it goes on from the newest replies. `on_cached` is called for each reply that cost nothing; `on_fault`
        with a message, once, if replies cannot be written: they are still used, but a run that is killed would pay
        again. `locks`: another process that asks the same is waited for."""
        super().__init__(inner)
        self._calls, self._fresh = calls, fresh
        self._key_model = f"{self.model}\n{self.identity}"
        self._on_cached, self._on_fault, self._locks = on_cached, on_fault, locks
        self._lock = threading.Lock()
        self._in_flight: dict[str, Future[Reply]] = {}
        self._told = False
        self._renewed: set[str] = set()  # the keys that were written here

    def complete(self, request: Request) -> Reply:
        """The recorded reply, or a new one. An equal request in flight is waited for, its error shared.

        Errors: those of the provider; StoreError if the record cannot be read.
        """
        key = request.key(self.name, self._key_model)
        with self._lock:
            known = self._in_flight.get(key)
            if known is None:
                mine = self._in_flight[key] = Future()
        if known is not None:
            reply = known.result()
            self._on_cached()
            return dataclasses.replace(reply, cached=True)
        try:
            reply = self._once(key, request)
        except BaseException as error:
            mine.set_exception(error)
            raise
        else:
            mine.set_result(reply)
            return reply
        finally:
            with self._lock:
                del self._in_flight[key]

    def _once(self, key: str, request: Request) -> Reply:
        if self._fresh and key not in self._renewed:
            return self._ask(key, request)
        known = self._recorded(key)
        if known is not None:
            return known
        with self._locks.hold(key) if self._locks is not None else nullcontext():
            return self._recorded(key) or self._ask(key, request)  # another process may have asked meanwhile

    def _recorded(self, key: str) -> Reply | None:
        reply = self._calls.get(key)
        if reply is not None:
            self._on_cached()
        return reply

    def _ask(self, key: str, request: Request) -> Reply:
        reply = self._inner.complete(request)
        if worth_keeping(request, reply):
            self._write(key, request, reply)
        return reply

    def _write(self, key: str, request: Request, reply: Reply) -> None:
        try:
            self._calls.put(key, self.name, request, reply)
            self._renewed.add(key)
        except StoreError as error:
            with self._lock:
                first, self._told = not self._told, True
            if first:
                self._on_fault(error.message)


def worth_keeping(request: Request, reply: Reply) -> bool:
    """Whether asking again could not do better: whole, not filtered, not empty, and with every list that was asked for,
    wherever in the text its reader finds it: a model may think aloud, with braces, before it answers."""
    if reply.stop != "stop" or not reply.text.strip():
        return False
    return request.schema is None or all(parse_last_list(reply.text, name)[1] for name in request.schema["required"])


class Locks:
    """Locks between processes, one for each request: what two runs ask for at the same moment is paid for once.

    A lock is on a single byte of a file, the byte being the key of the request: it ends with the process, however that
    ends. Threads of one process do not keep each other waiting. Where the system has no such locks, nobody waits."""

    def __init__(self, path: Path, sleep: Callable[[float], None]) -> None:
        """The file is made when the first lock is taken. `sleep` waits, and may end the waiting with an error."""
        self._path, self._sleep = path, sleep
        self._lock = threading.Lock()
        self._file: int | None = None

    @contextmanager
    def hold(self, key: str) -> Iterator[None]:
        """Come in when no other process holds this key (a hex digest). Errors: those of `sleep`."""
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
