"""The embedded store: one SQLite file with words (FTS5, BM25) and vectors, both asked in batch and fused."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from gate.errors import IndexMissingError, StoreError
from gate.providers.base import Embedder
from gate.records import Chunk, Evidence
from gate.store.base import Change, Ranking, fingerprint_of
from gate.store.passages import match_query
from gate.store.ranking import DEPTH, LOOKED, embed_windows, fused_places, settled_queries, short, sought
from gate.store.schema import BUSY_SECONDS, connect, is_begun, mark, named_faults, transaction, unmark
from gate.store.tables import Snapshot, all_chunks, by_words, digests, drop, evidence_at, load, prune, unknown, write


def open_for_reading(path: Path, embedder: Embedder) -> EmbeddedStore:
    """The index for a run. Never makes a file. Errors: IndexMissingError where there is none or nothing in it."""
    store = EmbeddedStore(path, embedder, connect(path, embedder, write=False))
    try:
        store.require_chunks()
    except BaseException:
        store.close()
        raise
    return store


def open_for_writing(path: Path, embedder: Embedder, busy: float = BUSY_SECONDS) -> EmbeddedStore:
    """The index for ingestion, made where there is none; waits `busy` seconds for another writer."""
    return EmbeddedStore(path, embedder, connect(path, embedder, write=True, busy=busy), writes=True)


class EmbeddedStore:
    """Search and change one index file; threads may share it, one call runs at a time."""

    def __init__(self, path: Path, embedder: Embedder, connection: sqlite3.Connection, writes: bool = False) -> None:
        self._path = path
        self._embedder = embedder
        self._connection: sqlite3.Connection | None = connection
        self._writes = writes
        self._snapshot: Snapshot | None = None
        self._lock = threading.RLock()

    def search(self, queries: Sequence[str], k: int, about: Sequence[str] = ()) -> list[list[Evidence]]:
        """As Store.search. Errors: IndexMissingError where nothing is indexed, StoreError, and the embedder's own."""
        return [list(ranking.fused) for ranking in self.rankings(queries, k, about, apart=False)]

    def rankings(self, queries: Sequence[str], k: int, about: Sequence[str] = (), apart: bool = True) -> list[Ranking]:
        """What `search` gives, and (with `apart`) the two rankings that it is fused from. Errors: as `search`."""
        self.require_chunks()
        with self._transaction() as connection:
            before = self._current(connection)
            known = by_words(connection, before, (query for query in queries if not short(query)))
            best = {place for places in known.values() for place in places[:LOOKED]}
            done = settled_queries(known, evidence_at(connection, before, best))
        texts = sought(queries, about, done)
        asked = [text for text in dict.fromkeys(texts) if match_query(text) and (apart or text not in done)]
        # The embedder works between the transactions: a slow one keeps no other thread waiting.
        vectors = self._embedder.embed(asked) if asked else np.empty((0, self._embedder.dimension), np.float32)
        with self._transaction() as connection:
            snapshot = self._current(connection)
            if snapshot is not before:  # an ingest was at work meanwhile
                known = {}
            worded = {text: known[text] for text in texts if text in known}
            worded |= by_words(connection, snapshot, [text for text in texts if text not in known])
            nearest = dict(zip(asked, snapshot.matrix.nearest(vectors, DEPTH), strict=True))
            ranked = {
                text: fused_places(words, nearest.get(text, ()), k, text in done, apart)
                for text, words in worded.items()
            }
            wanted = {place for places in ranked.values() for place in places.all()}
            shown = evidence_at(connection, snapshot, wanted)
        found = {text: places.ranking(shown) for text, places in ranked.items()}
        return [found.get(text, Ranking((), (), ())) for text in texts]

    def require_chunks(self) -> None:
        """Errors: IndexMissingError where nothing is indexed, or not yet all of what the first ingest found."""
        with self._transaction() as connection:
            if is_begun(connection):
                what = f"the index {self._path} is not whole: its first `gate ingest` was stopped, or is still at work"
                raise IndexMissingError(what, "run `gate ingest` again with the same sources: it goes on where it was")
            if connection.execute("SELECT 1 FROM chunks LIMIT 1").fetchone() is None:
                hint = "run `gate ingest PATH...` with documents that hold text"
                raise IndexMissingError(f"the index {self._path} is empty", hint)

    def chunks(self) -> list[Chunk]:
        """All chunks by source and position; a text that stands twice comes twice."""
        with self._transaction() as connection:
            return all_chunks(connection)

    def fingerprint(self) -> str:
        """SHA-256 (hex) over the embedder and all chunks with their places, whatever the order they were written in."""
        return fingerprint_of(self._embedder, self.chunks())

    def digests(self) -> dict[str, str]:
        """source -> digest of the file as it was indexed; empty where it has to be indexed again to be whole."""
        with self._transaction() as connection:
            return digests(connection, self._embedder.dimension)

    def replace(self, source: str, digest: str, chunks: Sequence[Chunk]) -> Change:
        """Make these the document's chunks, all or nothing; texts with vectors in the index are not embedded again."""
        texts = {chunk.id: chunk.text for chunk in chunks}
        vectors: dict[str, bytes] = {}
        while True:
            with self._transaction() as connection:
                missing = unknown(connection, texts.keys() - vectors.keys(), self._embedder.dimension)
            # The embedder works between the transactions: a slow one keeps no other process waiting.
            found = embed_windows(self._embedder, {name: texts[name] for name in sorted(missing)})
            vectors |= {name: rows.tobytes() for name, rows in found.items()}
            with self._transaction(changes=True) as connection:
                if not unknown(connection, texts.keys() - vectors.keys(), self._embedder.dimension):
                    return write(connection, source, digest, chunks, vectors)
            # Another process pruned vectors that had been known: these are embedded too.

    def remove(self, source: str) -> Change:
        """Drop a document; nothing happens where it is unknown."""
        with self._transaction(changes=True) as connection:
            return drop(connection, source)

    def begin(self) -> None:
        """Half of a new index is no index: what is missing would be called unsupported. In one that was whole before,
        every document is there for readers as soon as it is replaced."""
        with self._transaction(changes=True) as connection:
            mark(connection)

    def finish(self) -> None:
        """The index is whole."""
        with self._transaction(changes=True) as connection:
            unmark(connection)

    def close(self) -> None:
        """Let go of the file, pruned of vectors that no chunk uses any more; safe to call twice."""
        with self._lock:
            if self._connection is None:
                return
            try:
                if self._writes:
                    with self._transaction(changes=True) as connection:
                        prune(connection)
            finally:
                self._connection.close()
                self._connection = None
                self._snapshot = None

    @contextmanager
    def _transaction(self, changes: bool = False) -> Iterator[sqlite3.Connection]:
        with self._lock, named_faults(self._path):
            if self._connection is None:
                raise StoreError(f"the index {self._path} was closed", "open it again")
            if changes:
                self._snapshot = None
            with transaction(self._connection, changes):
                yield self._connection

    def _current(self, connection: sqlite3.Connection) -> Snapshot:
        """The snapshot of this transaction's state: loaded once, and again after a commit of any process."""
        version = int(connection.execute("PRAGMA data_version").fetchone()[0])
        if self._snapshot is None or self._snapshot.version != version:
            self._snapshot = load(connection, version, self._embedder.dimension)
        return self._snapshot
