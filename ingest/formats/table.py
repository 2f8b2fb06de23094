"""Rows of cells as the lines of a Markdown table, so that each cell is read under the name of its column."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple


class Row(NamedTuple):
    """The cells of a row, each in one line, and the source line where it begins."""

    cells: Sequence[str]
    line: int


def under_header(rows: Sequence[Row]) -> list[tuple[str, int]]:
    """A table whose first row names the columns."""
    found: list[tuple[str, int]] = []
    for place, row in enumerate(rows):
        found.append((f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row.cells)} |", row.line))
        if not place:
            found.append((f"|{' --- |' * len(row.cells)}", row.line))
    return found


def without_header(rows: Sequence[Row]) -> list[tuple[str, int]]:
    """A table that names no columns: its cells apart by bars."""
    return [(" | ".join(row.cells).strip(), row.line) for row in rows]


def as_lines(rows: Sequence[Row], heads: int) -> list[tuple[str, int]]:
    """A table whose first `heads` rows name the columns; several such rows are joined, column by column."""
    if not 0 < heads < len(rows):
        return without_header(rows)
    return under_header([joined(rows[:heads]), *rows[heads:]])


def joined(rows: Sequence[Row]) -> Row:
    """Several rows of names as one: `Price` over `Net` is `Price Net`, and what is said twice is said once."""
    columns = zip_longest(*(row.cells for row in rows), fillvalue="")
    return Row([" ".join(dict.fromkeys(cell for cell in column if cell)) for column in columns], rows[0].line)
