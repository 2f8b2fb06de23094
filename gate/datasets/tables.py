"""CSV text as rows by column name, whichever of the usual separators it has."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator

from gate.datasets.columns import asks

SEPARATORS = ",;\t|"
_FIRST = 100_000  # characters in which a header line must end
OVER = "cells without a column"


def looks(text: str) -> bool:
    """Whether the first line names a column for the question, or for promptfoo's expectation."""
    return any(_known(_header(text, separator)) for separator in SEPARATORS)


def regular(text: str) -> bool:
    """Whether the first two lines have as many cells, and more than one."""
    for separator in SEPARATORS:
        first, second = _first(text, separator, 2)
        if len(first) == len(second) > 1:
            return True
    return False


def rows(text: str) -> list[dict[str, object]]:
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
    return asks(header) or any(name.startswith("__expected") for name in header)
