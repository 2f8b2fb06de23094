"""A table of a page while it is read: one line of text for each row, its cells apart by bars."""

from __future__ import annotations

from dataclasses import dataclass, field

from ingest.formats.html_text import Fragments


@dataclass(slots=True)
class Table:
    """Collects cells to rows; `lines` are the rows, each with the source line of its first word."""

    lines: list[tuple[str, int]] = field(default_factory=list)
    _cells: list[tuple[str, int]] = field(default_factory=list)

    def cell(self, fragments: Fragments, *, closed: bool = False) -> None:
        """End a cell; what stands between cells becomes one only if it has words (no text is lost)."""
        text, line = fragments.take_line()
        if text or closed:
            self._cells.append((text, line))

    def row(self) -> None:
        """End a row; one without words is left out."""
        filled = [line for text, line in self._cells if text]
        if filled:
            self.lines.append((" | ".join(text for text, _ in self._cells).strip(), filled[0]))
        self._cells = []
