"""The file of recorded calls: one SQLite table, each row one request and its reply as JSON text."""

from __future__ import annotations

import contextlib
import json
import math
import sqlite3
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gate.errors import StoreError
from gate.folder import make_folder
from gate.providers.base import Reply, Request
from gate.records import Usage
from gate.sqlite import FAULTS, log_ahead, why

DAY = 86_400.0
MAX_AGE_DAYS = 30.0
BUSY_SECONDS = 30.0
MAX_BYTES = 512 * 1024 * 1024
_TABLE = """
CREATE TABLE IF NOT EXISTS calls (
    key TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    created REAL NOT NULL,  -- seconds since 1970
    used REAL NOT NULL,     -- the last time that it was read, to the day
    request TEXT NOT NULL,  -- JSON: messages, temperature, max_tokens, schema, repeat, role, prompt_id
    reply TEXT NOT NULL     -- JSON: text, usage, latency_ms, stop, model
);
CREATE INDEX IF NOT EXISTS calls_used ON calls (used);
CREATE TABLE IF NOT EXISTS refusals (
    server TEXT PRIMARY KEY,
    created REAL NOT NULL,
    learnt TEXT NOT NULL    -- JSON: parts, too_long
);
"""


class Calls:
    """Reads and writes of the file, safe from many threads and processes at once."""

    def __init__(self, path: Path, busy: float = BUSY_SECONDS) -> None:
        """Open or create the file; waits `busy` seconds for another writer. Errors: StoreError if it cannot be, or is
        no record of calls."""
        self.path = path
        self._lock = threading.Lock()
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

    def get(self, key: str) -> Reply | None:
        """The reply of that key, if there is one that can be read."""
        now = time.time()
        with self._at_work() as db:
            row = db.execute("SELECT reply, used < ? FROM calls WHERE key = ?", (now - DAY, key)).fetchone()
            if row is not None and row[1]:
                db.execute("UPDATE calls SET used = ? WHERE key = ?", (now, key))
        return _reply(row[0]) if row is not None else None

    def put(self, key: str, provider: str, request: Request, reply: Reply) -> None:
        """Write one reply in a transaction of its own: once this returns, the reply outlives the process."""
        now = time.time()
        kept = {name: value for name, value in asdict(reply).items() if name != "cached"}
        row = (key, provider, reply.model, now, now, json.dumps(_request_fields(request)), json.dumps(kept))
        with self._at_work() as db:
            db.execute("INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def load_refusals(self, server: str) -> str | None:
        """What that server was found to refuse in the last day: it may have been mended since."""
        with self._at_work() as db:
            row = db.execute(
                "SELECT learnt FROM refusals WHERE server = ? AND created > ?", (server, time.time() - DAY)
            ).fetchone()
        return row[0] if row is not None else None

    def save_refusals(self, server: str, learnt: str) -> None:
        """Keep what a server was found to refuse."""
        with self._at_work() as db:
            db.execute("INSERT OR REPLACE INTO refusals VALUES (?, ?, ?)", (server, time.time(), learnt))

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


def _request_fields(request: Request) -> dict[str, Any]:
    """A request as it is kept: what a replay or a command is told besides is no part of it."""
    fields = asdict(request)
    return {name: value for name, value in fields.items() if name not in ("question", "contexts")}


def _reply(text: str) -> Reply | None:
    """A reply from its JSON; a row of another shape (an older or newer version wrote it, or the file is damaged) counts
    as not there."""
    try:
        fields: dict[str, Any] = json.loads(text)
        reply = Reply(**{**fields, "usage": Usage(**fields["usage"]), "cached": True})
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return reply if _whole(reply) else None


def _whole(reply: Reply) -> bool:
    counts, took = (reply.usage.input_tokens, reply.usage.output_tokens), reply.latency_ms
    timed = took is None or (isinstance(took, int | float) and math.isfinite(took))
    return timed and isinstance(reply.stop, str) and all(type(count) is int and count >= 0 for count in counts)
