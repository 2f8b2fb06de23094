"""Tables as lines of Markdown, so that each cell is read under the name of its column; the cells of a page's table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby, zip_longest

from ingest.formats.lines import Fragments

_FEWEST = 2  # cells of a header
_GROWS = 4  # times that what cells hold may be said again for the rows and columns that they span, and
_ALWAYS = 10_000  # characters and cells that are no matter


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
        numbers = [next(cell.line for cell in row if cell.text) for row in self.rows]
        first, heads = _header(rows)
        width = len(rows[first]) if heads else 0
        found = [
            (" | ".join(next(group).text for _, group in groupby(cells, key=id)).strip(), number)
            for cells, number in zip(rows[:first], numbers, strict=False)
        ]
        named = list(zip(rows[first:], numbers[first:], strict=True))
        if heads:
            columns = zip_longest(*(_texts(cells, width) for cells, _ in named[:heads]), fillvalue="")
            names = [" ".join(dict.fromkeys(text for text in column if text)) for column in columns]
            found += [(_bars(names), named[0][1]), (f"|{' --- |' * len(names)}", named[0][1])]
        return found + [(_bars(_texts(cells, width)), number) for cells, number in named[heads:]]


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


def _texts(cells: Sequence[Cell], width: int) -> list[str]:
    texts = [cells[0].text] if _is_one(cells) else [cell.text for cell in cells]
    return [*texts, *("" for _ in range(len(texts), width))]


def _bars(texts: Sequence[str]) -> str:
    return f"| {' | '.join(text.replace('|', chr(92) + '|') for text in texts)} |"
