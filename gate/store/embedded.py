"""The embedded store: one SQLite file with words (FTS5, BM25) and vectors, both asked in batch and fused."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from gate.errors import IndexMissingError, StoreError
from gate.providers.base import Embedder
from gate.records import Chunk, Evidence, Turns, parse_turns
from gate.store.base import Change, Ranking, evidence_of, fingerprint_of
from gate.store.passages import match_query, terms
from gate.store.ranking import DEPTH, Matrix, begin, embed_windows, finish
from gate.store.schema import BUSY_SECONDS, connect, named_faults, transaction

_CHUNKS = """
SELECT c.hash, c.text, d.source, o.heading, o.lines, o.turns, d.tags
FROM occurrences o JOIN documents d ON d.id = o.document JOIN chunks c ON c.id = o.chunk
"""
# Whether vectors, for a parameter of bytes a window, are what was written.
_WHOLE = "typeof(windows) = 'blob' AND length(windows) > 0 AND length(windows) % ? = 0"
_DIGESTS = f"""
SELECT source, CASE WHEN EXISTS (
    SELECT 1 FROM occurrences o JOIN chunks c ON c.id = o.chunk
    WHERE o.document = d.id AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.hash = c.hash AND {_WHOLE})
) THEN '' ELSE digest END FROM documents AS d ORDER BY source
"""  # noqa: S608
_LOST = """
SELECT 1 FROM chunks WHERE id NOT IN (SELECT chunk FROM occurrences) OR id NOT IN (SELECT id FROM words_docsize) LIMIT 1
"""
MANY = 200_000  # chunks from which on a server is the better place: benchmarks/results/index.md
_LINES = re.compile(r"\[(?:\d{1,9}(?:, \d{1,9})*)?\]")  # as they are written
_DAMAGED, _APART = "a chunk is damaged", "its tables do not fit together"


def open_for_reading(path: Path, embedder: Embedder) -> EmbeddedStore:
    """The index for a run. Never makes a file. Errors: IndexMissingError where there is none or nothing in it."""
    store = EmbeddedStore(path, embedder, connect(path, embedder, write=False))
    try:
        store.require_chunks()
    except BaseException:
        store.close()
        raise
    return store


def advice(chunks: int) -> str:
    """What to say of an index of so many chunks; empty where it is in its place."""
    if chunks <= MANY:
        return ""
    return (
        f"the index has {chunks:,} chunks; above {MANY:,} each run takes long to open and search it: "
        "keep it on Elasticsearch (docs/how-to/elasticsearch.md)"
    )


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
            search = begin(before, queries, about)
        open_ = search.open(apart)
        # The embedder works between the transactions: a slow one keeps no other thread waiting.
        vectors = self._embedder.embed(open_) if open_ else np.empty((0, self._embedder.dimension), np.float32)
        with self._transaction() as connection:
            snapshot = self._current(connection)
            if snapshot is not before:  # an ingest was at work meanwhile
                search = replace(search, words={}, shown={})
            near = dict(zip(open_, snapshot.matrix.nearest(vectors, DEPTH), strict=True))
            return finish(snapshot, search, near, k, apart)

    def require_chunks(self) -> None:
        """Errors: IndexMissingError where nothing is indexed, or not yet all of what the first ingest found."""
        with self._transaction() as connection:
            if connection.execute("SELECT 1 FROM meta WHERE key = 'unfinished'").fetchone() is not None:
                what = f"the index {self._path} is not whole: its first `gate ingest` was stopped, or is still at work"
                raise IndexMissingError(what, "run `gate ingest` again with the same sources: it goes on where it was")
            if connection.execute("SELECT 1 FROM chunks LIMIT 1").fetchone() is None:
                hint = "run `gate ingest` with documents that hold text"
                raise IndexMissingError(f"the index {self._path} is empty", hint)

    def chunks(self) -> list[Chunk]:
        """All chunks by source and position; a text that stands twice comes twice."""
        with self._transaction() as connection:
            return [_chunk(row) for row in connection.execute(f"{_CHUNKS} ORDER BY d.source, o.position")]

    def fingerprint(self) -> str:
        """SHA-256 (hex) over the embedder and all chunks with their places, whatever the order they were written in."""
        return fingerprint_of(self._embedder, self.chunks())

    def digests(self) -> dict[str, str]:
        """source -> digest of the file as it was indexed; empty where it has a chunk without whole vectors, which
        indexing it again mends. Errors: StoreError where the tables do not fit together, which nothing mends."""
        with self._transaction() as connection:
            for query in ("PRAGMA foreign_key_check", _LOST, "SELECT 1 FROM words WHERE words MATCH 'x' LIMIT 0"):
                if connection.execute(query).fetchone() is not None:
                    raise sqlite3.DatabaseError(_APART)
            return dict(connection.execute(_DIGESTS, (2 * self._embedder.dimension,)).fetchall())

    def embed(self, chunks: Sequence[Chunk]) -> None:
        """As Index.embed. The vectors are in the file before their chunks: an ingest that is killed has them."""
        texts = {chunk.id: chunk.text for chunk in chunks}
        with self._transaction() as connection:
            missing = self._unknown(connection, texts)
        # The embedder works between the transactions: a slow one keeps no other process waiting.
        found = embed_windows(self._embedder, {name: texts[name] for name in sorted(missing)})
        if found:
            with self._transaction(changes=True) as connection:
                rows = ((name, windows.tobytes()) for name, windows in found.items())
                connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

    def replace(self, source: str, digest: str, chunks: Sequence[Chunk]) -> Change:
        """Make these the document's chunks, all or nothing; texts with vectors in the index are not embedded again."""
        while True:
            self.embed(chunks)
            with self._transaction(changes=True) as connection:
                if not self._unknown(connection, {chunk.id for chunk in chunks}):
                    return _write(connection, source, digest, chunks)
            # Another process pruned vectors that had been known: these are embedded too.

    def remove(self, source: str) -> Change:
        """Drop a document; nothing happens where it is unknown."""
        with self._transaction(changes=True) as connection:
            before = _leave(connection, source)
            connection.execute("DELETE FROM documents WHERE source = ?", (source,))
            _drop_orphans(connection, before)
            return Change(removed=before.total())

    def begin(self) -> None:
        """Half of a new index is no index: what is missing would be called unsupported. In one that was whole before,
        every document is there for readers as soon as it is replaced."""
        with self._transaction(changes=True) as connection:
            if connection.execute("SELECT 1 FROM documents LIMIT 1").fetchone() is None:
                connection.execute("INSERT OR IGNORE INTO meta VALUES ('unfinished', '1')")

    def finish(self) -> None:
        """The index is whole."""
        with self._transaction(changes=True) as connection:
            connection.execute("DELETE FROM meta WHERE key = 'unfinished'")

    def close(self) -> None:
        """Let go of the file, pruned of vectors that no chunk uses any more; safe to call twice."""
        with self._lock:
            if self._connection is None:
                return
            try:
                if self._writes:
                    with self._transaction(changes=True) as connection:
                        connection.execute("DELETE FROM vectors WHERE hash NOT IN (SELECT hash FROM chunks)")
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
            self._snapshot = _load(connection, version, self._embedder.dimension)
        return self._snapshot

    def _unknown(self, connection: sqlite3.Connection, hashes: Iterable[str]) -> list[str]:
        """Those of the chunk ids whose text has no vectors in the index, or damaged ones."""
        query, size = f"SELECT 1 FROM vectors WHERE hash = ? AND {_WHOLE}", 2 * self._embedder.dimension  # noqa: S608
        return [digest for digest in hashes if connection.execute(query, (digest, size)).fetchone() is None]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What search keeps in memory of one state of the index, a Listing while a transaction of this state is open: `ids`
    are the chunks by source and position of their first occurrence, `places` the way back, `matrix` their windows in
    the same order."""

    connection: sqlite3.Connection
    version: int
    ids: tuple[int, ...]
    places: Mapping[int, int]
    matrix: Matrix

    def by_words(self, texts: Iterable[str]) -> dict[str, list[int]]:
        """As Listing (FTS5: k1 = 1.2, b = 0.75). Errors: sqlite3.DatabaseError."""
        query = "SELECT rowid, bm25(words) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT ?"
        found = {}
        for text in texts:
            if match := match_query(text):
                rows = self.connection.execute(query, (match, DEPTH)).fetchall()
                if any(number not in self.places for number, _ in rows):
                    raise sqlite3.DatabaseError(_APART)
                ranked = sorted((score, self.places[number]) for number, score in rows)
                found[text] = [place for _, place in ranked]
        return found

    def evidence_at(self, places: Iterable[int]) -> dict[int, Evidence]:
        """As Listing: the chunk at its first occurrence. Errors: sqlite3.DatabaseError."""
        query = f"{_CHUNKS} WHERE o.chunk = ? ORDER BY d.source, o.position LIMIT 1"
        rows = {place: self.connection.execute(query, (self.ids[place],)).fetchone() for place in places}
        return {place: evidence_of(_chunk(row)) for place, row in rows.items()}


def _load(connection: sqlite3.Connection, version: int, dimension: int) -> Snapshot:
    """Order and vectors of all chunks. Errors: sqlite3.DatabaseError where a chunk has no whole vectors."""
    order = "SELECT chunk FROM occurrences o JOIN documents d ON d.id = o.document ORDER BY d.source, o.position"
    ids = tuple(dict.fromkeys(row[0] for row in connection.execute(order)))
    stored = dict(connection.execute("SELECT c.id, v.windows FROM chunks c JOIN vectors v ON v.hash = c.hash"))
    blobs = [stored.get(number, b"") for number in ids]
    if any(not isinstance(blob, bytes) or not blob or len(blob) % (2 * dimension) for blob in blobs):
        raise sqlite3.DatabaseError("its vectors are damaged")
    counts = [len(blob) // (2 * dimension) for blob in blobs]
    rows = np.frombuffer(b"".join(blobs), dtype="<i2").reshape(-1, dimension)
    starts = np.concatenate(([0], np.cumsum(counts, dtype=np.intp)))
    places = {number: place for place, number in enumerate(ids)}
    return Snapshot(connection, version, ids, places, Matrix(rows, starts))


def _chunk(row: tuple[Any, ...]) -> Chunk:
    """A row of _CHUNKS, whose text is the one that it was named by. Errors: sqlite3.DatabaseError where it is not as it
    was written."""
    try:
        name, text, source, heading, lines, turns, tags = row
        known = parse_turns(json.loads(turns)), tuple(map(str, json.loads(tags)))
        chunk = Chunk(name, text, source, heading, tuple(json.loads(lines)), *known)
        written = _LINES.fullmatch(lines) and _as_json(chunk.turns) == turns and _as_json(chunk.tags) == tags
        whole = written and all(isinstance(one, str) for one in row)
        if whole and name == hashlib.sha256(text.encode()).hexdigest():
            return chunk
    except (ValueError, TypeError, RecursionError) as error:
        raise sqlite3.DatabaseError(_DAMAGED) from error
    raise sqlite3.DatabaseError(_DAMAGED)


def _as_json(value: Turns | tuple[str, ...]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write(connection: sqlite3.Connection, source: str, digest: str, chunks: Sequence[Chunk]) -> Change:
    """Put `chunks` in the place of what the document had."""
    before = _leave(connection, source)
    connection.execute(
        "INSERT INTO documents (source, digest, tags) VALUES (?, ?, ?) "
        "ON CONFLICT (source) DO UPDATE SET digest = excluded.digest, tags = excluded.tags",
        (source, digest, _as_json(chunks[0].tags if chunks else ())),
    )
    document = connection.execute("SELECT id FROM documents WHERE source = ?", (source,)).fetchone()[0]
    rows = [
        (document, at, _row(connection, chunk), chunk.heading, json.dumps(chunk.lines), _as_json(chunk.turns))
        for at, chunk in enumerate(chunks)
    ]
    connection.executemany("INSERT INTO occurrences VALUES (?, ?, ?, ?, ?, ?)", rows)
    _drop_orphans(connection, before)
    return Change.between(before, Counter(chunk.id for chunk in chunks))


def _leave(connection: sqlite3.Connection, source: str) -> Counter[str]:
    """Take the document's chunks from it; which they were, by id."""
    of_document = "document = (SELECT id FROM documents WHERE source = ?)"
    query = f"SELECT c.hash FROM occurrences o JOIN chunks c ON c.id = o.chunk WHERE o.{of_document}"  # noqa: S608
    before = Counter(row[0] for row in connection.execute(query, (source,)))
    connection.execute(f"DELETE FROM occurrences WHERE {of_document}", (source,))  # noqa: S608
    return before


def _row(connection: sqlite3.Connection, chunk: Chunk) -> int:
    row = connection.execute("SELECT id FROM chunks WHERE hash = ?", (chunk.id,)).fetchone()
    if row is not None:
        return int(row[0])
    cursor = connection.execute("INSERT INTO chunks (hash, text) VALUES (?, ?)", (chunk.id, chunk.text))
    number = int(cursor.lastrowid or 0)
    connection.execute("INSERT INTO words (rowid, terms) VALUES (?, ?)", (number, " ".join(terms(chunk.text))))
    return number


def _drop_orphans(connection: sqlite3.Connection, hashes: Iterable[str]) -> None:
    query = (
        "SELECT id, text FROM chunks WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM occurrences WHERE chunk = chunks.id)"
    )
    for digest in hashes:
        row = connection.execute(query, (digest,)).fetchone()
        if row is None:
            continue
        # The word index keeps no text of its own: it is told what it had been given.
        forget = "INSERT INTO words (words, rowid, terms) VALUES ('delete', ?, ?)"
        connection.execute(forget, (row[0], " ".join(terms(row[1]))))
        connection.execute("DELETE FROM chunks WHERE id = ?", (row[0],))
