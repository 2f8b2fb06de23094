"""Files: every way a line of JSON can be wrong is named with its number; the gate's folder is made once, invisible to
Git, and what is the user's own is left as it is."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import InputFileError
from gate.files import MAX_LINE_BYTES, Row, log_ahead, make_folder, read_rows


def write(folder: Path, data: bytes) -> Path:
    path = folder / "rows.jsonl"
    path.write_bytes(data)
    return path


def test_reads_objects_with_their_lines_past_blanks_and_a_byte_order_mark(tmp_path: Path) -> None:
    rows = list(read_rows(write(tmp_path, b'\xef\xbb\xbf{"a": 1}\r\n\n  \n{"a": 2}')))
    assert [(row.line, row.fields) for row in rows] == [(1, {"a": 1}), (4, {"a": 2})]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b'{"a": ', "not JSON: Expecting value at column 6"),
        (b"[1]", "a JSON object is needed, not a list"),
        (b"null", "not null"),
        (b"true", "not true or false"),
        (b'{"a": "\xff"}', "not UTF-8 (byte 8"),
        ('{"a": 1}'.encode("utf-16-le"), "not JSON"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not JSON: a number has too many digits"),
    ],
)
def test_a_bad_line_is_named_by_its_number(tmp_path: Path, line: bytes, told: str) -> None:
    with pytest.raises(InputFileError) as caught:
        list(read_rows(write(tmp_path, b'{"ok": 1}\n' + line + b"\n")))
    assert "rows.jsonl:2: " in caught.value.message
    assert told in caught.value.message
    assert caught.value.hint


def test_a_line_without_end_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="rows.jsonl:1: the line is longer than 16 MiB"):
        list(read_rows(write(tmp_path, b"x" * (MAX_LINE_BYTES + 2))))


def test_every_line_is_seen_as_it_stands_in_the_file(tmp_path: Path) -> None:
    data = b'\xef\xbb\xbf{"a": 1}\r\n\n{"a": 2}'
    seen: list[bytes] = []
    assert len(list(read_rows(write(tmp_path, data), seen.append))) == 2
    assert b"".join(seen) == data


def test_a_missing_file_and_a_folder_are_clear(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="no such file"):
        list(read_rows(tmp_path / "none.jsonl"))
    with pytest.raises(InputFileError, match="cannot be read: Is a directory"):
        list(read_rows(tmp_path))


def row(**fields: object) -> Row:
    return Row("f.jsonl", 7, dict(fields))


def test_getters_give_what_is_there() -> None:
    full = row(s="x", half="a\ud83d!", one="c", many=["a", "b"], n=3)
    assert full.text("s") == "x"
    assert full.text("half") == "a\ufffd!"
    assert (full.optional_text("none"), full.texts("none"), full.number("none")) == (None, (), None)
    assert (full.texts("one"), full.texts("many"), full.number("n")) == (("c",), ("a", "b"), 3.0)


@pytest.mark.parametrize(
    ("getter", "value"),
    [
        ("text", None),
        ("text", "  "),
        ("optional_text", ["x"]),
        ("texts", {"a": 1}),
        ("texts", ["a", 1]),
        ("number", True),
        ("number", -1),
        ("number", float("inf")),
    ],
)
def test_getters_refuse_what_does_not_fit(getter: str, value: object) -> None:
    with pytest.raises(InputFileError, match=r"f\.jsonl:7: `x` "):
        getattr(row(x=value), getter)("x")


def test_the_hint_of_an_object_that_lacks_something_is_what_its_kind_of_file_needs(tmp_path: Path) -> None:
    (found,) = read_rows(write(tmp_path, b'{"a": 1}'), needs="a line needs `b`")
    with pytest.raises(InputFileError) as caught:
        found.text("b")
    assert caught.value.hint == "a line needs `b`"
    with pytest.raises(InputFileError) as caught:
        list(read_rows(write(tmp_path, b"[1]"), needs="a line needs `b`"))
    assert "one JSON object a line" in caught.value.hint


@settings(max_examples=50)
@given(st.binary(max_size=200))
def test_any_bytes_are_rows_or_a_clear_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = write(tmp_path_factory.getbasetemp(), data)
    try:
        rows = list(read_rows(path))
    except InputFileError as error:
        told = error.message
    else:
        assert all(isinstance(item.fields, dict) for item in rows)
        told = str(path)
    assert str(path) in told


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
