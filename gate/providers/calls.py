"""The record of calls: each reply is written the moment it returns, and no request is made twice, in whatever process.

One SQLite table: each row is one request and its reply as JSON text.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from gate.errors import StoreError
from gate.files import FAULTS, log_ahead, make_folder, why
from gate.providers.base import Provider, Reply, Request, Wrapper
from gate.records import ToolCall, Usage
from gate.text.output import parse_last_list

DAY = 86_400.0
MAX_AGE_DAYS = 30.0
BUSY_SECONDS = 30.0
MAX_BYTES = 512 * 1024 * 1024
_FAR = 1e11  # seconds since 1970: no date that a file can mean
RESUME_DAYS = 3.0  # a run that was stopped before a weekend goes on; older answers are nobody's unfinished work
LOOK = 0.1  # seconds between two looks at whether another process has let go
_TABLE = """
CREATE TABLE IF NOT EXISTS calls (
    key TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    created REAL NOT NULL,  -- seconds since 1970
    used REAL NOT NULL,     -- the last time that it was read, to the day
    request TEXT NOT NULL,  -- JSON: messages, temperature, max_tokens, schema, repeat, role, prompt_id
    reply TEXT NOT NULL     -- JSON: text, usage, latency_ms, stop, model, contexts, tool_calls
);
CREATE INDEX IF NOT EXISTS calls_used ON calls (used);
CREATE TABLE IF NOT EXISTS unfinished (
    key TEXT PRIMARY KEY,   -- of an answer of the application that no run was decided by yet
    scope TEXT NOT NULL     -- of the run that it was given in
);
CREATE TABLE IF NOT EXISTS refused (
    server TEXT NOT NULL,
    part TEXT NOT NULL,     -- of a request
    least INTEGER NOT NULL, -- max_tokens of the requests that may not have it
    created REAL NOT NULL,
    PRIMARY KEY (server, part)
);
"""


class Calls:
    """Reads and writes of the file, safe from many threads and processes at once."""

    def __init__(self, path: Path, busy: float = BUSY_SECONDS) -> None:
        """Open or create the file; waits `busy` seconds for another writer. Errors: StoreError if it cannot be, or is
        no record of calls."""
        self.path = path
        self._lock = threading.Lock()
        self._told = False
        try:
            make_folder(path.parent)
            self._db = sqlite3.connect(path, timeout=busy, check_same_thread=False, isolation_level=None)
        except (OSError, *FAULTS) as error:
            raise self._fault(error) from error
        try:
            # A write-ahead log survives the death of the process at any moment; only a power cut can lose its end.
            log_ahead(self._db, busy)
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.executescript(_TABLE)
        except FAULTS as error:
            self._db.close()
            raise self._fault(error) from error

    def get(self, key: str, scope: str | None = None) -> Reply | None:
        """The reply of that key, if there is one that can be read; with a `scope`, only one that an unfinished run of
        this scope left in the last days."""
        now = time.time()
        query, given = "SELECT reply, used < ?, created FROM calls WHERE key = ?", [now - DAY, key]
        if scope is not None:
            query += " AND created > ? AND EXISTS (SELECT 1 FROM unfinished u WHERE u.key = calls.key AND u.scope = ?)"
            given += [now - RESUME_DAYS * DAY, scope]
        with self._at_work() as db:
            row = db.execute(query, given).fetchone()
            if row is not None and row[1]:
                db.execute("UPDATE calls SET used = ? WHERE key = ?", (now, key))
        return _reply(row[0], row[2]) if row is not None else None

    def finish(self, used: Mapping[str, float]) -> None:
        """Note that a run was decided by these replies (key -> when they were given): the next one asks anew. A reply
        that another run has put in their place meanwhile is still that run's work."""
        query = "DELETE FROM unfinished WHERE key = ? AND (SELECT created FROM calls WHERE key = unfinished.key) = ?"
        with self._at_work() as db, db:
            db.execute("BEGIN IMMEDIATE")
            db.executemany(query, used.items())

    def put(self, key: str, provider: str, request: Request, reply: Reply, scope: str | None = None) -> None:
        """Write one reply in a transaction of its own: once this returns, the reply outlives the process. With a
        `scope` it is the work of an unfinished run."""
        now = reply.asked_at or time.time()
        asked = {name: value for name, value in asdict(request).items() if name not in ("question", "contexts")}
        kept = {name: value for name, value in asdict(reply).items() if name not in ("cached", "asked_at")}
        for name, nothing in (("contexts", None), ("tool_calls", ())):  # few servers tell them
            if kept[name] == nothing:
                del kept[name]
        row = (key, provider, reply.model, now, now, json.dumps(asked), json.dumps(kept))
        with self._at_work() as db, db:  # what fails is rolled back
            db.execute("BEGIN IMMEDIATE")
            db.execute("INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            if scope is not None:
                db.execute("INSERT OR REPLACE INTO unfinished VALUES (?, ?)", (key, scope))

    def keep(
        self,
        key: str,
        provider: str,
        request: Request,
        reply: Reply,
        on_fault: Callable[[str], None],
        scope: str | None = None,
    ) -> bool:
        """Write one reply, and whether that was possible. Where it is not, the reply is still used, but a run that is
        killed would pay again: `on_fault` is told so, once."""
        try:
            self.put(key, provider, request, reply, scope)
        except StoreError as error:
            with self._lock:
                first, self._told = not self._told, True
            if first:
                on_fault(error.message)
            return False
        return True

    def refusals(self, server: str) -> dict[str, int]:
        """What that server was found to refuse in the last day, as `Refused` has it: it may have been mended since."""
        query = "SELECT part, least FROM refused WHERE server = ? AND created > ?"
        with self._at_work() as db:
            return dict(db.execute(query, (server, time.time() - DAY)).fetchall())

    def keep_refusal(self, server: str, part: str, least: int) -> None:
        """Keep what a server was found to refuse."""
        with self._at_work() as db:
            db.execute(
                "INSERT INTO refused VALUES (?, ?, ?, ?) ON CONFLICT (server, part)"
                " DO UPDATE SET least = min(least, excluded.least), created = excluded.created",
                (server, part, least, time.time()),
            )

    def prune(self, max_age_days: float = MAX_AGE_DAYS, max_bytes: int = MAX_BYTES) -> int:
        """Forget what was not used for `max_age_days`, then the longest unused until the texts fit `max_bytes`.

        Returns how many calls were forgotten.
        """
        with self._at_work() as db:
            gone = db.execute("DELETE FROM calls WHERE used < ?", (time.time() - max_age_days * DAY,)).rowcount
            gone += db.execute(
                "DELETE FROM calls WHERE key IN (SELECT key FROM (SELECT key, sum(length(request) + length(reply))"
                " OVER (ORDER BY used DESC, key) AS total FROM calls) WHERE total > ?)",
                (max_bytes,),
            ).rowcount
            db.execute("DELETE FROM unfinished WHERE key NOT IN (SELECT key FROM calls)")
            if gone:
                with contextlib.suppress(sqlite3.OperationalError):  # another run reads: the space is freed later
                    db.execute("VACUUM")
        return gone

    def close(self) -> None:
        """Close the file; safe to call twice."""
        with self._lock, contextlib.suppress(sqlite3.Error):
            self._db.close()

    @contextlib.contextmanager
    def _at_work(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one thread at a time. Errors: StoreError for what SQLite raises."""
        try:
            with self._lock:
                yield self._db
        except FAULTS as error:
            raise self._fault(error) from error

    def _fault(self, error: Exception) -> StoreError:
        hint = "check that the folder is writable and the disk is not full; a damaged file can be deleted"
        if "locked" in str(error):
            hint = "another program keeps the file to itself: let it finish, or close it"
        return StoreError(f"{self.path}: the record of calls cannot be used: {why(error)}", hint)


@dataclass(frozen=True, slots=True)
class Renewal:
    """How answers of the application are recorded: they serve the run that they were given in, also when it is started
    again after it was stopped. A run that was decided by them has used them up.

    `scope` tells what the application may answer from; an unfinished run of another scope is another run. `reuse`: used
    up or not, whatever is recorded is taken.
    """

    scope: Callable[[], str]
    reuse: bool = False


def _reply(text: str, created: float) -> Reply | None:
    """A reply from its JSON; a row of another shape (an older or newer version wrote it, or the file is damaged) counts
    as not there."""
    try:
        fields: dict[str, Any] = json.loads(text)
        made = {"usage": Usage(**fields["usage"]), "cached": True, "asked_at": created}
        made["tool_calls"] = tuple(ToolCall(**call) for call in fields.get("tool_calls", ()))
        reply = Reply(**{**fields, **made})
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return reply if _whole(reply) else None


def _whole(reply: Reply) -> bool:
    counts, took = (reply.usage.input_tokens, reply.usage.output_tokens), reply.latency_ms
    timed = took is None or (isinstance(took, int | float) and math.isfinite(took))
    timed = timed and all(isinstance(text, str) for text in reply.contexts or ())
    timed = timed and isinstance(reply.asked_at, int | float) and 0 <= reply.asked_at < _FAR
    return timed and isinstance(reply.stop, str) and all(type(count) is int and count >= 0 for count in counts)


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
        without it goes on from the newest replies. `on_cached` is called for each reply that cost nothing, `on_fault`
        as by `Calls.keep`. `locks`: another process that asks the same is waited for."""
        super().__init__(inner)
        self._calls, self._fresh = calls, fresh
        self._key_model = f"{self.model}\n{self.identity}"
        self._on_cached, self._on_fault, self._locks = on_cached, on_fault, locks
        self._lock = threading.Lock()
        self._in_flight: dict[str, Future[Reply]] = {}
        self._renewed: set[str] = set()  # the keys that were written here
        self.renewal: Renewal | None = None  # None: every reply stays good
        self._used: dict[str, float] = {}  # key -> when the reply was given

    def finish(self) -> None:
        """Note that a run was decided by the replies given here. Errors: StoreError."""
        self._calls.finish(self._used)

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
            return replace(reply, cached=True)
        try:
            reply = self._once(key, request)
        except BaseException as error:
            mine.set_exception(error)
            raise
        else:
            mine.set_result(reply)
            self._used[key] = reply.asked_at
            return reply
        finally:
            with self._lock:
                del self._in_flight[key]

    def _once(self, key: str, request: Request) -> Reply:
        if self._fresh and key not in self._renewed:
            return self._ask(key, request)
        known = self._recorded(key, request)
        if known is not None:
            return known
        with self._locks.hold(key) if self._locks is not None else contextlib.nullcontext():
            return self._recorded(key, request) or self._ask(key, request)  # another process may have asked meanwhile

    def _recorded(self, key: str, request: Request) -> Reply | None:
        # What this run was given stays its own, also where a run beside it has finished with it.
        free = key in self._used or (self.renewal is not None and self.renewal.reuse)
        reply = self._calls.get(key, None if free else self._scope(request))
        if reply is not None:
            self._on_cached()
        return reply

    def _scope(self, request: Request) -> str | None:
        """None for what is no answer to a question of a run: one that the model was asked to write, for instance."""
        return self.renewal.scope() if self.renewal is not None and request.role == "target" else None

    def _ask(self, key: str, request: Request) -> Reply:
        reply = replace(self._inner.complete(request), asked_at=time.time())
        scope = self._scope(request)
        if worth_keeping(request, reply) and self._calls.keep(key, self.name, request, reply, self._on_fault, scope):
            self._renewed.add(key)
        return reply


def worth_keeping(request: Request, reply: Reply) -> bool:
    """Whether asking again could not do better: whole, not filtered, not empty, and with every list that was asked for,
    wherever in the text its reader finds it: a model may think aloud, with braces, before it answers."""
    if reply.stop != "stop" or reply.is_empty:
        return False
    return request.schema is None or all(parse_last_list(reply.text, name)[1] for name in request.schema["required"])


class Locks:
    """Locks between processes, one for each request: what two runs ask for at the same moment is paid for once.

    A lock is on a single byte of a file, the byte being the key of the request: it ends with the process, however that
    ends. Threads of one process do not keep each other waiting. Where the system has no such locks, nobody waits."""

    def __init__(self, path: Path, sleep: Callable[[float], None]) -> None:
        """The file is made if its folder is there. `sleep` waits, and may end the waiting with an error."""
        self._sleep = sleep
        self._file: int | None = None
        if sys.platform != "win32":
            with contextlib.suppress(OSError):  # a folder that cannot be written: the record tells of that
                self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)

    @contextlib.contextmanager
    def hold(self, key: str) -> Iterator[None]:
        """Come in when no other process holds this key (a hex digest). Errors: those of `sleep`."""
        place = int(key[:15], 16)
        while (taken := self._take(place)) is False:
            self._sleep(LOOK)
        try:
            yield
        finally:
            if taken and self._file is not None:
                import fcntl

                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, place)

    def close(self) -> None:
        """Let go of all; safe to call twice."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _take(self, place: int) -> bool | None:
        """Whether the byte is ours now; None where it cannot be locked at all."""
        if self._file is None:
            return None
        import fcntl

        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except (BlockingIOError, PermissionError):  # EAGAIN or EACCES, as the system likes
            return False
        except OSError:  # a file system without locks
            return None
        return True
