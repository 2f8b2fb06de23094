"""Files as the gate reads and keeps them. JSON lines from strangers: one object a line, every fault named with its
file and line, nothing read unbounded. The folder of index and record: kept out of the user's repository; its SQLite
files wait for each other."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from gate.errors import InputFileError
from gate.records import writable

MAX_LINE_BYTES = 16 * 1024 * 1024
BOM = b"\xef\xbb\xbf"  # the mark of the byte order
_HINT = "the file needs one JSON object a line, in UTF-8"
FAULTS = (sqlite3.Error, UnicodeDecodeError)  # SQLite quotes a damaged schema, which need not be text
_NAME = ".gate"


@dataclass(frozen=True, slots=True)
class Row:
    """One object of a file, with the place that it came from; the getters check types and name the line. `needs` says
    what a line of this kind of file has to have, as the hint of its faults."""

    path: str
    line: int
    fields: dict[str, Any]
    needs: str = _HINT

    def fault(self, message: str) -> InputFileError:
        """An error about this line, to be raised by the caller."""
        return InputFileError(f"{self.path}:{self.line}: {message}", self.needs)

    def text(self, name: str) -> str:
        """A required string that says something."""
        value = self.optional_text(name)
        if value is None:
            raise self.fault(f"`{name}` is missing")
        if not value.strip():
            raise self.fault(f"`{name}` is empty")
        return value

    def optional_text(self, name: str) -> str | None:
        """A string, or None where the field is absent or null. Half a surrogate pair becomes U+FFFD."""
        value = self.fields.get(name)
        if value is None:
            return None
        if not isinstance(value, str):
            raise self.fault(f"`{name}` must be a string, not {_kind(value)}")
        return writable(value)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings (or one string), empty where the field is absent or null."""
        value = self.fields.get(name)
        if value is None:
            return ()
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not all(isinstance(item, str) for item in values):
            raise self.fault(f"`{name}` must be a string or a list of strings")
        return tuple(map(writable, values))

    def flag(self, name: str) -> bool:
        """True or false; false where the field is absent or null."""
        value = self.fields.get(name)
        if value is not None and not isinstance(value, bool):
            raise self.fault(f"`{name}` must be true or false, not {_kind(value)}")
        return bool(value)

    def number(self, name: str) -> float | None:
        """A number that is not negative, or None where the field is absent or null."""
        value = self.fields.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e15:
            raise self.fault(f"`{name}` must be a number that is not negative")
        return float(value)


def read_rows(path: Path, seen: Callable[[bytes], object] | None = None, needs: str = _HINT) -> Iterator[Row]:
    """Yield the objects of a file in order; blank lines are skipped and a byte order mark is dropped. `seen` is given
    every line as it stands in the file, which may be a pipe that cannot be read twice. `needs` is the hint for an
    object that lacks something.

    Errors: InputFileError for a file that cannot be opened, is not UTF-8, or has a line that is too long, is no JSON
    or is no object.
    """
    try:
        with path.open("rb") as handle:
            for number, raw in _lines(handle, path):
                if seen:
                    seen(raw)
                value = parse_line(raw.removeprefix(BOM) if number == 1 else raw, f"{path}:{number}")
                if value is not None:
                    yield Row(str(path), number, value, needs)
    except FileNotFoundError as error:
        hint = "check the path; in a configuration it is relative to the folder of that file, else to this one"
        raise InputFileError(f"{path}: no such file", hint) from error
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read: {error.strerror or error}", _HINT) from error


def _lines(handle: IO[bytes], path: Path) -> Iterator[tuple[int, bytes]]:
    number = 0
    while raw := handle.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(raw) > MAX_LINE_BYTES:
            raise InputFileError(f"{path}:{number}: the line is longer than {MAX_LINE_BYTES >> 20} MiB", _HINT)
        yield number, raw


def parse_line(raw: bytes, place: str) -> dict[str, Any] | None:
    """The object of a line; None for a blank one. Errors: InputFileError."""
    try:
        text = raw.decode("utf-8").rstrip()  # else the column of what is missing would be counted from the line's end
        value = json.loads(text) if text else None
    except UnicodeDecodeError as error:
        raise InputFileError(f"{place}: not UTF-8 (byte {error.start + 1} of the line)", _HINT) from error
    except RecursionError as error:
        raise InputFileError(f"{place}: the JSON is nested too deeply", _HINT) from error
    except json.JSONDecodeError as error:
        raise InputFileError(f"{place}: not JSON: {error.msg} at column {error.colno}", _HINT) from error
    except ValueError as error:
        raise InputFileError(f"{place}: not JSON: a number has too many digits", _HINT) from error
    if text and not isinstance(value, dict):
        raise InputFileError(f"{place}: a JSON object is needed, not {_kind(value)}", _HINT)
    return value


def _kind(value: Any) -> str:
    names = {bool: "true or false", int: "a number", float: "a number", str: "a string", list: "a list"}
    return names.get(type(value), "null" if value is None else "an object")


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
