"""Reads of the embedded store's tables, inside a transaction that the caller holds."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from gate.records import Chunk, Evidence, Turns, parse_turns
from gate.store.passages import Cut, cut
from gate.store.settled import LOOKED, settled
from gate.store.terms import match_query
from gate.store.vectors import Matrix

DEPTH = 50  # candidates of each ranking before fusion

_CHUNKS = """
SELECT c.hash, c.text, d.source, o.heading, o.lines, o.turns
FROM occurrences o JOIN documents d ON d.id = o.document JOIN chunks c ON c.id = o.chunk
"""
# Whether vectors, for a parameter of bytes a window, are what was written.
WHOLE = "typeof(windows) = 'blob' AND length(windows) > 0 AND length(windows) % ? = 0"
_BARE = f"""EXISTS (
    SELECT 1 FROM occurrences o JOIN chunks c ON c.id = o.chunk
    WHERE o.document = d.id AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.hash = c.hash AND {WHOLE})
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


def settled_by_words(
    connection: sqlite3.Connection, snapshot: Snapshot, worded: Mapping[str, Sequence[int]]
) -> set[str]:
    """The queries, each with its places by words, that their own words settle."""
    shown: dict[int, Evidence] = {}
    cuts: dict[int, Cut] = {}
    found: set[str] = set()
    for query, places in worded.items():
        best = places[:LOOKED]
        for place, chunk in zip(best, show(connection, snapshot, [(place, 0.0) for place in best], shown), strict=True):
            if place not in cuts:
                cuts[place] = cut(chunk)
        if settled(query, [cuts[place] for place in best]):
            found.add(query)
    return found


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
    found = _chunk(connection.execute(query, (number,)).fetchone())
    line = found.lines[0] if found.lines else 0
    return Evidence(
        found.source, line, found.text, 0.0, found.heading, found.lines, chunk_id=found.id, turns=found.turns
    )


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


def as_json(turns: Turns) -> str:
    """Turns as they are written, in one way only: what reads back otherwise is damaged."""
    return json.dumps(turns, ensure_ascii=False)


def _turns(written: str) -> Turns:
    """Errors: sqlite3.DatabaseError where it is not how turns are written."""
    try:
        turns = parse_turns(json.loads(written))
    except (ValueError, TypeError, RecursionError) as error:
        raise sqlite3.DatabaseError(_DAMAGED) from error
    if as_json(turns) != written:
        raise sqlite3.DatabaseError(_DAMAGED)
    return turns


def digests(connection: sqlite3.Connection, dimension: int) -> dict[str, str]:
    """source -> digest of the file as it was indexed; empty where it has a chunk without whole vectors, which indexing
    it again mends. Errors: sqlite3.DatabaseError where the tables do not fit together, which nothing mends."""
    for query in ("PRAGMA foreign_key_check", _LOST, "SELECT 1 FROM words WHERE words MATCH 'x' LIMIT 0"):
        if connection.execute(query).fetchone() is not None:
            raise sqlite3.DatabaseError(_APART)
    query = f"SELECT source, CASE WHEN {_BARE} THEN '' ELSE digest END FROM documents AS d ORDER BY source"  # noqa: S608
    return dict(connection.execute(query, (2 * dimension,)).fetchall())
