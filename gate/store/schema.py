"""The file of the embedded store: its tables, how it is opened and checked, and its faults with what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from gate.errors import IndexMissingError, StoreError
from gate.files import log_ahead, make_folder, why
from gate.providers.base import Embedder
from gate.store.base import mismatch

VERSION = 5  # raise it when a table, the terms, the windows or the scale of the vectors change
_APPLICATION = 0x67617465  # "gate": tells our file from any other SQLite file
BUSY_SECONDS = 30.0  # how long a writer waits for another one

# Vectors are kept by the hash of their text, apart from the chunks: a text that moves from one document to another
# finds its vectors again although its chunk was dropped in between.
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (id INTEGER PRIMARY KEY, source TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, tags TEXT NOT NULL);
CREATE TABLE chunks (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, text TEXT NOT NULL);
CREATE TABLE occurrences (
    document INTEGER NOT NULL REFERENCES documents (id),
    position INTEGER NOT NULL,
    chunk INTEGER NOT NULL REFERENCES chunks (id),
    heading TEXT NOT NULL,
    lines TEXT NOT NULL,
    turns TEXT NOT NULL,
    PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE INDEX occurrences_chunk ON occurrences (chunk);
CREATE TABLE vectors (hash TEXT PRIMARY KEY, windows BLOB NOT NULL);
CREATE VIRTUAL TABLE words USING fts5 (
    terms, content='', tokenize="porter unicode61 remove_diacritics 2 tokenchars '_'"
);
"""

_HINTS = {
    "locked": "another `gate ingest` is writing to it: wait until it is done",
    "readonly": "check the permissions of the folder and of the file",
    "unable to open": "check the permissions of the folder and of the file",
    "full": "free some space on the disk and run the command again",
    "disk I/O": "check the disk: is it full, may the file grow? if it is well, delete the file and run `gate ingest` "
    "again",
    "no such module": "use a Python whose sqlite3 module has FTS5 (python.org, Debian, Homebrew and conda builds have)",
}


@contextmanager
def named_faults(path: Path) -> Iterator[None]:
    """Faults of SQLite become StoreErrors that name the file and the remedy."""
    try:
        yield
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        text = why(error)
        anew = "delete the file and run `gate ingest` again"
        hint = next((hint for words, hint in _HINTS.items() if words in text), anew)
        raise StoreError(f"the index {path} cannot be used: {text}", hint) from error


def connect(path: Path, embedder: Embedder, write: bool, busy: float = BUSY_SECONDS) -> sqlite3.Connection:
    """Open the index; for writing it is made where there is none. Reading never makes or changes a file.

    Errors: IndexMissingError (reading, no file), EmbedderMismatchError, StoreError (not ours, of another version,
    damaged, no permission, SQLite without FTS5).
    """
    if not write and not path.exists():
        raise IndexMissingError(f"there is no index at {path}", "run `gate ingest` first")
    with named_faults(path), ExitStack() as undo:
        if write:
            _make_folder(path.parent)
        connection = _open(path, write, busy, undo)
        if write:
            _prepare(connection, path, embedder, busy)
        else:
            connection.execute("PRAGMA query_only = ON")
        _check(connection, path, embedder)
        undo.pop_all()
        return connection


def _make_folder(folder: Path) -> None:
    try:
        make_folder(folder)
    except OSError as error:
        in_place = isinstance(error, FileExistsError | NotADirectoryError)
        hint = "there is a file in its place: move it away, or delete it" if in_place else _HINTS["readonly"]
        raise StoreError(f"cannot make the folder {folder}: {error.strerror}", hint) from error


def _open(path: Path, write: bool, busy: float, undo: ExitStack) -> sqlite3.Connection:
    connection = undo.enter_context(closing(_connection(path, "rwc" if write else "rw", busy)))
    try:
        connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.OperationalError:
        wal = path.with_name(path.name + "-wal")
        if write or not path.is_file() or (wal.exists() and wal.stat().st_size):
            raise
        # A folder that may not be written has no place for the lock file of the write-ahead log. The log is empty, so
        # the file is whole and can be read as it is.
        connection = undo.enter_context(closing(_connection(path, "ro&immutable=1", busy)))
    return connection


def _connection(path: Path, mode: str, busy: float) -> sqlite3.Connection:
    # Transactions are opened here (`transaction`), never implicitly; the store has a lock of its own for threads.
    address = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(address, uri=True, timeout=busy, isolation_level=None, check_same_thread=False)
    # The file may come from a shared cache: its schema may not run functions, and damaged pages are noticed.
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def _prepare(connection: sqlite3.Connection, path: Path, embedder: Embedder, busy: float) -> None:
    """Make the tables where there are none; a file that is something else stays as it is."""
    if not (_empty(connection) or _outdated(connection)):
        _check(connection, path, embedder)
    log_ahead(connection, busy)
    connection.execute("PRAGMA synchronous = NORMAL")
    with transaction(connection):
        if _outdated(connection):
            _clear(connection)
        if _empty(connection):
            _create(connection, embedder)


def _outdated(connection: sqlite3.Connection) -> bool:
    """Whether this is an index that an older gate made: a restored cache holds it, and all of it can be made again."""
    ours = connection.execute("PRAGMA application_id").fetchone()[0] == _APPLICATION
    return ours and connection.execute("PRAGMA user_version").fetchone()[0] < VERSION and not _empty(connection)


def _clear(connection: sqlite3.Connection) -> None:
    """Drop every view and table; what belongs to a virtual one goes with it."""
    found = "SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'table') AND substr(name, 1, 7) <> 'sqlite_'"
    for kind, name in connection.execute(f"{found} ORDER BY type DESC, sql LIKE '%VIRTUAL%' DESC").fetchall():
        quoted = name.replace('"', '""')
        connection.execute(f'DROP {kind} IF EXISTS "{quoted}"')


def _empty(connection: sqlite3.Connection) -> bool:
    return not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]


def _create(connection: sqlite3.Connection, embedder: Embedder) -> None:
    for statement in TABLES.split(";\n"):
        connection.execute(statement)
    values = {"embedder": embedder.name, "dimension": str(embedder.dimension)}
    connection.executemany("INSERT INTO meta VALUES (?, ?)", values.items())
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _check(connection: sqlite3.Connection, path: Path, embedder: Embedder) -> None:
    """Errors: as `connect`, where the file is not an index that this gate and this embedder can use."""
    again = "delete the file and run `gate ingest` again"
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
        if _empty(connection):
            raise IndexMissingError(f"the index {path} is empty", "run `gate ingest` first")
        raise StoreError(f"{path} is a database, but not an index of the gate", "move it away and run `gate ingest`")
    if version > VERSION:
        what = f"the index {path} was made by a newer gate (format {version}, this one knows {VERSION})"
        raise StoreError(what, f"update the gate, or {again}")
    if version < VERSION:
        what = f"the index {path} was made by an older gate (format {version}, now {VERSION})"
        raise StoreError(what, "run `gate ingest`, which makes it anew")
    known = dict(connection.execute("SELECT key, value FROM meta"))
    made, asked = (known.get("embedder"), known.get("dimension")), (embedder.name, str(embedder.dimension))
    if not all(isinstance(value, str) for value in made):
        raise sqlite3.DatabaseError("it does not say which embedder it was made with")
    if made != asked:
        raise mismatch(f"the index {path}", made, embedder, f"delete {path} and run `gate ingest` again")


@contextmanager
def transaction(connection: sqlite3.Connection, write: bool = True) -> Iterator[None]:
    """All of it or nothing; writers wait for one another, readers see one state of the index throughout."""
    connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.execute("COMMIT")
