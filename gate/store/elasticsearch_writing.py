"""The index on an Elasticsearch server as ingestion writes it: document by document, and no reader sees half of it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from gate.config import Elasticsearch
from gate.errors import StoreError
from gate.providers.base import Embedder
from gate.records import Chunk, Evidence
from gate.store.base import Change, Ranking
from gate.store.elasticsearch import ElasticsearchStore
from gate.store.elasticsearch_bulk import Entry, Sender, entry, send
from gate.store.elasticsearch_entries import chunk_entries, document_body
from gate.store.elasticsearch_generations import check_target, clear, copy, prepare, swap
from gate.store.elasticsearch_mapping import document_id, made_by
from gate.store.elasticsearch_reading import Documents
from gate.store.elasticsearch_server import WRITE, Patience, Server

_BATCH = 200  # entries that are sent together
_SECONDS = 2.0  # after which fewer are sent: a process that is killed loses no more than this
_MERGE = Patience(300.0, 0.0)


def open_for_writing(settings: Elasticsearch, embedder: Embedder, environ: Mapping[str, str]) -> ElasticsearchIndex:
    """The index for ingestion. Changes go to a copy of the one that is read, or for another embedder to a new one, and
    that takes its place in `finish`. Errors: StoreError."""
    server = Server(settings, environ)
    try:
        server.check_version()
        made = made_by(embedder, settings.int8)
        return ElasticsearchIndex(server, settings.index, made, embedder)
    except BaseException:
        server.close()
        raise


class ElasticsearchIndex:
    """Search and change one index; for one thread. What is written is sent in the background, and all of it is there
    before the next read. What readers have is never written: the first change makes a copy of it."""

    def __init__(
        self,
        server: Server,
        alias: str,
        made: dict[str, Any],
        embedder: Embedder,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._server, self._alias, self._made, self._embedder, self._now = server, alias, made, embedder, now
        self._index, self._live = prepare(server, alias, made)
        self._refresh()
        self._store = ElasticsearchStore(server, self._index, embedder)
        self._held = Documents(self._server, self._index).held()
        self._sender: Sender | None = Sender(server, self._index)
        self._chunks: list[Entry] = []
        self._documents: dict[str, Entry] = {}
        self._sent = time.monotonic()
        self._written = False  # since the last flush
        self._changed = bool(self._held.chunks ^ self._held.used())  # what an ingest that was stopped left behind

    def digests(self) -> dict[str, str]:
        """source -> digest of the file as it was indexed; empty for a document that lacks a chunk."""
        held = self._held
        return {
            source: digest if names.keys() <= held.chunks else "" for source, (digest, names) in held.documents.items()
        }

    def begin(self) -> None:
        """Nothing to do: a new index gets its name when it is whole."""

    def replace(self, source: str, digest: str, chunks: Sequence[Chunk]) -> Change:
        """Make these the document's chunks; only texts that the index does not hold are embedded."""
        texts = {chunk.id: chunk.text for chunk in chunks if chunk.id not in self._held.chunks}
        written = chunk_entries(self._embedder, source, texts)
        body = document_body(source, digest, chunks)
        before = self._held.documents.get(source, ("", Counter()))[1]
        after = Counter(chunk.id for chunk in chunks)
        self._write(source, body, written)
        self._held.chunks |= texts.keys()
        self._held.documents[source] = (digest, after)
        return Change((after - before).total(), (after & before).total(), (before - after).total())

    def remove(self, source: str) -> Change:
        """Drop a document; nothing happens where it is unknown."""
        if source not in self._held.documents:
            return Change()
        self._write(source, None, [])
        return Change(removed=self._held.documents.pop(source)[1].total())

    def finish(self) -> None:
        """All documents are in: chunks that none of them holds are dropped, and readers find this index from now on.
        What is left over of others is deleted. Errors: StoreError."""
        self._flush()
        check_target(self._server, self._index, self._made)
        if self._changed:
            self._leave_live()
            self._prune()
            self._changed = False
        swap(self._server, self._alias, self._index, self._now())
        self._live = True
        clear(self._server, self._alias, self._now())

    def search(self, queries: Sequence[str], k: int, about: Sequence[str] = ()) -> list[list[Evidence]]:
        """As the store for reading, over all that was written."""
        self._flush()
        self._store.forget()
        return self._store.search(queries, k, about)

    def rankings(self, queries: Sequence[str], k: int, about: Sequence[str] = ()) -> list[Ranking]:
        """As `search`, with the two rankings that it is fused from."""
        self._flush()
        self._store.forget()
        return self._store.rankings(queries, k, about)

    def chunks(self) -> Iterator[Chunk]:
        """All chunks by source and position."""
        self._flush()
        return self._store.chunks()

    def fingerprint(self) -> str:
        """As the store for reading."""
        self._flush()
        return self._store.fingerprint()

    def close(self) -> None:
        """Send what waits, so that an ingest that was stopped goes on there; safe to call twice."""
        sender = self._sender
        if sender is None:
            return
        try:
            if not sender.failed:
                self._flush()
        finally:
            self._sender = None
            sender.close()
            self._server.close()

    def _write(self, source: str, body: dict[str, Any] | None, chunks: list[Entry]) -> None:
        if self._sender is None:
            raise StoreError(f"the index `{self._alias}` was closed", "open it again")
        self._leave_live()
        if source in self._documents:
            self._flush()  # two changes of one document keep their order
        self._changed = self._written = True
        self._chunks += chunks
        self._documents[source] = entry(document_id(source), body, source)
        if len(self._chunks) + len(self._documents) >= _BATCH or time.monotonic() - self._sent > _SECONDS:
            self._put()

    def _leave_live(self) -> None:
        """From here on changes go to a copy, if readers have this index; Elasticsearch Serverless makes none."""
        if self._live and not self._server.serverless and self._sender is not None:
            self._sender.close()
            self._index = copy(self._server, self._alias, self._index, self._made)
            self._store = ElasticsearchStore(self._server, self._index, self._embedder)
            self._sender = Sender(self._server, self._index)
        self._live = False

    def _put(self) -> None:
        if self._sender is not None:
            self._sender.put(self._chunks, list(self._documents.values()))
        self._chunks, self._documents, self._sent = [], {}, time.monotonic()

    def _flush(self) -> None:
        """Send what waits, and wait until it can be found."""
        if self._written and self._sender is not None:
            self._put()
            self._sender.drain()
            self._refresh()
            self._written = False

    def _refresh(self) -> None:
        self._server.ask("POST", f"/{self._index}/_refresh", patience=WRITE)

    def _prune(self) -> None:
        """Drop the chunks that no document holds, by what the server has now. Errors: StoreError where that is not
        what was written here: another ingest took this index up too, and readers shall not have a mixture."""
        mine = self._held.documents
        self._held = Documents(self._server, self._index).held()
        used = self._held.used()
        if self._held.documents != mine or used - self._held.chunks:
            hint = "run `gate ingest` again, one at a time"
            raise StoreError(f"another ingest changed the index `{self._alias}` at the same time", hint)
        if stale := sorted(self._held.chunks - used):
            send(self._server, self._index, [entry(name, None, name) for name in stale])
            self._held.chunks -= set(stale)
            # Deleted chunks count in BM25 until they are merged away, which the server does when it has held them for
            # half a minute. The index is right without it, so a fault here is none.
            with suppress(StoreError):
                for action in ("_flush", "_forcemerge?only_expunge_deletes=true"):
                    self._server.ask("POST", f"/{self._index}/{action}", patience=_MERGE)
            self._refresh()
