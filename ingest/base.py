"""The seam of the sources: a source lists documents, a document gives its bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol
from unicodedata import category

MAX_BYTES = 50 * 2**20  # of one document
# Besides names that begin with a dot: what tools put beside documents. `_sources` and `_static` hold what the pages of
# a generated site were made from, so their text would be there twice.
SKIPPED = frozenset(["node_modules", "__pycache__", "_sources", "_static", "_images"])


class Document(Protocol):
    """One file of a source, not yet read."""

    @property
    def source(self) -> str:
        """Its name: the same on every machine and however the user wrote the path."""
        ...

    def digest(self) -> str:
        """Changes when the content does. Raises SourceError if it cannot be had."""
        ...

    def read(self) -> bytes:
        """Its content, at most MAX_BYTES. Raises SourceError."""
        ...


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

    def documents(self) -> Iterator[Document | Unread]:
        """All documents in a stable order, and what looks like one and cannot be read. Raises SourceError if nothing
        can be listed."""
        ...


def printable(text: str) -> str:
    """The text with a mark for each control character, line break and broken character."""
    return "".join(char if char.isprintable() or category(char) == "Zs" else "�" for char in text)


def unnamed(name: str) -> Unread | None:
    """What is said of a document whose name no report could show: of bytes that are not UTF-8 Python makes characters
    that nothing can print; escape sequences nobody should."""
    shown = printable(name)
    if shown == name:
        return None
    return Unread(shown, "has a name that cannot be printed: not UTF-8, or control characters", "rename it")
