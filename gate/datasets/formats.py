"""The table of formats, which one a file has, and the conversion of files into rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gate.datasets import beyondchats, deepeval, openai, promptfoo, ragas, table
from gate.datasets.base import Content, Format, Ledger, Row
from gate.datasets.files import open_file
from gate.datasets.rows import settled
from gate.errors import InputFileError

# In the order in which they are tried: the last one takes any table with a column for the question.
FORMATS: dict[str, Format] = {
    "beyondchats": beyondchats.FORMAT,
    "openai": openai.FORMAT,
    "promptfoo": promptfoo.FORMAT,
    "deepeval": deepeval.FORMAT,
    "ragas": ragas.FORMAT,
    "csv": table.FORMAT,
}


@dataclass(frozen=True, slots=True)
class Converted:
    """The rows of all files, the formats that they had, and what was left out."""

    rows: list[Row]
    formats: tuple[str, ...]
    ledger: Ledger


def convert(paths: Sequence[Path], name: str = "auto") -> Converted:
    """Read files of one format, or each of its own. Errors: InputFileError for a file that is of none, or not of the
    one that was named, and where no row is left."""
    contents = [open_file(path, table=name == "csv") for path in paths]
    groups: dict[str, list[Content]] = {}
    for content in contents:
        groups.setdefault(_format_of(content, name), []).append(content)
    ledger = Ledger()
    rows = [row for found, group in groups.items() for row in FORMATS[found].read(group, ledger)]
    good = settled(rows, ledger)
    if not good:
        why = "; ".join(ledger.told()[:3]) or "it is empty"
        raise contents[0].fault(f"there is no question in it ({why})", f"expected: {FORMATS[next(iter(groups))].needs}")
    return Converted(good, tuple(groups), ledger)


def _format_of(content: Content, name: str) -> str:
    if name == "auto":
        found = next((known for known, reader in FORMATS.items() if reader.matches(content)), None)
        if found is None:
            raise _unknown(content)
        return found
    if name != "csv" and not FORMATS[name].matches(content):
        raise content.fault(f"is no file of {name}", f"expected: {FORMATS[name].needs}")
    return name


def _unknown(content: Content) -> InputFileError:
    if content.kind == "csv":
        return (
            table.unasked(content) if content.value else content.fault("has no rows", f"expected: {table.FORMAT.needs}")
        )
    first = content.value[0] if isinstance(content.value, list) and content.value else content.value
    keys = ", ".join(str(key)[:40] for key in list(first)[:10]) if isinstance(first, dict) else ""
    return content.fault(
        "is of no known format" + (f" (it has: {keys})" if keys else ""),
        f"known are {', '.join(FORMATS)}; a CSV file needs a header line with a column `question`",
    )
