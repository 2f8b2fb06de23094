"""Changes of the embedded store's tables: what counts as added, and that nothing is left behind."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from gate.store.base import Change
from gate.store.reading import all_chunks, load
from gate.store.schema import connect
from gate.store.writing import drop, prune, unknown, write
from tests.support.words_embedder import WordsEmbedder, chunk

ONE, TWO = chunk("one kiln"), chunk("two glazes")
VECTORS = {one.id: b"\x01\x00" * 64 for one in (ONE, TWO)}


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    made = connect(tmp_path / "index.sqlite", WordsEmbedder(), write=True)
    yield made
    made.close()


def test_changes_are_counted_by_chunk(connection: sqlite3.Connection) -> None:
    assert write(connection, "a.md", "1", [ONE, ONE], VECTORS) == Change(2, 0, 0)
    assert write(connection, "a.md", "2", [ONE, TWO], VECTORS) == Change(1, 1, 1)
    assert [one.text for one in all_chunks(connection)] == ["one kiln", "two glazes"]
    assert load(connection, 1, 64).places.keys() == set(load(connection, 1, 64).ids)
    assert drop(connection, "a.md") == Change(0, 0, 2)
    assert drop(connection, "a.md") == Change()
    assert all_chunks(connection) == []


def test_vectors_stay_known_until_they_are_pruned(connection: sqlite3.Connection) -> None:
    assert unknown(connection, [ONE.id, TWO.id], 64) == [ONE.id, TWO.id]
    write(connection, "a.md", "1", [ONE, TWO], VECTORS)
    write(connection, "a.md", "2", [ONE], {})
    assert unknown(connection, [ONE.id, TWO.id], 64) == []
    prune(connection)
    assert unknown(connection, [ONE.id, TWO.id], 64) == [TWO.id]


def test_vectors_of_another_size_are_damage(connection: sqlite3.Connection) -> None:
    write(connection, "a.md", "1", [ONE], {ONE.id: b"\x01\x00\x01"})
    with pytest.raises(sqlite3.DatabaseError, match="damaged"):
        load(connection, 1, 64)
