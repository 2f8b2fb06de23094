"""Tables: a CSV file, or a list of flat JSON objects, with columns that are known by their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gate.datasets.base import Content, Format, Ledger, Row, objects
from gate.datasets.columns import ALIASES, asks, mapped
from gate.errors import InputFileError


def matches(content: Content) -> bool:
    """Whether the first row has a column for the question, or a row of a CSV file has."""
    rows = objects(content.value)
    return content.kind in ("csv", "json") and asks(_columns(rows if content.kind == "csv" else rows[:1]))


def read(contents: Sequence[Content], ledger: Ledger) -> Iterator[Row]:
    """One row for each row. Errors: InputFileError where no column is the question."""
    for content in contents:
        rows = objects(content.value, ledger=ledger)
        if not asks(_columns(rows)):
            raise unasked(content)
        for row in rows:
            yield mapped(row, ledger)


def unasked(content: Content) -> InputFileError:
    """The error about a table in which no column is the question: those that there are, and those that it needs."""
    shown = ", ".join(name[:40] for name in _columns(objects(content.value))[:12]) or "no columns"
    names = {place: ", ".join(ALIASES[place]) for place in ("question", "answer")}
    return content.fault(
        f"no column is the question (there are: {shown})",
        f"name one of them {names['question']}; one with recorded answers {names['answer']}",
    )


def _columns(rows: Sequence[Mapping[str, object]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


FORMAT = Format("a header line with a column `question` (or query, prompt, input)", matches, read)
