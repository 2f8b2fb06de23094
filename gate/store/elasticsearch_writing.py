"""The index on an Elasticsearch server as ingestion writes it: document by document, and no reader sees half of it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from gate.config_parts import Elasticsearch
from gate.errors import StoreError
from gate.providers.base import Embedder
from gate.records import Chunk, Evidence
from gate.store.base import Change, Ranking
from gate.store.elasticsearch import ElasticsearchStore
from gate.store.elasticsearch_bulk import Entry, Sender, entry, send
from gate.store.elasticsearch_mapping import check_target, document_id, made_by, prepare, swap
from gate.store.elasticsearch_reading import Documents
from gate.store.elasticsearch_server import WRITE, Patience, Server
from gate.store.terms import terms
from gate.store.vectors import quantise

_BATCH = 200  # entries that are sent together
_SECONDS = 2.0  # after which fewer are sent: a process that is killed loses no more than this
_MERGE = Patience(300.0, 0.0)


def open_for_writing(settings: Elasticsearch, embedder: Embedder, environ: Mapping[str, str]) -> ElasticsearchIndex:
    """The index for ingestion. One for another embedder is built beside the one that is read, and takes its place in
    `finish`. Errors: StoreError."""
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
    before the next read. A document's chunks arrive before the document: a reader finds it as it was or as it is."""

    def __init__(self, server: Server, alias: str, made: dict[str, Any], embedder: Embedder) -> None:
        self._server, self._alias, self._made, self._embedder = server, alias, made, embedder
        self._index = prepare(server, alias, made)
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

    def replace(self, source: str, digest: str, chunks: Sequence[Chunk]) -> Change:
        """Make these the document's chunks; only texts that the index does not hold are embedded."""
        texts = {chunk.id: chunk.text for chunk in chunks if chunk.id not in self._held.chunks}
        written = [self._entry(source, *pair) for pair in zip(texts.items(), self._vectors(texts), strict=True)]
        places = [{"heading": chunk.heading, "lines": chunk.lines} for chunk in chunks]
        body = {"source": source, "digest": digest, "chunks": [chunk.id for chunk in chunks], "places": places}
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
        Errors: StoreError."""
        self._flush()
        check_target(self._server, self._index, self._made)
        if self._changed:
            self._prune()
            self._changed = False
        swap(self._server, self._alias, self._index)

    def search(self, queries: Sequence[str], k: int) -> list[list[Evidence]]:
        """As the store for reading, over all that was written."""
        self._flush()
        self._store.forget()
        return self._store.search(queries, k)

    def rankings(self, queries: Sequence[str], k: int) -> list[Ranking]:
        """As `search`, with the two rankings that it is fused from."""
        self._flush()
        self._store.forget()
        return self._store.rankings(queries, k)

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

    def _entry(self, source: str, chunk: tuple[str, str], windows: list[list[int]]) -> Entry:
        name, text = chunk
        # A vector of zeros has no direction: the server refuses it, and nothing is near to it.
        vectors = [{"vector": vector} for vector in windows if any(vector)]
        body = {"chunk": name, "text": text, "words": " ".join(terms(text)), "windows": vectors}
        return entry(name, body, source)

    def _vectors(self, texts: Mapping[str, str]) -> list[list[list[int]]]:
        """For each text the vectors of its windows, as small whole numbers; one batch for the embedder."""
        windows = [self._embedder.windows(text) or [text] for text in texts.values()]
        every = [window for group in windows for window in group]
        rows = iter(quantise(self._embedder.embed(every)).tolist() if every else ())
        return [[next(rows) for _ in group] for group in windows]

    def _write(self, source: str, body: dict[str, Any] | None, chunks: list[Entry]) -> None:
        if self._sender is None:
            raise StoreError(f"the index `{self._alias}` was closed", "open it again")
        if source in self._documents:
            self._flush()  # two changes of one document keep their order
        self._changed = self._written = True
        self._chunks += chunks
        self._documents[source] = entry(document_id(source), body, source)
        if len(self._chunks) + len(self._documents) >= _BATCH or time.monotonic() - self._sent > _SECONDS:
            self._put()

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
        """Drop the chunks that no document holds, by what the server has now: another ingest may have written."""
        self._held = Documents(self._server, self._index).held()
        used = self._held.used()
        if used - self._held.chunks:
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
