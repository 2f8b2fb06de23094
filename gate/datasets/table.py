"""Tables: a CSV file, or a list of flat JSON objects, with columns that are known by their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gate.datasets.base import Content, Format, Ledger, Row, objects
from gate.datasets.columns import ALIASES, asks, mapped


def matches(content: Content) -> bool:
    """Whether the first row has a column for the question."""
    rows = objects(content.value)
    return content.kind in ("csv", "json") and bool(rows) and asks(rows[0])


def read(contents: Sequence[Content], ledger: Ledger) -> Iterator[Row]:
    """One row for each row. Errors: InputFileError where no column is the question."""
    for content in contents:
        rows = objects(content.value, ledger=ledger)
        names = list(dict.fromkeys(name for row in rows for name in row))
        if not asks(names):
            shown = ", ".join(name[:40] for name in names[:12]) or "no columns"
            known = ", ".join(ALIASES["question"])
            raise content.fault(f"no column is the question (there are: {shown})", f"name one of them {known}")
        for row in rows:
            yield mapped(row, ledger)


FORMAT = Format("a header line with a column `question` (or query, prompt, input)", matches, read)
