"""What every SQLite file of the gate needs: a log that is waited for, and faults as words."""

from __future__ import annotations

import sqlite3
import time

FAULTS = (sqlite3.Error, UnicodeDecodeError)  # SQLite quotes a damaged schema, which need not be text


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
