from __future__ import annotations

import sqlite3

import pytest

from gate.folder import log_ahead


class Locked:
    """A connection that is told so many times that the file is locked."""

    def __init__(self, times: int, code: int = sqlite3.SQLITE_BUSY) -> None:
        self.left, self.code = times, code

    def execute(self, statement: str) -> None:
        self.left -= 1
        if self.left >= 0:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = self.code
            raise error


def test_a_file_that_another_process_makes_ready_is_waited_for() -> None:
    log_ahead(Locked(2), 5)
    with pytest.raises(sqlite3.OperationalError):
        log_ahead(Locked(2), 0)
    with pytest.raises(sqlite3.OperationalError):
        log_ahead(Locked(1, sqlite3.SQLITE_READONLY), 5)
