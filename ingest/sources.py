"""Where documents come from: folders and files, addresses with a scheme; each document knows its name and digest."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from unicodedata import category

from gate.errors import SourceError
from ingest.formats import NAMES, reader_for
from ingest.walk import files_below, others_below

EDITION = "3"  # of how documents are read and cut: a new one makes every document a changed one
MAX_BYTES = 50 * 2**20  # of one document
SHOWN = 3  # names that are told of many


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


def stamp(document: Document) -> str:
    """What an index remembers of a document: changes when its content does, or how it is read. Raises SourceError."""
    return f"{EDITION}-{document.digest()}"


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


@dataclass(frozen=True, slots=True)
class LocalDocument:
    """A file; `source` is its path relative to the folder that the command runs in (absolute if they share nothing)."""

    source: str
    path: Path

    def digest(self) -> str:
        """SHA-256 of the content."""
        return hashlib.sha256(self.read()).hexdigest()

    def read(self) -> bytes:
        """The content of a regular file of at most MAX_BYTES. Raises SourceError."""
        try:
            status = self.path.stat()
            if not stat.S_ISREG(status.st_mode):
                raise SourceError("is not a regular file")
            if status.st_size > MAX_BYTES:
                size = f"{status.st_size / 2**20:,.0f} MB"
                raise SourceError(f"is too large: {size}, the limit is {MAX_BYTES // 2**20} MB", "split it")
            return self.path.read_bytes()
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror or error}") from None


@dataclass(frozen=True, slots=True)
class LocalSource:
    """A file, or all documents of a folder and its subfolders."""

    address: str
    root: Path  # the folder that names are relative to

    def documents(self) -> Iterator[LocalDocument | Unread]:
        """Sorted by name. Raises SourceError if there is no such path, or if it is a file of another format."""
        path = Path(os.path.abspath(self.root / self.address))
        if not os.path.lexists(path):
            raise SourceError(
                f"{self.address}: no such file or folder", "check the path; it is relative to this folder"
            )
        if not path.is_dir() and reader_for(path.name) is None:
            raise SourceError(f"{self.address}: not a document", f"documents are {NAMES}")
        entries = files_below(path, self.root) if path.is_dir() else [(path, "")]
        found = [self._entry(entry, trouble) for entry, trouble in entries if trouble or reader_for(entry.name)]
        yield from sorted(found, key=lambda entry: entry.source)

    def _entry(self, path: Path, trouble: str) -> LocalDocument | Unread:
        name = source_name(path, self.root)
        return unnamed(name) or (Unread(name, trouble) if trouble else LocalDocument(name, path))


def printable(text: str) -> str:
    """The text with a mark for each control character, line break and broken character."""
    return "".join(char if char.isprintable() or category(char) == "Zs" else "�" for char in text)


def some(names: Sequence[str]) -> str:
    """The first of the names, and how many more there are."""
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return printable(", ".join(names[:SHOWN])) + more


def unnamed(name: str) -> Unread | None:
    """What is said of a document whose name no report could show: of bytes that are not UTF-8 Python makes characters
    that nothing can print; escape sequences nobody should."""
    shown = printable(name)
    if shown == name:
        return None
    return Unread(shown, "has a name that cannot be printed: not UTF-8, or control characters", "rename it")


def source_name(path: Path, root: Path) -> str:
    """The name of an absolute path: relative to `root`, with slashes; absolute if only the topmost folder is shared."""
    shared = os.path.commonpath([path, root]) if path.drive == root.drive else ""
    far = Path(shared or path.anchor) == Path(path.anchor)
    return path.as_posix() if far else Path(os.path.relpath(path, root)).as_posix()


def _open_s3(address: str) -> Source:
    from ingest.s3 import S3Source

    return S3Source(address)


OPENERS: dict[str, Callable[[str], Source]] = {"s3": _open_s3}


def open_sources(addresses: Sequence[str], root: Path | None = None) -> list[Source]:
    """The sources of these addresses: a path, or `scheme://...`; names are relative to `root` (default: this folder).

    Raises SourceError for a scheme that is not known, and for no name at all (a variable of a script that is not set).
    """
    base = Path(os.path.abspath(root or Path.cwd()))
    return [_open(address, base) for address in addresses]


def not_read(addresses: Sequence[str], root: Path | None = None) -> list[str]:
    """The files of these folders that hold prose in a format that is not read: to be told, or they would be missed."""
    base = Path(os.path.abspath(root or Path.cwd()))
    folders = [base / address for address in addresses if "://" not in address and (base / address).is_dir()]
    return sorted({source_name(path, base) for folder in folders for path in others_below(folder, base)})


def _open(address: str, root: Path) -> Source:
    if not address.strip():
        raise SourceError("a path is empty", "name a file or a folder; `.` is this folder")
    scheme, found, _ = address.partition("://")
    if not found:
        return LocalSource(address, root)
    if scheme.lower() not in OPENERS:
        raise SourceError(f"{address}: unknown kind of source {scheme}://", f"a path, or {', '.join(OPENERS)}://")
    return OPENERS[scheme.lower()](address)
