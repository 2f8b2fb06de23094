"""Many entries to a server: in parallel, no faster than it takes them, and what it refused for now once more."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from gate.errors import StoreError
from gate.store.elasticsearch_faults import TRANSIENT, reason_of
from gate.store.elasticsearch_server import WRITE, Server

THREADS = 4
_BYTES = 4_000_000  # of one request, unless one entry alone is larger
_ENTRIES = 500


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry to write, or to delete where it has no body. The id makes a repeat harmless. `label` names it in a
    fault."""

    id: str
    body: str | None
    label: str

    def lines(self) -> tuple[str, ...]:
        """As the bulk interface takes it."""
        verb = json.dumps({"delete" if self.body is None else "index": {"_id": self.id}})
        return (verb,) if self.body is None else (verb, self.body)


def entry(name: str, body: dict[str, Any] | None, label: str) -> Entry:
    """An Entry of a JSON object."""
    return Entry(name, None if body is None else json.dumps(body, ensure_ascii=False, separators=(",", ":")), label)


def send(server: Server, index: str, entries: Iterable[Entry]) -> None:
    """Write all of them, or raise: StoreError for one that the server does not take, or not within WRITE.repeat."""
    for part in _parts(entries):
        _send(server, index, part)


def _send(server: Server, index: str, waiting: Sequence[Entry]) -> None:
    waiter = server.waiter(WRITE)
    while waiting:
        lines = [line for one in waiting for line in one.lines()]
        # The server's own wait for a shard is short: it is asked again anyway.
        answer = server.ask("POST", f"/{index}/_bulk?timeout=10s", lines, patience=WRITE)
        with server.understood():
            results = [next(iter(item.values())) for item in answer["items"]]
            pairs = list(zip(waiting, results, strict=True))
            refused = [(one, result) for one, result in pairs if not _is_done(one, result)]
            lasting = next((pair for pair in refused if pair[1]["status"] not in TRANSIENT), None)
        if lasting or (refused and not waiter.again()):
            one, result = lasting or refused[0]
            raise StoreError(
                f"{server.name} did not take {one.label} ({result['status']}): {reason_of(result.get('error'))}",
                "see the log of the server, then run `gate ingest` again",
            )
        waiting = [one for one, _ in refused]


def _is_done(one: Entry, result: dict[str, Any]) -> bool:
    return 200 <= int(result["status"]) < 300 or (one.body is None and result["status"] == 404)


def _parts(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    part: list[Entry] = []
    size = 0
    for one in entries:
        length = len(one.body or "")
        if part and (size + length > _BYTES or len(part) == _ENTRIES):
            yield part
            part, size = [], 0
        part.append(one)
        size += length
    if part:
        yield part


class Sender:
    """Sends groups of entries on THREADS threads. Within a group the second half is sent when the first has arrived:
    a document is not there before its chunks. Whoever offers more than the server takes waits."""

    def __init__(self, server: Server, index: str) -> None:
        self._server, self._index = server, index
        self._pool = ThreadPoolExecutor(THREADS, "elasticsearch")
        self._room = threading.BoundedSemaphore(2 * THREADS)
        self._running: set[Future[None]] = set()
        self._failed = threading.Event()

    def put(self, first: Sequence[Entry], then: Sequence[Entry]) -> None:
        """Send a group soon; wait for room. Errors: StoreError of a group before."""
        self._collect(done_only=True)
        self._room.acquire()
        self._running.add(self._pool.submit(self._run, first, then))

    def drain(self) -> None:
        """Wait until all is there. Errors: StoreError of the first group that failed."""
        self._collect(done_only=False)

    @property
    def failed(self) -> bool:
        """Whether the server did not take something."""
        return self._failed.is_set()

    def close(self) -> None:
        """Give up what has not begun, wait for what has."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, first: Sequence[Entry], then: Sequence[Entry]) -> None:
        try:
            if not self._failed.is_set():  # one fault ends the ingest: the rest need not wait for the server too
                send(self._server, self._index, first)
                send(self._server, self._index, then)
        except BaseException:
            self._failed.set()
            raise
        finally:
            self._room.release()

    def _collect(self, done_only: bool) -> None:
        for future in [future for future in self._running if future.done() or not done_only]:
            self._running.discard(future)
            future.result()
