"""Changes of the embedded store's tables, inside a transaction that the caller holds."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from gate.records import Chunk
from gate.store.base import Change
from gate.store.reading import WHOLE, as_json
from gate.store.terms import terms


def unknown(connection: sqlite3.Connection, hashes: Iterable[str], dimension: int) -> list[str]:
    """Those of the chunk ids whose text has no vectors in the index, or damaged ones."""
    query = f"SELECT 1 FROM vectors WHERE hash = ? AND {WHOLE}"  # noqa: S608
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
        (document, at, _row(connection, chunk), chunk.heading, json.dumps(chunk.lines), as_json(chunk.turns))
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
