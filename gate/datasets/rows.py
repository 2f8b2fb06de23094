"""Rows as the gate's own files have them: checked, with ids of their own, and written as JSON lines."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gate.datasets.base import Ledger, Row, keep
from gate.errors import InputFileError
from gate.words import Category

MAX_CHARS = 256 * 1024 * 1024  # of all lines together: contexts stand in every row
MAX_LINE = 15 * 1024 * 1024  # bytes: what reads these files takes lines of 16 MiB
# What a terminal would obey or hide when the file is shown, and half surrogate pairs, which no file can hold.
_HIDDEN = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_CATEGORIES = frozenset(category.value for category in Category)
_ORDER = ("id", "question", "category", "answer", "reference", "contexts", "source", "line")


def settled(rows: Iterable[Row], ledger: Ledger) -> list[Row]:
    """The rows that the gate can read. One without a question is left out, and where others have an answer, one
    without; what a field cannot hold is kept as `imported_NAME`."""
    found = [row for row in rows if _asks(row, ledger)]
    answered = [row for row in found if "answer" in row]
    if answered and len(answered) < len(found):
        ledger.out("question without an answer", number=len(found) - len(answered))
    found = answered or found
    given = Counter(str(row["id"]).strip() for row in found if "id" in row)
    return [_fitting(row, given, ledger) for row in found]


def _asks(row: Row, ledger: Ledger) -> bool:
    good = isinstance(row.get("question"), str) and bool(row["question"].strip())
    if not good:
        ledger.out("row without a question")
    return good


def _fitting(row: Row, given: Counter[str], ledger: Ledger) -> Row:
    """The row in the order of the design, with an id that no other row has, or none."""
    names = [*(name for name in _ORDER if name in row), *(name for name in row if name not in _ORDER)]
    good = {name: row[name] for name in names if _fits(name, row[name], given)}
    return keep(good, {name: row[name] for name in names if name not in good}, ledger)


def _fits(name: str, value: Any, given: Counter[str]) -> bool:
    if name == "category":
        return isinstance(value, str) and value in _CATEGORIES
    if name == "id":
        return isinstance(value, str | int) and not isinstance(value, bool) and given[str(value).strip()] == 1
    return True


def lines(rows: Sequence[Row], path: str) -> str:
    """The rows as JSON lines, UTF-8. Errors: InputFileError for what would be larger than the gate reads."""
    return "".join(_bounded(rows, path))


def _bounded(rows: Sequence[Row], path: str) -> Iterator[str]:
    total = 0
    for number, row in enumerate(rows, 1):
        try:
            line = _HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(row, ensure_ascii=False))
        except RecursionError:
            raise InputFileError(f"{path}: row {number} is nested too deeply", "leave the field out") from None
        total += len(line)
        if total > MAX_CHARS or len(line.encode()) > MAX_LINE:
            raise InputFileError(
                f"{path}: row {number} makes the file larger than the gate reads", "import fewer files at a time"
            )
        yield line + "\n"


def told(rows: Sequence[Row]) -> str:
    """What the rows hold, in a few words."""
    counts = {name: sum(name in row for row in rows) for name in ("answer", "reference", "contexts")}
    parts = [f"{number} with {name}" for name, number in counts.items() if number]
    return f"{len(rows)} question{'s' if len(rows) != 1 else ''}" + (f" ({', '.join(parts)})" if parts else "")
