"""The index file: what is refused, in which words, and what survives being killed or shared."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gate.errors import EmbedderMismatchError, IndexMissingError, StoreError
from gate.store.embedded import EmbeddedStore, open_for_reading, open_for_writing
from gate.store.schema import VERSION
from tests.support.words_embedder import WordsEmbedder, chunk


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "folder" / "index.sqlite"
    store = open_for_writing(path, WordsEmbedder())
    store.replace("a.md", "1", [chunk("The client follows redirects.")])
    store.close()
    return path


def refused(path: Path, write: bool = False, embedder: WordsEmbedder | None = None) -> StoreError:
    with pytest.raises(StoreError) as caught:
        (open_for_writing if write else open_for_reading)(path, embedder or WordsEmbedder())
    assert str(path.parent) in caught.value.message
    assert caught.value.hint
    return caught.value


def tamper(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_a_missing_index_is_not_made_by_reading(tmp_path: Path) -> None:
    error = refused(tmp_path / "no" / "index.sqlite")
    assert isinstance(error, IndexMissingError)
    assert "gate ingest" in error.hint
    assert list(tmp_path.iterdir()) == []


def test_reading_leaves_nothing_behind(path: Path) -> None:
    before = path.read_bytes()
    store = open_for_reading(path, WordsEmbedder())
    assert store.search(["client"], 1)[0]
    with pytest.raises(StoreError):
        store.remove("a.md")
    store.close()
    assert [entry.name for entry in path.parent.iterdir()] == ["index.sqlite"]
    assert path.read_bytes() == before


@pytest.mark.parametrize("embedder", [WordsEmbedder("other"), WordsEmbedder(dimension=32)])
@pytest.mark.parametrize("write", [False, True])
def test_another_embedder_is_refused(path: Path, embedder: WordsEmbedder, write: bool) -> None:
    error = refused(path, write, embedder)
    assert isinstance(error, EmbedderMismatchError)
    assert "words (64 dimensions)" in error.message
    assert f"{embedder.name} ({embedder.dimension} dimensions)" in error.message
    assert "gate ingest" in error.hint
    assert ("--no-cache" in error.hint) is (embedder.name == "words")  # a run's record may hold the other vectors


@pytest.mark.parametrize(
    ("version", "word", "write"),
    [(VERSION + 1, "newer", False), (VERSION + 1, "newer", True), (VERSION - 1, "older", False)],
)
def test_another_format_is_refused(path: Path, version: int, word: str, write: bool) -> None:
    tamper(path, f"PRAGMA user_version = {version}")
    assert word in refused(path, write).message


def test_an_index_of_an_older_gate_is_made_anew_for_writing(path: Path) -> None:
    """Continuous integration restores it from a cache, with nobody there to delete it."""
    tamper(
        path,
        "ALTER TABLE occurrences RENAME COLUMN turns TO bends",
        f"PRAGMA user_version = {VERSION - 1}",
        "CREATE VIEW known AS SELECT * FROM documents",
        "CREATE TABLE sqlitelike (a)",
    )
    assert "run `gate ingest`" in refused(path).hint
    store = open_for_writing(path, WordsEmbedder("other"))
    assert store.digests() == {}
    store.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize("content", [b"not a database at all, but long enough" * 19, b"\0" * 5000, b""])
def test_a_file_that_is_something_else_is_refused_and_kept(tmp_path: Path, content: bytes, write: bool) -> None:
    path = tmp_path / "index.sqlite"
    path.write_bytes(content)
    if not content:
        tamper(path, "CREATE TABLE recipes (name)")
    before = path.read_bytes()
    assert ("not a database" if content else "not an index") in refused(path, write).message
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_in_its_place_and_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "index.sqlite").mkdir()
    refused(tmp_path / "index.sqlite")
    refused(tmp_path / "index.sqlite", write=True)
    (tmp_path / ".gate").write_text("")
    assert "file in its place" in refused(tmp_path / ".gate" / "index.sqlite", write=True).hint
    assert "file in its place" in refused(tmp_path / ".gate" / "below" / "index.sqlite", write=True).hint


@pytest.mark.parametrize("name", ["50% a.sqlite", "what?mode=memory#.sqlite", "üñí.sqlite"])
def test_any_name_of_the_file(tmp_path: Path, name: str) -> None:
    store = open_for_writing(tmp_path / name, WordsEmbedder())
    store.replace("a.md", "1", [chunk("The client.")])
    store.close()
    open_for_reading(tmp_path / name, WordsEmbedder()).close()
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("share", [0.15, 0.5, 0.9])
def test_a_damaged_file_is_named_or_still_answers(path: Path, share: float) -> None:
    store = open_for_writing(path, WordsEmbedder())
    for number in range(40):
        store.replace(f"{number}.md", "1", [chunk(f"Redirects of client number {number} " * 40)])
    store.close()
    content = bytearray(path.read_bytes())
    at = int(len(content) * share)
    content[at : at + 6000] = b"\xfe" * 6000
    path.write_bytes(content)
    try:
        store = open_for_reading(path, WordsEmbedder())
        store.search(["client redirects"], 8)
        list(store.chunks())
        store.close()
    except StoreError as error:
        assert str(path) in error.message
        assert "delete the file" in error.hint


def used(path: Path, write: bool) -> None:
    if write:
        open_for_writing(path, WordsEmbedder()).digests()
    else:
        open_for_reading(path, WordsEmbedder()).search(["client"], 1)


@pytest.mark.parametrize("write", [False, True])
def test_a_damaged_schema_that_is_no_text_is_one_error_with_a_remedy(path: Path, write: bool) -> None:
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE meta", b"CREATE TABL\xff meta"))
    with pytest.raises(StoreError, match="its schema is damaged") as caught:
        used(path, write)
    assert "delete the file" in caught.value.hint


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE meta",
        "DROP TABLE words_data",
        "DELETE FROM occurrences",
        "UPDATE chunks SET text = 'The client ignores redirects.'",
        "UPDATE occurrences SET lines = '[null]'",
        'UPDATE occurrences SET turns = \'[[2, "A"], [1, "B"]]\'',
        f"UPDATE occurrences SET turns = '{'[' * 100_000}'",  # noqa: S608
        "UPDATE vectors SET windows = 5",
        "UPDATE vectors SET windows = x'0102'",
        "INSERT INTO words (rowid, terms) VALUES (99, 'client')",
    ],
)
def test_rows_that_nobody_wrote_are_one_error_with_a_remedy(path: Path, statement: str) -> None:
    tamper(path, statement)
    with pytest.raises(StoreError, match="cannot be used") as caught:
        used(path, write=False)
    assert "delete the file" in caught.value.hint


@pytest.mark.parametrize("statement", ["DELETE FROM documents", "DELETE FROM occurrences", "DELETE FROM words_docsize"])
def test_tables_that_do_not_fit_together_are_told_to_who_would_write(path: Path, statement: str) -> None:
    tamper(path, statement)
    store = open_for_writing(path, WordsEmbedder())
    with pytest.raises(StoreError, match="do not fit together") as caught:
        store.digests()
    assert "delete the file" in caught.value.hint
    store.close()


@pytest.mark.parametrize("statement", ["DELETE FROM vectors", "UPDATE vectors SET windows = x'0102'"])
def test_vectors_that_are_damaged_are_made_again(path: Path, statement: str) -> None:
    tamper(path, statement)
    store = open_for_writing(path, WordsEmbedder())
    assert store.digests() == {"a.md": ""}
    store.replace("a.md", "1", [chunk("The client follows redirects.")])
    assert store.digests() == {"a.md": "1"}
    assert store.search(["client"], 1)[0]
    store.close()


def test_a_second_writer_waits_and_is_told(path: Path) -> None:
    first, second = open_for_writing(path, WordsEmbedder()), open_for_writing(path, WordsEmbedder(), busy=0.05)
    with first._transaction(changes=True):
        with pytest.raises(StoreError, match="locked") as caught:
            second.remove("a.md")
        with pytest.raises(StoreError, match="locked"):
            open_for_writing(path, WordsEmbedder(), busy=0.05)
        reader = open_for_reading(path, WordsEmbedder())  # readers do not wait
        assert reader.search(["client"], 1)[0]
        reader.close()
    assert "another" in caught.value.hint
    assert second.remove("a.md").removed == 1
    first.close()
    second.close()


@pytest.fixture
def unwritable(path: Path) -> Iterator[Path]:
    path.chmod(0o444)
    path.parent.chmod(0o555)
    yield path
    path.parent.chmod(0o755)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_only_be_read(unwritable: Path) -> None:
    store = open_for_reading(unwritable, WordsEmbedder())
    assert store.search(["client"], 1)[0]
    store.close()
    assert "permissions" in refused(unwritable, write=True).hint


def write_editions(store: EmbeddedStore, name: str, editions: int) -> None:
    for edition in range(editions):
        for document in range(3):
            texts = [f"Document {name}{document}, edition {edition}, part {part} of the client." for part in range(6)]
            store.replace(f"{name}{document}.md", str(edition), [chunk(text) for text in texts])


def is_whole(path: Path) -> bool:
    """Whether every document of the index is one edition, with all its parts; a broken file is a failure."""
    store = open_for_writing(path, WordsEmbedder())
    with store._transaction(changes=True) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    held = {source: (digest, [one.text for one in store.chunks() if one.source == source])
            for source, digest in store.digests().items()}  # fmt: skip
    found = store.search(["client"], 50)[0] if held else []
    store.close()
    return len(found) == min(50, 6 * len(held)) and all(
        texts == [f"Document {source[:2]}, edition {digest}, part {part} of the client." for part in range(6)]
        for source, (digest, texts) in held.items()
    )


def test_several_writers_at_once(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"

    def work(name: str) -> None:
        store = open_for_writing(path, WordsEmbedder())
        write_editions(store, name, 3)
        store.close()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, "xyz"))
    assert is_whole(path)
    store = open_for_reading(path, WordsEmbedder())
    assert list(store.digests().values()) == ["2"] * 9
    store.close()


def test_killed_at_any_moment_the_index_holds_whole_documents(tmp_path: Path) -> None:
    """A process that is killed leaves what its files hold at that moment: here they are copied between statements."""
    path = tmp_path / "index.sqlite"
    store = open_for_writing(path, WordsEmbedder())
    assert store._connection is not None
    store._connection.execute("PRAGMA cache_size = 1")  # pages of what is not committed reach the disk
    moments: list[Path] = []
    seen = 0

    def leave(statement: str) -> None:
        nonlocal seen
        seen += 1
        if seen % 37 == 0:
            moments.append(tmp_path / f"{seen}" / path.name)
            shutil.copytree(tmp_path, moments[-1].parent, ignore=lambda _, names: [n for n in names if "." not in n])

    store._connection.set_trace_callback(leave)
    write_editions(store, "k", 3)
    store._connection.set_trace_callback(None)
    assert len(moments) > 12
    assert all(is_whole(moment) for moment in moments)
    store.close()
