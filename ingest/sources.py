"""Where documents come from: files and folders, addresses with a scheme; which are not as the index has them."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from gate.config import DocSource
from gate.errors import SourceError
from gate.store.base import Store
from ingest.base import MAX_BYTES, SKIPPED, Document, Other, Source, Unread, unnamed, without_controls
from ingest.formats import NAMES, PEEK_BYTES, is_api, read_blocks, reader_for

EDITION = "6"  # of how documents are read and cut: a new one makes every document a changed one
SHOWN = 3  # names that are told of many
READ = 20  # unknown files that are looked into: an ingest leaves out what cannot be read, and it is not new


def stamp(document: Document) -> str:
    """What an index remembers of a document: changes when its content, its tags or the way it is read do. Raises
    SourceError."""
    return "-".join([EDITION, *document.tags, document.digest()])


@dataclass(frozen=True, slots=True)
class LocalDocument:
    """A file; `source` is its path relative to the folder that the command runs in (absolute if they share nothing)."""

    source: str
    path: Path
    tags: tuple[str, ...] = ()

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
    """A file, or the documents of a folder and its subfolders that `given` takes."""

    given: DocSource
    root: Path  # the folder that names are relative to

    @property
    def address(self) -> str:
        """As the user gave it."""
        return self.given.path

    def documents(self) -> Iterator[LocalDocument | Unread | Other]:
        """Sorted by name. Raises SourceError if there is no such path, or if it is a file of another format."""
        path = Path(os.path.abspath(self.root / self.address))
        if not os.path.lexists(path):
            raise SourceError(
                f"{self.address}: no such file or folder", "check the path; it is relative to this folder"
            )
        if not path.is_dir() and reader_for(path.name) is None:
            raise SourceError(f"{self.address}: not a document", f"documents are {NAMES}")
        if path.is_dir():
            found = [self._entry(entry, why) for entry, why in walk(path, self.root) if self._takes(path, entry, why)]
        else:
            found = [self._entry(path, "")]
        yield from sorted(found, key=lambda entry: entry.source)

    def _takes(self, folder: Path, path: Path, why: str | None) -> bool:
        name = Path(os.path.relpath(path, folder)).as_posix()
        closed = bool(why) and reader_for(path.name) is None  # a folder, which may hold what is included
        return self.given.takes(name) or (closed and not self.given.leaves_out(name))

    def _entry(self, path: Path, trouble: str | None) -> LocalDocument | Unread | Other:
        name = source_name(path, self.root)
        if trouble is None:
            return Other(without_controls(name))
        return unnamed(name) or (Unread(name, trouble) if trouble else LocalDocument(name, path, self.given.tags))


def first_names(names: Sequence[str]) -> str:
    """The first of the names, and how many more there are."""
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return without_controls(", ".join(names[:SHOWN])) + more


def source_name(path: Path, root: Path) -> str:
    """The name of an absolute path: relative to `root`, with slashes; absolute if only the topmost folder is shared."""
    shared = os.path.commonpath([path, root]) if path.drive == root.drive else ""
    far = Path(shared or path.anchor) == Path(path.anchor)
    return path.as_posix() if far else Path(os.path.relpath(path, root)).as_posix()


def open_sources(given: Sequence[str | DocSource], root: Path | None = None) -> list[Source]:
    """These sources, or what an address says alone: a path, or `scheme://...`; names are relative to `root` (default:
    this folder).

    Raises SourceError for a scheme that is not known, and for no name at all (a variable of a script that is not set).
    """
    base = Path(os.path.abspath(root or Path.cwd()))
    return [_open(source, base) for source in given]


def _open(given: str | DocSource, root: Path) -> Source:
    address = given if isinstance(given, str) else given.path
    if not address.strip():
        raise SourceError("a path is empty", "name a file or a folder; `.` is this folder")
    source = DocSource.model_validate(given)
    scheme, found, _ = address.partition("://")
    if not found:
        return LocalSource(source, root)
    if scheme.lower() != "s3":
        raise SourceError(f"{address}: unknown kind of source {scheme}://", "a path, or s3://")
    from ingest.s3 import S3Source

    return S3Source(source)


def walk(folder: Path, root: Path) -> list[tuple[Path, str | None]]:
    """What stands below `folder`: each file, and why it cannot be read (empty: it can; None: it is no document).

    Links are followed if they stay below `folder` or `root` (the folder of the command): documents may come from
    strangers, and a link must not carry other files of the machine into the index.
    """
    walked = Walk((os.path.realpath(folder), os.path.realpath(root)))
    walked.folder(folder)
    while walked.links:  # last, so that a file is found under its own name and not under that of a link to it
        walked.link(walked.links.popleft())
    return walked.found


@dataclass(slots=True)
class Walk:
    """What was met so far, as `walk` gives it."""

    allowed: tuple[str, ...]
    found: list[tuple[Path, str | None]] = field(default_factory=list)
    links: deque[Path] = field(default_factory=deque)
    seen: set[str] = field(default_factory=set)  # real paths of files and folders

    def folder(self, top: Path) -> None:
        """Take in a folder and its subfolders; no recursion, so that no tree is too deep."""
        stack = [top]
        while stack:
            folder = stack.pop()
            real = os.path.realpath(folder)
            if real in self.seen:
                continue
            self.seen.add(real)
            try:
                with os.scandir(folder) as entries:
                    listed = sorted(entries, key=lambda entry: entry.name)
            except OSError as error:
                self.found.append((folder, f"cannot be opened: {error.strerror or error}"))
                continue
            stack.extend(Path(entry.path) for entry in listed if self._entry(entry, real))

    def _entry(self, entry: os.DirEntry[str], parent: str) -> bool:
        """Note a file or a link; True for a folder to go into."""
        if entry.name.startswith(".") or entry.name in SKIPPED:
            return False
        if entry.is_symlink():
            self.links.append(Path(entry.path))
        elif entry.is_dir(follow_symlinks=False):
            return True
        else:
            self.seen.add(os.path.join(parent, entry.name))
            self.found.append((Path(entry.path), "" if is_document(Path(entry.path)) else None))
        return False

    def link(self, path: Path) -> None:
        """Follow a link to a folder or a document, if it is not a loop and does not lead outside."""
        try:
            self._follow(path)
        except OSError as error:  # a folder on the way is closed to us, a name is too long: no other file's fault
            if reader_for(path.name):
                self.found.append((path, f"is a link that cannot be followed: {error.strerror or error}"))

    def _follow(self, path: Path) -> None:
        is_folder, real = path.is_dir(), os.path.realpath(path)
        if _loops(path):
            self.found.append((path, "is a link to itself"))
        elif not is_folder and reader_for(path.name) is None:
            self.found.append((path, None))
        elif is_folder and _is_below(os.path.realpath(path.parent), real):
            self.found.append((path, "is a link to a folder that it lies in: not followed"))
        elif not path.exists():
            self.found.append((path, "is a link to nothing"))
        elif not any(_is_below(real, top) for top in self.allowed):
            self.found.append((path, "is a link that leads outside: not followed; name its target to index it"))
        elif is_folder:
            self.folder(path)
        elif real not in self.seen:
            self.seen.add(real)
            self.found.append((path, "" if is_document(path) else None))


def is_document(path: Path) -> bool:
    """Whether this file is read, by its name; data is looked into, as only the description of an API is read."""
    if not is_api(path.name):
        return reader_for(path.name) is not None
    try:
        with path.open("rb") as file:
            return is_api(path.name, file.read(PEEK_BYTES))
    except OSError:
        return False


def _is_below(path: str, top: str) -> bool:
    return path == top or path.startswith(top.rstrip(os.sep) + os.sep)


def _loops(path: Path) -> bool:
    """Whether following this link never ends."""
    try:
        path.stat()
    except OSError as error:
        return error.errno == errno.ELOOP
    return False


def describe_stale(store: Store, given: Sequence[str | DocSource], root: Path) -> str:
    """What is wrong, in one line, with the index of the documents of these sources (paths are relative to `root`, the
    folder that they were indexed in); empty where nothing is. Errors: StoreError.

    What a run quotes of a changed document is true no more, and what only a new one says is called unsupported. Of an
    index on a server, which others may have filled, and of documents of a bucket nothing is known.
    """
    from gate.store.embedded import EmbeddedStore

    if not isinstance(store, EmbeddedStore):
        return ""
    known, there = store.digests(), {entry.source: entry for entry in _local(given, root)}
    local = ((name, digest) for name, digest in known.items() if "://" not in name)
    changed = [
        name for name, digest in local if digest != _stamp_of(there.get(name) or LocalDocument(name, root / name))
    ]
    named = sorted(there.keys() - known.keys())
    new = [name for name in named[:READ] if _readable(there[name])] + named[READ:]
    told = [_told(changed, "changed since {} indexed", "it was", "they were")] if changed else []
    told += [_told(new, "{} not in the index", "is", "are")] if new else []
    return "; ".join(told)


def _local(given: Sequence[str | DocSource], root: Path) -> Iterator[LocalDocument]:
    """The documents at these paths, the first of each name; none at a path that is not there."""
    for source in reversed(open_sources(given, root)):
        with suppress(SourceError):
            if isinstance(source, LocalSource):
                yield from (entry for entry in source.documents() if isinstance(entry, LocalDocument))


def _readable(document: LocalDocument) -> bool:
    try:
        read_blocks(document.source, document.read())
    except SourceError:
        return False
    return True


def _told(names: Sequence[str], what: str, one: str, many: str) -> str:
    return f"{first_names(names)} {what.format(one if len(names) == 1 else many)}"


def _stamp_of(document: LocalDocument) -> str:
    """As the index has it; empty for a file that is gone."""
    try:
        return stamp(document)
    except SourceError:
        return ""
