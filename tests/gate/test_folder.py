"""The gate's folder: made once, invisible to Git; the user's own folders and files are left as they are."""

from __future__ import annotations

import sqlite3

import pytest

from gate.folder import log_ahead, make_folder


def test_git_leaves_the_folder_out(tmp_path):
    make_folder(tmp_path / "deep" / ".gate")
    assert (tmp_path / "deep" / ".gate" / ".gitignore").read_text() == "*\n"


def test_what_is_there_is_left(tmp_path):
    (tmp_path / ".gate").mkdir()
    make_folder(tmp_path / ".gate")
    make_folder(tmp_path / "own")
    assert list((tmp_path / ".gate").iterdir()) == list((tmp_path / "own").iterdir()) == []


def test_a_file_in_its_place_is_a_fault(tmp_path):
    (tmp_path / ".gate").write_text("")
    with pytest.raises(OSError, match=r"\.gate"):
        make_folder(tmp_path / ".gate")


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
