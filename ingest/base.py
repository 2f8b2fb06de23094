"""The seam of sources and formats: a source lists documents, a document gives its bytes, which are read into blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Protocol
from unicodedata import category

MAX_BYTES = 50 * 2**20  # of one document
# Besides names that begin with a dot: what tools put beside documents. `_sources` and `_static` hold what the pages of
# a generated site were made from, so their text would be there twice.
SKIPPED = frozenset(["node_modules", "__pycache__", "_sources", "_static", "_images"])
HEADING_CHARS = 120  # of one heading in a path: longer ones are cut, a path is a label and not a text


class Document(Protocol):
    """One file of a source, not yet read."""

    @property
    def source(self) -> str:
        """Its name: the same on every machine and however the user wrote the path."""
        ...

    @property
    def tags(self) -> tuple[str, ...]:
        """Those of its source."""
        ...

    def digest(self) -> str:
        """Changes when the content does. Raises SourceError if it cannot be had."""
        ...

    def read(self) -> bytes:
        """Its content, at most MAX_BYTES. Raises SourceError."""
        ...


@dataclass(frozen=True, slots=True)
class Other:
    """A file of a kind that is not read: no fault, as a folder of documents may well hold it."""

    source: str

    @property
    def kind(self) -> str:
        """The suffix of its name, lower case."""
        return PurePosixPath(self.source).suffix.lower() or "no suffix"


@dataclass(frozen=True, slots=True)
class Unread:
    """A document that is not in the index, and why; `message` goes on behind its name (`a.md: is empty`)."""

    source: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.source}: {self.message}" + (f" ({self.hint})" if self.hint else "")


class Source(Protocol):
    """A folder, a file, a bucket."""

    @property
    def address(self) -> str:
        """As the user gave it."""
        ...

    def documents(self) -> Iterator[Document | Unread | Other]:
        """All documents in a stable order, what looks like one and cannot be read, and what is none. Raises
        SourceError if nothing can be listed."""
        ...


def without_controls(text: str) -> str:
    """The text with a mark for each control character, line break and broken character."""
    return "".join(char if char.isprintable() or category(char) == "Zs" else "�" for char in text)


def unnamed(name: str) -> Unread | None:
    """What is said of a document whose name no report could show: of bytes that are not UTF-8 Python makes characters
    that nothing can print; escape sequences nobody should."""
    shown = without_controls(name)
    if shown == name:
        return None
    return Unread(shown, "has a name that cannot be printed: not UTF-8, or control characters", "rename it")


class Kind(StrEnum):
    """What a block is; a `term` belongs to the definition behind it."""

    PROSE = "prose"
    CODE = "code"
    TABLE = "table"
    LIST = "list"
    HEADING = "heading"
    TERM = "term"


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """One paragraph, list item, table, code block or heading. `lines[i]` is the 1-based source line (PDF: page) of the
    i-th line of `text`; `heading` is the path of headings down to here; `level` is 1 to 6 for a heading, else 0."""

    text: str
    lines: tuple[int, ...]
    heading: tuple[str, ...] = ()
    kind: Kind = Kind.PROSE
    level: int = 0


@dataclass(slots=True)
class Outline:
    """The headings above the line being read: a stack that a heading of the same or a higher rank cuts back, down to
    what is open around it (a tab, a term): `bases` has the height of the stack in front of each of these."""

    stack: list[tuple[int, str]] = field(default_factory=list)
    bases: list[int] = field(default_factory=list)

    def enter(self, title: str) -> None:
        """Open something that ends by itself, whatever sections are open inside of it."""
        self.bases.append(len(self.stack))
        self.stack += [(0, shorten(title))] if title.strip() else []

    def leave(self) -> None:
        """The last of these ends."""
        del self.stack[self.bases.pop() :]

    def push(self, level: int, text: str) -> None:
        """Open a section of this level (1 is the highest)."""
        base = self.bases[-1] if self.bases else 0
        self.stack[base:] = [entry for entry in self.stack[base:] if entry[0] < level]
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
