"""A file of any of the known tools as plain data: JSON, JSON lines, CSV, YAML or a log of Inspect, by its content."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from gate.config.file import KeyPath, parse_tree, read_scalar
from gate.datasets.base import Content, Leftovers, has_question, is_shallow
from gate.errors import InputFileError

MAX_BYTES = 64 * 1024 * 1024
MAX_NAMED_BYTES = 1024 * 1024  # of a file that another one names
_TEXT_SUFFIXES = frozenset((".txt", ".md", ".markdown", ".html", ".json", ".csv", ".yaml", ".yml"))
_HINT = "JSON, JSON lines, CSV or YAML can be read, in UTF-8"
# A string that is never closed, or a comment, goes on to the end: so every character is looked at once.
_STRING = r'"(?:[^"\\]|\\.)*+"?'
_COMMENT = re.compile(rf"{_STRING}|//[^\n\r]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_COMMA = re.compile(rf"{_STRING}|,(?=\s*[}}\]])", re.DOTALL)
_SHOWN = re.compile(r"[^\n\r]")
SEPARATORS = ",;\t|"
_FIRST = 100_000  # characters in which a header line must end
OVER = "cells without a column"
MAX_YAML_CHARS = 4_000_000
MAX_YAML_NODES = 400_000
MAX_YAML_DEPTH = 60


def load_file(path: Path, table: bool = False, left: Leftovers | None = None) -> Content:
    """The content of a file; with `table`, or by its name, it is taken for CSV unless it is JSON. In `left` the keys
    that an object of JSON has twice are counted: the last one stays. Errors: InputFileError."""
    left = left or Leftovers()
    raw = _bytes(path)
    if raw.startswith(b"PK\x03\x04"):
        return Content(str(path), "json", _unpacked(path, raw, left))
    text = _text(path, raw)
    if not text.strip():
        raise InputFileError(f"{path}: is empty", _HINT)
    if text.lstrip()[:1] in ("{", "[") or text.lstrip()[:2] in ("//", "/*"):
        return Content(str(path), "json", frame_rows(_json(path, text, left)))
    known = any(_known(_header(text, separator)) for separator in SEPARATORS)
    if table or known or path.suffix.lower() in (".csv", ".tsv"):
        return _table(path, text)
    try:
        value = parse_yaml(text)
        if isinstance(value, dict | list):
            return Content(str(path), "yaml", value)
        fault = "holds neither rows nor objects"
    except ValueError as error:
        fault = str(error)
    if _is_regular(text) and path.suffix.lower() not in (".yaml", ".yml"):
        return _table(path, text)
    raise InputFileError(f"{path}: {fault}", _HINT)


def _table(path: Path, text: str) -> Content:
    try:
        return Content(str(path), "csv", parse_csv(text))
    except ValueError as error:
        raise InputFileError(f"{path}: {error}", "quote cells with line breaks, quotes or the separator") from None


def _bytes(path: Path) -> bytes:
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
    return raw


def load_text(name: str, folder: Path) -> str | None:
    """The text of a file that another file in `folder` names; None unless it is a small text below this folder: what a
    stranger wrote must not bring anything else into the rows."""
    try:
        path = (folder / name).resolve()
        good = path.is_relative_to(folder.resolve()) and path.suffix.lower() in _TEXT_SUFFIXES and path.is_file()
        return _text(path, path.read_bytes()) if good and path.stat().st_size <= MAX_NAMED_BYTES else None
    except (OSError, ValueError, InputFileError):
        return None


def _unpacked(path: Path, raw: bytes, left: Leftovers) -> dict[str, Any]:
    """The log that an `.eval` file packs: its header, with the `samples`. All of it has the bound of any other file."""
    room = MAX_BYTES
    log: dict[str, Any] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            names = packed.namelist()
            header = next((name for name in ("header.json", "_journal/start.json") if name in names), None)
            samples = [name for name in names if name.startswith("samples/") and name.endswith(".json")]
            if header is None or not samples:
                raise InputFileError(f"{path}: is an archive, and no log of Inspect", "import the files that are in it")
            for name in (header, *samples):
                with packed.open(name) as file:
                    part = file.read(room + 1)
                room -= len(part)
                if room < 0:
                    raise InputFileError(f"{path}: holds more than {MAX_BYTES >> 20} MiB", "import fewer samples")
                value = _value(path, 0, _text(path, part), left)
                if name == header:
                    log = {**value, "samples": []} if isinstance(value, dict) else {"samples": []}
                else:
                    log["samples"].append(value)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
        raise InputFileError(f"{path}: cannot be unpacked: {error}", "write it anew as JSON with Inspect") from None
    return log


def frame_rows(value: Any) -> Any:
    """The rows of a table that `DataFrame.to_json` wrote by columns, by index, split or as a table; anything else as it
    is. An index that only counts the rows is left out; another one is the field `index`."""
    if not isinstance(value, dict) or not value:
        return value
    if isinstance(value.get("schema"), dict) and isinstance(value["schema"].get("fields"), list):
        rows = value.get("data")
        return _indexed(rows, None) if isinstance(rows, list) else value
    names, cells = value.get("columns"), value.get("data")
    if isinstance(names, list) and isinstance(cells, list) and all(isinstance(row, list) for row in cells):
        labels = [str(name) for name in names]
        return _indexed([dict(zip(labels, row, strict=False)) for row in cells], value.get("index"))
    columns = list(value.values())
    if not all(isinstance(column, dict) and column for column in columns):
        return value
    keys = list(columns[0])
    if _counts(list(value)) and not _counts(keys):
        return columns
    by_index = len(columns) > 1 and has_question(keys) and not has_question(value)
    mixed = any(column.keys() != columns[0].keys() for column in columns)
    if mixed or not (by_index or _counts(keys) or len(columns) > 2):
        return value
    if by_index:
        return _indexed(columns, list(value))
    return _indexed([{name: column[key] for name, column in value.items()} for key in keys], keys)


def _counts(keys: Sequence[Any]) -> bool:
    return [str(key) for key in keys] == [str(number) for number in range(len(keys))]


def _indexed(rows: list[Any], index: Any) -> list[Any]:
    """The rows with their index, unless it only counts them."""
    good = [row for row in rows if isinstance(row, dict)]
    if index is None:
        plain = _counts([row.get("index") for row in good])
        return [{name: cell for name, cell in row.items() if name != "index" or not plain} for row in good]
    if not isinstance(index, list) or len(index) != len(good) or _counts(index):
        return good
    return [row if key in row.values() else {**row, "index": key} for key, row in zip(index, good, strict=True)]


def _text(path: Path, raw: bytes) -> str:
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputFileError(f"{path}:{line}: is not UTF-8", "save it as UTF-8") from None


def _json(path: Path, text: str, left: Leftovers) -> Any:
    """One value, or the list of the values of all lines."""
    if text.lstrip()[:2] in ("//", "/*"):
        text = without_comments(text)  # what comes behind a comment tells which it is; every line keeps its number
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) > 1 and _is_object(lines[0][1]):
        return [_value(path, number, line, left) for number, line in lines if without_comments(line).strip()]
    return _value(path, 0, text, left)


def _is_object(line: str) -> bool:
    try:
        return isinstance(parse_json(line), dict)
    except (ValueError, RecursionError):
        return False


def _value(path: Path, number: int, text: str, left: Leftovers) -> Any:
    try:
        value = parse_json(text, left)
        if not is_shallow(value):
            raise RecursionError
        return value
    except RecursionError:
        raise InputFileError(f"{path}:{number or 1}: the JSON is nested too deeply", _HINT) from None
    except json.JSONDecodeError as error:
        place = f"{path}:{number or error.lineno}"
        raise InputFileError(f"{place}: not JSON: {error.msg} (column {error.colno})", _HINT) from None
    except ValueError:
        raise InputFileError(f"{path}:{number or 1}: not JSON: a number has too many digits", _HINT) from None


def parse_json(text: str, left: Leftovers | None = None) -> Any:
    """The value of a JSON text, strict or with `//` and `/* */` comments and trailing commas.

    Raw line breaks in strings are read; numbers that JSON does not have (NaN, 1e999) become null. Of a key that stands
    twice in an object the last value stays; `left` counts the others. Errors: ValueError (`json.JSONDecodeError` with
    the place in `text`), RecursionError.
    """
    left = left or Leftovers()
    repeated: Counter[str] = Counter()
    try:
        value = _strict(text, repeated)
    except ValueError:
        repeated.clear()
        value = _strict(without_comments(text), repeated)
    for name, number in repeated.items():
        left.count("value of a key that stands again in its object", name, number)
    return value


def without_comments(text: str) -> str:
    """`text` with blanks in place of comments and trailing commas: every other character stays at its place."""
    return _COMMA.sub(_blank, _COMMENT.sub(_blank, text))


def _blank(match: re.Match[str]) -> str:
    found = match[0]
    return found if found.startswith('"') else _SHOWN.sub(" ", found)


def _strict(text: str, repeated: Counter[str]) -> Any:
    def joined(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            repeated.update(Counter(name for name, _ in pairs) - Counter(found.keys()))
        return found

    return json.loads(
        text, strict=False, parse_float=_finite, parse_constant=lambda name: None, object_pairs_hook=joined
    )


def _finite(digits: str) -> float | None:
    value = float(digits)
    return value if math.isfinite(value) else None


def _is_regular(text: str) -> bool:
    """Whether the first two lines have as many cells, and more than one."""
    pairs = (_first(text, separator, 2) for separator in SEPARATORS)
    return any(len(first) == len(second) > 1 for first, second in pairs)


def parse_csv(text: str) -> list[dict[str, object]]:
    """name -> cell of each row; blank lines are skipped, and cells behind the last column are a list under OVER.

    Errors: ValueError with the line of what is no CSV.
    """
    fitting = [separator for separator in SEPARATORS if _known(_header(text, separator))]
    separator = max(fitting or SEPARATORS, key=lambda separator: len(_header(text, separator)))
    before = csv.field_size_limit(len(text) + 1)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        header = [name.strip() for name in next(reader, [])]
        return list(_named(reader, _distinct(header)))
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num}: not CSV: {error}") from None
    finally:
        csv.field_size_limit(before)


def _named(reader: Iterator[list[str]], header: list[str]) -> Iterator[dict[str, object]]:
    for cells in reader:
        if not any(cell.strip() for cell in cells):
            continue
        row: dict[str, object] = dict(zip(header, cells, strict=False))
        over = [cell for cell in cells[len(header) :] if cell.strip()]
        yield {**row, OVER: over} if over else row


def _distinct(header: list[str]) -> list[str]:
    """Names without repeats: a second `note` becomes `note_2`; a column without a name is called by its place."""
    found: dict[str, None] = {}
    repeats: Counter[str] = Counter()
    for place, name in enumerate(header, 1):
        base = candidate = name or f"column_{place}"
        while candidate in found:
            repeats[base] += 1
            candidate = f"{base}_{repeats[base] + 1}"
        found[candidate] = None
    return list(found)


def _header(text: str, separator: str) -> list[str]:
    return [name.strip() for name in _first(text, separator, 1)[0]]


def _first(text: str, separator: str, number: int) -> list[list[str]]:
    """The cells of the first lines; empty for a line that is not there, or not CSV."""
    reader = csv.reader(io.StringIO(text[:_FIRST], newline=""), delimiter=separator)
    found = []
    for _ in range(number):
        try:
            found.append(next(reader, []))
        except csv.Error:
            found.append([])
    return found


def _known(header: list[str]) -> bool:
    """Whether a column is the question, or promptfoo's expectation."""
    return has_question(header) or any(name.startswith("__expected") for name in header)


def parse_yaml(text: str) -> Any:
    """The value of a YAML text. Keys become texts; nothing is taken from the environment. Errors: ValueError."""
    if len(text) > MAX_YAML_CHARS:
        raise ValueError(f"is longer than {MAX_YAML_CHARS:,} characters of YAML")
    return parse_tree(text, _plain, MAX_YAML_NODES, MAX_YAML_DEPTH).value


def _plain(node: yaml.Node, where: KeyPath) -> Any:
    """The value of a node; a date, or what has a strange tag, as it is written."""
    try:
        value = read_scalar(node)
    except ValueError:
        value = node.value
    return value if value is None or isinstance(value, str | int | float | bool) else str(node.value)
