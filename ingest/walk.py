"""The files below a folder, each once: hidden and generated folders left out, links followed only inside."""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from ingest.formats import reader_for

# Besides names that begin with a dot: what tools put beside documents. `_sources` and `_static` hold what the pages of
# a generated site were made from, so their text would be there twice.
SKIPPED = frozenset(["node_modules", "__pycache__", "_sources", "_static", "_images"])

# What holds prose as a rule and is not read. Data, code and pictures stand beside documents for other reasons.
OTHERS = (
    *(".doc", ".docx", ".odt", ".rtf", ".epub", ".ppt", ".pptx", ".odp", ".xls", ".xlsx", ".ods"),
    *(".mdx", ".adoc", ".asciidoc", ".org", ".textile"),
)

Found = tuple[Path, str]  # a file, and why it cannot be read (empty: it can)


def files_below(folder: Path, root: Path) -> list[Found]:
    """Every file of a document's format below `folder`, and whatever stands in the way, with a reason.

    Links are followed if they stay below `folder` or `root` (the folder of the command): documents may come from
    strangers, and a link must not carry other files of the machine into the index.
    """
    return _walked(folder, root).found


def others_below(folder: Path, root: Path) -> list[Path]:
    """Every file that holds prose in a format that is not read."""
    return _walked(folder, root).others


def _walked(folder: Path, root: Path) -> _Walk:
    walk = _Walk((os.path.realpath(folder), os.path.realpath(root)))
    walk.folder(folder)
    while walk.links:  # last, so that a file is found under its own name and not under that of a link to it
        walk.link(walk.links.popleft())
    return walk


@dataclass(slots=True)
class _Walk:
    """What was met so far."""

    allowed: tuple[str, ...]
    found: list[Found] = field(default_factory=list)
    others: list[Path] = field(default_factory=list)
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
        elif reader_for(entry.name):
            self.seen.add(os.path.join(parent, entry.name))
            self.found.append((Path(entry.path), ""))
        elif entry.name.lower().endswith(OTHERS):
            self.others.append(Path(entry.path))
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
        if not is_folder and reader_for(path.name) is None:
            if _loops(path):
                self.found.append((path, "is a link to itself"))
            return
        if is_folder and _is_below(os.path.realpath(path.parent), real):
            self.found.append((path, "is a link to a folder that it lies in: not followed"))
        elif not path.exists():
            self.found.append((path, "is a link to itself" if _loops(path) else "is a link to nothing"))
        elif not any(_is_below(real, top) for top in self.allowed):
            self.found.append((path, "is a link that leads outside: not followed; name its target to index it"))
        elif is_folder:
            self.folder(path)
        elif real not in self.seen:
            self.seen.add(real)
            self.found.append((path, ""))


def _is_below(path: str, top: str) -> bool:
    return path == top or path.startswith(top.rstrip(os.sep) + os.sep)


def _loops(path: Path) -> bool:
    """Whether following this link never ends."""
    try:
        path.resolve(strict=True)
    except RuntimeError:  # Python 3.11 and 3.12 say so
        return True
    except OSError as error:
        return error.errno == 40  # ELOOP
    return False
