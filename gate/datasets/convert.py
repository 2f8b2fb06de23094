"""Files of other tools as rows that the gate can use, and the file that is written."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate.datasets import beyondchats, logs, observability, openai, promptfoo, samples
from gate.datasets.base import MAX_CHARS, Content, Format, Leftovers, NewRow, failed, fault_of, is_filled, keep, objects
from gate.datasets.files import load_file
from gate.errors import InputFileError, UsageError
from gate.records import Category
from gate.reports.files import check_place, write

# In the order in which they are tried: the last one takes any table with a column for the question.
FORMATS: dict[str, Format] = {
    "beyondchats": beyondchats.FORMAT,
    "phoenix": observability.PHOENIX,
    "opentelemetry": observability.OPENTELEMETRY,
    "langfuse": observability.LANGFUSE,
    "langsmith": observability.LANGSMITH,
    "inspect": logs.INSPECT,
    "promptfoo-results": logs.RESULTS,
    "agent-evals": samples.AGENT_EVALS,
    "openai": openai.FORMAT,
    "promptfoo": promptfoo.FORMAT,
    "deepeval": samples.DEEPEVAL,
    "ragas": samples.RAGAS,
    "csv": samples.TABLE,
}
_OWN = ("ragas", "csv")  # of a row with a `question`, as the gate writes it
MAX_LINE = 15 * 1024 * 1024  # bytes: what reads these files takes lines of 16 MiB
# What a terminal would obey or hide when the file is shown, and half surrogate pairs, which no file can hold.
_HIDDEN = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_CATEGORIES = frozenset(category.value for category in Category)
_ORDER = ("id", "question", "messages", "category", "answer", "tool_calls", "reference", "contexts", "source", "line")


@dataclass(frozen=True, slots=True)
class Converted:
    """The rows of all files, the formats that they had, and what was left out."""

    rows: list[NewRow]
    formats: tuple[str, ...]
    ledger: Leftovers


def convert(paths: Sequence[Path], name: str = "auto") -> Converted:
    """Read files of one format, or each of its own. Errors: InputFileError for a file that is of none, or not of the
    one that was named, and where no row is left."""
    left = Leftovers()
    contents = [load_file(path, table=name == "csv", left=left) for path in paths]
    groups: dict[str, list[Content]] = {}
    for content in contents:
        groups.setdefault(_format_of(content, name), []).append(content)
    rows = [row for found, group in groups.items() for row in FORMATS[found].parse(group, left)]
    good = usable_rows(rows, left)
    if not good:
        why = "; ".join(left.describe()[:3]) or "it is empty"
        raise contents[0].fault(f"there is no question in it ({why})", f"expected: {FORMATS[next(iter(groups))].needs}")
    return Converted(good, tuple(groups), left)


def _format_of(content: Content, name: str) -> str:
    if name == "auto":
        rows = objects(content.value)
        own = bool(rows) and content.kind == "json" and isinstance(rows[0].get("question"), str)
        names = _OWN if own else tuple(FORMATS)  # what a row keeps of another tool does not make it a file of that tool
        found = next((known for known in names if FORMATS[known].matches(content)), None)
        if found is None:
            raise _unknown(content)
        return found
    if name != "csv" and not FORMATS[name].matches(content):
        raise content.fault(f"is no file of {name}", f"expected: {FORMATS[name].needs}")
    return name


def _unknown(content: Content) -> InputFileError:
    if content.kind == "csv":
        empty = content.fault("has no rows", f"expected: {samples.TABLE.needs}")
        return samples.no_question(content) if content.value else empty
    first = content.value[0] if isinstance(content.value, list) and content.value else content.value
    keys = ", ".join(str(key)[:40] for key in list(first)[:10]) if isinstance(first, dict) else ""
    return content.fault(
        "is of no known format" + (f" (it has: {keys})" if keys else ""),
        f"known are {', '.join(FORMATS)}; a CSV file needs a header line with a column `question`",
    )


def usable_rows(rows: Iterable[NewRow], left: Leftovers) -> list[NewRow]:
    """The rows that the gate can read. One without a question is left out, and where others have an answer, one
    that has neither an answer nor an error; what a field cannot hold is kept as `imported_NAME`."""
    given = list(rows)
    asking = [row for row in given if isinstance(row.get("question"), str) and row["question"].strip()]
    left.count("row without a question", number=len(given) - len(asking))
    asking = [failed(row, fault_of(row["error"])) if _is_failed(row) else row for row in asking]
    found = [row for row in asking if "answer" in row] or asking
    left.count("question without an answer", number=len(asking) - len(found))
    ids = Counter(str(row["id"]).strip() for row in found if "id" in row)
    return [_fitting(row, ids, left) for row in found]


def _is_failed(row: NewRow) -> bool:
    """Whether a row has an error in place of an answer."""
    return bool(fault_of(row.get("error"))) and not _is_answered(row)


def _is_answered(row: NewRow) -> bool:
    return any(is_filled(row.get(name)) for name in ("answer", "tool_calls"))


def _fitting(row: NewRow, ids: Counter[str], left: Leftovers) -> NewRow:
    """The row in the order of the design, with an id that no other row has, or none."""
    names = [*(name for name in _ORDER if name in row), *(name for name in row if name not in _ORDER)]
    good = {name: row[name] for name in names if _fits(name, row[name], ids)}
    return keep(good, {name: row[name] for name in names if name not in good}, left)


def _fits(name: str, value: Any, ids: Counter[str]) -> bool:
    if name == "category":
        return isinstance(value, str) and value in _CATEGORIES
    if name == "id":
        return isinstance(value, str | int) and not isinstance(value, bool) and ids[str(value).strip()] == 1
    return True


def render(rows: Sequence[NewRow], path: str) -> str:
    """The rows as JSON lines, UTF-8. Errors: InputFileError for what would be larger than the gate reads."""
    lines: list[str] = []
    total = 0
    for number, row in enumerate(rows, 1):
        try:
            line = _HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(row, ensure_ascii=False))
        except RecursionError:
            raise InputFileError(f"{path}: row {number} is nested too deeply", "leave the field out") from None
        total += len(line)
        if total > MAX_CHARS or len(line.encode()) > MAX_LINE:
            raise InputFileError(
                f"{path}: row {number} makes the file larger than the gate reads", "import fewer files at a time"
            )
        lines.append(line + "\n")
    return "".join(lines)


def describe_rows(rows: Sequence[NewRow]) -> str:
    """What the rows hold, in a few words."""
    counts = {
        "with answer": sum(_is_answered(row) for row in rows),
        **{f"with {name}": sum(name in row for row in rows) for name in ("reference", "contexts")},
        "that failed": sum("answer" in row and not _is_answered(row) for row in rows),
    }
    parts = [f"{number} {name}" for name, number in counts.items() if number]
    return f"{len(rows)} question{'s' if len(rows) != 1 else ''}" + (f" ({', '.join(parts)})" if parts else "")


def check(target: Path, force: bool) -> None:
    """Refuse what could not be written in the end. Errors: UsageError."""
    check_place(target)
    if os.path.isfile(target) and not force:  # unlike Path.is_file, never raises
        raise UsageError(f"{target}: already there", "use --force to write over, or name another file")


def save(target: Path, rows: Sequence[NewRow]) -> None:
    """Write beside the file, then rename. Errors: UsageError where it cannot be written; InputFileError for rows that
    are too large."""
    write(target, render(rows, str(target)))
