"""A table of a page while it is read: one line of text for each row, its cells apart by bars."""

from __future__ import annotations

from dataclasses import dataclass, field

from ingest.formats.html_text import Fragments

_FEWEST = 2  # cells of a header


@dataclass(frozen=True, slots=True)
class Cell:
    """The text of a cell, the source line where it begins, and whether it heads a column or a row."""

    text: str
    line: int
    heads: bool


@dataclass(slots=True)
class Table:
    """Collects cells to rows. `spans`: some cell stands for several, so counting does not tell what is below it."""

    spans: bool = False
    _rows: list[list[Cell]] = field(default_factory=list)
    _cells: list[Cell] = field(default_factory=list)

    def cell(self, fragments: Fragments, *, closed: bool = False, heads: bool = False) -> None:
        """End a cell; what stands between cells becomes one only if it has words (no text is lost)."""
        text, line = fragments.take_line()
        if text or closed:
            self._cells.append(Cell(text, line, heads))

    def row(self) -> None:
        """End a row; one without words is left out."""
        if any(cell.text for cell in self._cells):
            self._rows.append(self._cells)
        self._cells = []

    @property
    def lines(self) -> list[tuple[str, int]]:
        """The rows, each with the source line of its first word; from its header on as a table of Markdown, so that
        each cell is read under its header."""
        first = self._header()
        found = [(" | ".join(cell.text for cell in row).strip(), _line(row)) for row in self._rows[:first]]
        for place, row in enumerate(self._rows[first:]):
            cells = " | ".join(cell.text.replace("|", r"\|") for cell in row)
            found.append((f"| {cells} |", _line(row)))
            if not place:
                found.append((f"|{' --- |' * len(row)}", _line(row)))
        return found

    def _header(self) -> int:
        """The place of the row that names the columns: the first with several cells, where all of them are heads and
        no row below has more; behind the last row where there is none."""
        none = len(self._rows)
        first = next((i for i, row in enumerate(self._rows) if len(row) >= _FEWEST), none)
        if self.spans or first >= none - 1:
            return none
        header, below = self._rows[first], self._rows[first + 1 :]
        fits = all(len(row) <= len(header) and not all(cell.heads for cell in row) for row in below)
        return first if fits and all(cell.heads or not cell.text for cell in header) else none


def _line(row: list[Cell]) -> int:
    return next(cell.line for cell in row if cell.text)
