"""The pieces that a document is read into: blocks of text that know their lines and the headings above them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

HEADING_CHARS = 120  # of one heading in a path: longer ones are cut, a path is a label and not a text


class Kind(StrEnum):
    """What a block is; a `term` belongs to the definition behind it."""

    PROSE = "prose"
    CODE = "code"
    TABLE = "table"
    LIST = "list"
    HEADING = "heading"
    TERM = "term"


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, list item, table, code block or heading. `lines[i]` is the 1-based source line (PDF: page) of the
    i-th line of `text`; `heading` is the path of headings down to here; `level` is 1 to 6 for a heading, else 0."""

    text: str
    lines: tuple[int, ...]
    heading: tuple[str, ...] = ()
    kind: Kind = Kind.PROSE
    level: int = 0


@dataclass(slots=True)
class Outline:
    """The headings above the line being read: a stack that a heading of the same or a higher rank cuts back."""

    stack: list[tuple[int, str]] = field(default_factory=list)

    def push(self, level: int, text: str) -> None:
        """Open a section of this level (1 is the highest)."""
        self.stack = [entry for entry in self.stack if entry[0] < level]
        if title := shorten(text):
            self.stack.append((level, title))

    @property
    def path(self) -> tuple[str, ...]:
        """The open headings, highest first."""
        return tuple(title for _, title in self.stack)


def shorten(text: str) -> str:
    """One line of at most HEADING_CHARS characters."""
    line = " ".join(text[: 4 * HEADING_CHARS].split())
    return line if len(line) <= HEADING_CHARS else line[: HEADING_CHARS - 1].rstrip() + "…"
