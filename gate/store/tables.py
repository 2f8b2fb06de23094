"""The tables of the embedded store, read and changed inside a transaction that the caller holds."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from gate.records import Chunk, Evidence, Turns, parse_turns
from gate.store.base import Change, evidence_of
from gate.store.passages import match_query, terms
from gate.store.ranking import DEPTH, Matrix

_CHUNKS = """
SELECT c.hash, c.text, d.source, o.heading, o.lines, o.turns
FROM occurrences o JOIN documents d ON d.id = o.document JOIN chunks c ON c.id = o.chunk
"""
# Whether vectors, for a parameter of bytes a window, are what was written.
_WHOLE = "typeof(windows) = 'blob' AND length(windows) > 0 AND length(windows) % ? = 0"
_BARE = f"""EXISTS (
    SELECT 1 FROM occurrences o JOIN chunks c ON c.id = o.chunk
    WHERE o.document = d.id AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.hash = c.hash AND {_WHOLE})
)"""  # noqa: S608
_LOST = """
SELECT 1 FROM chunks WHERE id NOT IN (SELECT chunk FROM occurrences) OR id NOT IN (SELECT id FROM words_docsize) LIMIT 1
"""
_LINES = re.compile(r"\[(?:\d{1,9}(?:, \d{1,9})*)?\]")  # as they are written
_DAMAGED, _APART = "a chunk is damaged", "its tables do not fit together"


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
    if any(not isinstance(blob, bytes) or not blob or len(blob) % (2 * dimension) for blob in blobs):
        raise sqlite3.DatabaseError("its vectors are damaged")
    counts = [len(blob) // (2 * dimension) for blob in blobs]
    rows = np.frombuffer(b"".join(blobs), dtype="<i2").reshape(-1, dimension)
    starts = np.concatenate(([0], np.cumsum(counts, dtype=np.intp)))
    return Snapshot(version, ids, {number: place for place, number in enumerate(ids)}, Matrix(rows, starts))


def by_words(connection: sqlite3.Connection, snapshot: Snapshot, texts: Iterable[str]) -> dict[str, list[int]]:
    """For each text the places of the DEPTH chunks with the best BM25 (FTS5: k1 = 1.2, b = 0.75), best first, equal
    ones by place; nothing for a text without words."""
    matches = {text: match for text in texts if (match := match_query(text))}
    return {text: _matching(connection, snapshot, match) for text, match in matches.items()}


def _matching(connection: sqlite3.Connection, snapshot: Snapshot, match: str) -> list[int]:
    query = "SELECT rowid, bm25(words) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT ?"
    rows = connection.execute(query, (match, DEPTH)).fetchall()
    if any(number not in snapshot.places for number, _ in rows):
        raise sqlite3.DatabaseError(_APART)
    ranked = sorted((score, snapshot.places[number]) for number, score in rows)
    return [place for _, place in ranked]


def evidence_at(connection: sqlite3.Connection, snapshot: Snapshot, places: Iterable[int]) -> dict[int, Evidence]:
    """place -> its chunk, at the first occurrence by source and position, without score."""
    query = f"{_CHUNKS} WHERE o.chunk = ? ORDER BY d.source, o.position LIMIT 1"
    rows = {place: connection.execute(query, (snapshot.ids[place],)).fetchone() for place in places}
    return {place: evidence_of(_chunk(row)) for place, row in rows.items()}


def all_chunks(connection: sqlite3.Connection) -> list[Chunk]:
    """Every occurrence, by source and position."""
    return [_chunk(row) for row in connection.execute(f"{_CHUNKS} ORDER BY d.source, o.position")]


def _chunk(row: tuple[object, ...]) -> Chunk:
    """A row of _CHUNKS; its text is the one that it was named by. Errors: sqlite3.DatabaseError for any other."""
    if not all(isinstance(value, str) for value in row):
        raise sqlite3.DatabaseError(_DAMAGED)
    name, text, source, heading, lines, turns = cast("tuple[str, ...]", row)
    places = json.loads(lines) if _LINES.fullmatch(lines) else None
    if places is None or name != hashlib.sha256(text.encode()).hexdigest():
        raise sqlite3.DatabaseError(_DAMAGED)
    return Chunk(name, text, source, heading, tuple(places), _turns(turns))


def _turns(written: str) -> Turns:
    """Errors: sqlite3.DatabaseError where it is not how turns are written."""
    try:
        turns = parse_turns(json.loads(written))
    except (ValueError, TypeError, RecursionError) as error:
        raise sqlite3.DatabaseError(_DAMAGED) from error
    if _as_json(turns) != written:
        raise sqlite3.DatabaseError(_DAMAGED)
    return turns


def _as_json(turns: Turns) -> str:
    """Turns as they are written, in one way only: what is parsed to anything else is damaged."""
    return json.dumps(turns, ensure_ascii=False)


def digests(connection: sqlite3.Connection, dimension: int) -> dict[str, str]:
    """source -> digest of the file as it was indexed; empty where it has a chunk without whole vectors, which indexing
    it again mends. Errors: sqlite3.DatabaseError where the tables do not fit together, which nothing mends."""
    for query in ("PRAGMA foreign_key_check", _LOST, "SELECT 1 FROM words WHERE words MATCH 'x' LIMIT 0"):
        if connection.execute(query).fetchone() is not None:
            raise sqlite3.DatabaseError(_APART)
    query = f"SELECT source, CASE WHEN {_BARE} THEN '' ELSE digest END FROM documents AS d ORDER BY source"  # noqa: S608
    return dict(connection.execute(query, (2 * dimension,)).fetchall())


def unknown(connection: sqlite3.Connection, hashes: Iterable[str], dimension: int) -> list[str]:
    """Those of the chunk ids whose text has no vectors in the index, or damaged ones."""
    query = f"SELECT 1 FROM vectors WHERE hash = ? AND {_WHOLE}"  # noqa: S608
    return [digest for digest in hashes if connection.execute(query, (digest, 2 * dimension)).fetchone() is None]


def write(
    connection: sqlite3.Connection, source: str, digest: str, chunks: Sequence[Chunk], vectors: Mapping[str, bytes]
) -> Change:
    """Put `chunks` in the place of what the document had; `vectors` holds the windows of texts that were unknown."""
    connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", vectors.items())
    before = _leave(connection, source)
    connection.execute(
        "INSERT INTO documents (source, digest) VALUES (?, ?) "
        "ON CONFLICT (source) DO UPDATE SET digest = excluded.digest",
        (source, digest),
    )
    document = connection.execute("SELECT id FROM documents WHERE source = ?", (source,)).fetchone()[0]
    rows = [
        (document, at, _row(connection, chunk), chunk.heading, json.dumps(chunk.lines), _as_json(chunk.turns))
        for at, chunk in enumerate(chunks)
    ]
    connection.executemany("INSERT INTO occurrences VALUES (?, ?, ?, ?, ?, ?)", rows)
    _drop_orphans(connection, before)
    after = Counter(chunk.id for chunk in chunks)
    return Change((after - before).total(), (after & before).total(), (before - after).total())


def drop(connection: sqlite3.Connection, source: str) -> Change:
    """Take a document out."""
    before = _leave(connection, source)
    connection.execute("DELETE FROM documents WHERE source = ?", (source,))
    _drop_orphans(connection, before)
    return Change(removed=before.total())


def prune(connection: sqlite3.Connection) -> None:
    """Forget vectors of texts that no document holds any more."""
    connection.execute("DELETE FROM vectors WHERE hash NOT IN (SELECT hash FROM chunks)")


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
