"""The file that is written: whole or not at all, and never over another one unless that is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gate.datasets.base import Row
from gate.datasets.rows import lines
from gate.errors import UsageError
from gate.reports.render import write


def check(target: Path, force: bool) -> None:
    """Refuse what could not be written in the end. Errors: UsageError."""
    if target.is_dir():
        raise UsageError(f"{target}: is a folder", "give the name of a file")
    if not target.parent.is_dir():
        raise UsageError(f"{target}: the folder {target.parent} does not exist", "make it first, or name another one")
    if target.is_file() and not force:
        raise UsageError(f"{target}: already there", "use --force to write over, or name another file")


def save(target: Path, rows: Sequence[Row]) -> None:
    """Write beside the file, then rename. Errors: UsageError where it cannot be written; InputFileError for rows that
    are too large."""
    write(target, lines(rows, str(target)))
