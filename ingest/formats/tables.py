"""Tables as lines of Markdown, so that each cell is read under the name of its column; the cells of a page's table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from typing import NamedTuple

from ingest.formats.fragments import Fragments

_FEWEST = 2  # cells of a header
_GROWS = 4  # times that what cells hold may be said again for the rows and columns that they span, and
_ALWAYS = 10_000  # characters and cells that are no matter


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


@dataclass(frozen=True, slots=True)
class Cell:
    """The text of a cell, the source line where it begins, whether it heads a column or a row, and how many rows and
    columns it stands in."""

    text: str
    line: int
    heads: bool
    down: int = 1
    right: int = 1


@dataclass(slots=True)
class Table:
    """Collects cells to rows."""

    rows: list[list[Cell]] = field(default_factory=list)
    _cells: list[Cell] = field(default_factory=list)
    _spans: tuple[int, int] = (1, 1)

    def begin(self, down: str | None, right: str | None) -> None:
        """A cell begins that stands in so many rows and columns, as its attributes say it."""
        self._spans = (_count(down), _count(right))

    def cell(self, fragments: Fragments, *, closed: bool = False, heads: bool = False) -> None:
        """End a cell; what stands between cells becomes one only if it has words (no text is lost)."""
        text, line = fragments.take_line()
        if text or closed:
            self._cells.append(Cell(text, line, heads, *(self._spans if closed else (1, 1))))
            self._spans = (1, 1)

    def row(self) -> None:
        """End a row; one without words is left out."""
        if any(cell.text for cell in self._cells):
            self.rows.append(self._cells)
        self._cells = []

    @property
    def lines(self) -> list[tuple[str, int]]:
        """The rows, each with the source line of its first word; from its header on as a table of Markdown, so that
        each cell is read under its header. What stands for several rows is said in each."""
        rows = _spread(self.rows) or self.rows
        first, heads = _header(rows)
        width = len(rows[first]) if heads else 0
        names = [_row(cells, own, width) for cells, own in zip(rows[first:], self.rows[first:], strict=True)]
        above = [_once(cells, own) for cells, own in zip(rows[:first], self.rows[:first], strict=True)]
        return without_header(above) + (under_header([joined(names[:heads]), *names[heads:]]) if names else [])


def _count(attribute: str | None) -> int:
    text = (attribute or "").strip()
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 5 and int(text) else 1


def _spread(rows: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """The rows with each cell in every place that it stands in; none where that is beyond measure."""
    room = _ALWAYS + _GROWS * sum(len(cell.text) + 1 for row in rows for cell in row)
    found: list[list[Cell]] = []
    waiting: dict[int, tuple[Cell, int]] = {}  # place in the next row -> a cell from above, and for how many rows yet
    for row in rows:
        cells: list[Cell] = []
        below = {at: (cell, left - 1) for at, (cell, left) in waiting.items() if left > 1}
        for cell in row:
            _from_above(cells, waiting)
            room -= (len(cell.text) + 1) * cell.right
            if room < 0:
                return []
            if cell.down > 1:
                below.update((len(cells) + i, (cell, cell.down - 1)) for i in range(cell.right))
            cells += [cell] * cell.right
        _from_above(cells, waiting)
        room -= sum(len(cell.text) + 1 for cell, _ in waiting.values())
        if room < 0:
            return []
        waiting = below
        found.append(cells)
    return found


def _from_above(cells: list[Cell], waiting: dict[int, tuple[Cell, int]]) -> None:
    while len(cells) in waiting:
        cells.append(waiting[len(cells)][0])


def _header(rows: Sequence[Sequence[Cell]]) -> tuple[int, int]:
    """The place of the first row that names the columns, and how many rows do: those with several cells, all of them
    heads, where no row below has more; behind the last row where there is none."""
    none = (len(rows), 0)
    first = next((i for i, row in enumerate(rows) if len(row) >= _FEWEST and not _is_one(row)), len(rows))
    below = next((i for i in range(first, len(rows)) if not _names(rows[i]) or _is_one(rows[i])), len(rows))
    if first == below or below == len(rows):
        return none
    width = len(rows[first])
    fits = all(len(row) <= width and not (_names(row) and not _is_one(row)) for row in rows[below:])
    return (first, below - first) if fits else none


def _names(row: Sequence[Cell]) -> bool:
    return all(cell.heads or not cell.text for cell in row)


def _is_one(row: Sequence[Cell]) -> bool:
    """Whether one cell takes the whole row: it heads the rows below, or speaks of all of them."""
    return all(cell is row[0] for cell in row)


def _row(cells: Sequence[Cell], own: Sequence[Cell], width: int) -> Row:
    texts = [cells[0].text] if _is_one(cells) else [cell.text for cell in cells]
    return Row([*texts, *("" for _ in range(len(texts), width))], _line(own))


def _once(cells: Sequence[Cell], own: Sequence[Cell]) -> Row:
    """A row of a table that names no columns: what stands in several of them is said once."""
    return Row([next(group).text for _, group in groupby(cells, key=id)], _line(own))


def _line(row: Sequence[Cell]) -> int:
    return next(cell.line for cell in row if cell.text)
