"""Questions with labelled sources: where in the documents the answer stands, as people or `gate dataset` say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate.errors import InputFileError
from gate.jsonl import Row, read_rows
from gate.providers.replay import with_ids

MOST = 1000  # places of one question
_HINT = (
    'a line needs `question`, and names its place as `"source": "docs/a.md", "line": 12`, or several as'
    ' `"sources": [{"source": ..., "line": ...}]`'
)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line of a document (a page of a PDF); line 0 is the whole document."""

    source: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question and the places, each once, that answer it."""

    id: str
    question: str
    places: tuple[Place, ...]


def read_labelled(path: Path) -> tuple[list[Labelled], int]:
    """The questions with a place, in the order of the file, and how many have none.

    Errors: InputFileError with file and line, and for a file in which no question has a place.
    """
    found = [
        Labelled(name, row.text("question"), places(row))
        for row, name in with_ids(read_rows(path, needs=_HINT), str(path))
    ]
    labelled = [one for one in found if one.places]
    if not labelled:
        what = f"none of its {len(found)} questions has a labelled source" if found else "there is nothing in it"
        raise InputFileError(f"{path}: {what}", _HINT)
    return labelled, len(found) - len(labelled)


def places(row: Row) -> tuple[Place, ...]:
    """`source` with `line`, then those of `sources`: objects with `source` and `line`, or names of documents."""
    many = row.fields.get("sources")
    entries = many if isinstance(many, list) else [] if many is None else [many]
    if len(entries) > MOST:
        raise row.fault(f"`sources` has more than {MOST} places")
    given = [row.fields] if row.fields.get("source") not in (None, "") else []
    return tuple(dict.fromkeys(_place(row, entry) for entry in [*given, *entries]))


def _place(row: Row, entry: Any) -> Place:
    fields = {"source": entry} if isinstance(entry, str) else entry
    if not isinstance(fields, dict):
        raise row.fault("`sources` must hold objects with `source` and `line`")
    one = Row(row.path, row.line, fields, row.needs)
    line = one.number("line") or 0
    if line != int(line):
        raise row.fault("`line` must be a whole number")
    return Place(one.text("source"), int(line))
