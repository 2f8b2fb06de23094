"""Reads of the embedded store's tables, inside a transaction that the caller holds."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gate.records import Chunk, Evidence
from gate.store.vectors import Matrix

_CHUNKS = """
SELECT c.hash, c.text, d.source, o.heading, o.lines
FROM occurrences o JOIN documents d ON d.id = o.document JOIN chunks c ON c.id = o.chunk
"""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What search keeps in memory of one state of the index: `ids` are the chunks by source and position of their
    first occurrence, `places` the way back, `matrix` their windows in the same order."""

    version: int
    ids: tuple[int, ...]
    places: dict[int, int]
    matrix: Matrix


def load(connection: sqlite3.Connection, version: int, dimension: int) -> Snapshot:
    """Order and vectors of all chunks. Errors: sqlite3.DatabaseError where a chunk has no whole vectors."""
    order = "SELECT chunk FROM occurrences o JOIN documents d ON d.id = o.document ORDER BY d.source, o.position"
    ids = tuple(dict.fromkeys(row[0] for row in connection.execute(order)))
    stored = dict(connection.execute("SELECT c.id, v.windows FROM chunks c JOIN vectors v ON v.hash = c.hash"))
    blobs = [stored.get(number, b"") for number in ids]
    if any(not blob or len(blob) % (2 * dimension) for blob in blobs):
        raise sqlite3.DatabaseError("its vectors are damaged")
    counts = [len(blob) // (2 * dimension) for blob in blobs]
    rows = np.frombuffer(b"".join(blobs), dtype="<i2").reshape(-1, dimension)
    starts = np.concatenate(([0], np.cumsum(counts, dtype=np.intp)))
    return Snapshot(version, ids, {number: place for place, number in enumerate(ids)}, Matrix(rows, starts))


def by_words(connection: sqlite3.Connection, snapshot: Snapshot, match: str, k: int) -> list[int]:
    """The places of the `k` chunks with the best BM25 (FTS5: k1 = 1.2, b = 0.75), best first, equal ones by place."""
    query = "SELECT rowid, bm25(words) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT ?"
    rows = connection.execute(query, (match, k)).fetchall()
    ranked = sorted((score, snapshot.places[number]) for number, score in rows)
    return [place for _, place in ranked]


def show(
    connection: sqlite3.Connection, snapshot: Snapshot, ranked: Sequence[tuple[int, float]], shown: dict[int, Evidence]
) -> Iterator[Evidence]:
    """Ranked places as evidence with their scores; `shown` keeps what was read, for the queries that follow."""
    for place, score in ranked:
        if place not in shown:
            shown[place] = _evidence(connection, snapshot.ids[place])
        yield replace(shown[place], score=round(score, 6))


def _evidence(connection: sqlite3.Connection, number: int) -> Evidence:
    """A chunk at its first occurrence by source and position."""
    query = f"{_CHUNKS} WHERE o.chunk = ? ORDER BY d.source, o.position LIMIT 1"
    digest, text, source, heading, lines = connection.execute(query, (number,)).fetchone()
    places = tuple(json.loads(lines))
    return Evidence(source, places[0] if places else 0, text, 0.0, heading, places, digest)


def all_chunks(connection: sqlite3.Connection) -> list[Chunk]:
    """Every occurrence, by source and position."""
    rows = connection.execute(f"{_CHUNKS} ORDER BY d.source, o.position")
    return [Chunk(name, text, source, heading, tuple(json.loads(lines))) for name, text, source, heading, lines in rows]
