"""What SQLite says of a file that it cannot use, as errors that name the remedy."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gate.errors import StoreError
from gate.sqlite import why

HINTS = {
    "locked": "another `gate ingest` is writing to it: wait until it is done",
    "readonly": "check the permissions of the folder and of the file",
    "file": "there is a file in its place: move it away, or delete it",
    "malformed": "delete the file and run `gate ingest` again",
    "full": "free some space on the disk and run the command again",
    "disk": "check the disk: is it full, may the file grow? if it is well, delete the file and run `gate ingest` again",
    "fts5": "use a Python whose sqlite3 module has FTS5 (python.org, Debian, Homebrew and conda builds have)",
}
_WORDS = (
    ("locked", "locked"),
    ("readonly", "readonly"),
    ("unable to open", "readonly"),
    ("full", "full"),
    ("disk I/O", "disk"),
    ("no such module", "fts5"),
)


def remedy(made: str, asked: str, anew: str) -> str:
    """What to do about an index that the embedder `made` has made, where `asked` is configured; `anew` says how it is
    made again. One name with other vectors is another model on the same server: the record of a run has the old ones.
    """
    record = "; if its server has another model now, then `gate run --no-cache` once" if made == asked else ""
    return f"{anew}, or set `embedding` back{record}"


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Faults of SQLite become StoreErrors that name the file and the remedy."""
    try:
        yield
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        text = why(error)
        kind = next((kind for word, kind in _WORDS if word in text), "malformed")
        raise StoreError(f"the index {path} cannot be used: {text}", HINTS[kind]) from error
