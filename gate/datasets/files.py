"""A file of any of the known tools, as plain data: JSON, JSON lines, CSV or YAML by what stands in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gate.datasets import relaxed, tables
from gate.datasets.base import Content
from gate.errors import InputFileError

MAX_BYTES = 64 * 1024 * 1024
_HINT = "JSON, JSON lines, CSV or YAML can be read, in UTF-8"


def open_file(path: Path, table: bool = False) -> Content:
    """The content of a file; with `table`, or by its name, it is taken for CSV unless it is JSON. Errors:
    InputFileError."""
    text = _text(path)
    if not text.strip():
        raise InputFileError(f"{path}: is empty", _HINT)
    if text.lstrip()[:1] in ("{", "[") or text.lstrip()[:2] in ("//", "/*"):
        return Content(str(path), "json", _json(path, text))
    if table or tables.looks(text) or path.suffix.lower() in (".csv", ".tsv"):
        return _table(path, text)
    try:
        return Content(str(path), "yaml", _yaml(path, text))
    except InputFileError:
        if tables.regular(text):
            return _table(path, text)
        raise


def _table(path: Path, text: str) -> Content:
    try:
        return Content(str(path), "csv", tables.rows(text))
    except ValueError as error:
        raise InputFileError(f"{path}: {error}", "quote cells with line breaks, quotes or the separator") from None


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise InputFileError(f"{path}: no such file", "check the path") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputFileError(f"{path}: cannot be read: {reason or error}", _HINT) from None
    if len(raw) > MAX_BYTES:
        raise InputFileError(f"{path}: is larger than {MAX_BYTES >> 20} MiB", "split it, and import the parts")
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputFileError(f"{path}:{line}: is not UTF-8", "save it as UTF-8") from None


def _json(path: Path, text: str) -> Any:
    """One value, or the list of the values of all lines."""
    if text.lstrip()[:2] in ("//", "/*"):
        text = relaxed.plain(text)  # what comes behind a comment tells which it is; every line keeps its number
    lines = text.split("\n")
    written = [number for number, line in enumerate(lines, 1) if line.strip()]
    if len(written) > 1 and _whole(lines[written[0] - 1]):
        return [value for number in written for value in _line(path, number, lines[number - 1])]
    return _value(path, 0, text)


def _whole(line: str) -> bool:
    """Whether a first line is an object of its own."""
    try:
        return isinstance(relaxed.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _line(path: Path, number: int, line: str) -> list[Any]:
    return [_value(path, number, line)] if relaxed.plain(line).strip() else []


def _value(path: Path, number: int, text: str) -> Any:
    try:
        return relaxed.loads(text)
    except RecursionError:
        raise InputFileError(f"{path}:{number or 1}: the JSON is nested too deeply", _HINT) from None
    except json.JSONDecodeError as error:
        place = f"{path}:{number or error.lineno}"
        raise InputFileError(f"{place}: not JSON: {error.msg} (column {error.colno})", _HINT) from None
    except ValueError as error:
        raise InputFileError(f"{path}:{number or 1}: not JSON: {error}", _HINT) from None


def _yaml(path: Path, text: str) -> Any:
    from gate.datasets.yaml_file import load

    try:
        value = load(text)
    except ValueError as error:
        raise InputFileError(f"{path}: {error}", _HINT) from None
    if not isinstance(value, dict | list):
        raise InputFileError(f"{path}: holds neither rows nor objects", _HINT)
    return value
