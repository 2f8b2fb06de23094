"""The gate's folder of index and record: kept out of the user's repository; its SQLite files wait for each other."""

from __future__ import annotations

import sqlite3
import time
from contextlib import suppress
from pathlib import Path

FAULTS = (sqlite3.Error, UnicodeDecodeError)  # SQLite quotes a damaged schema, which need not be text
_NAME = ".gate"


def make_folder(folder: Path) -> None:
    """Make the folder with those above it. Git leaves it out: it holds answers of models, and an index that
    is made anew from the documents. A folder of another name is the user's own and left as it is. Errors: OSError."""
    new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    if new and folder.name == _NAME:
        with suppress(OSError):  # a full disk is reported where something is lost by it
            (folder / ".gitignore").write_text("*\n", encoding="utf-8")


def log_ahead(connection: sqlite3.Connection, busy: float) -> None:
    """Write ahead into a log. SQLite does not wait by itself while another process turns the same new file to it."""
    ends = time.monotonic() + busy
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= ends:
                raise
            time.sleep(0.02)
        else:
            return


def why(error: Exception) -> str:
    """What SQLite, or the file system, says of a file."""
    return "its schema is damaged" if isinstance(error, UnicodeDecodeError) else str(error)
