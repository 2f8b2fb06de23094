"""Files of questions and of recorded answers, read into the records of a run."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from gate.errors import InputFileError
from gate.jsonl import Row, read_rows
from gate.records import Category, Prompt, Usage

T = TypeVar("T")
_KNOWN = frozenset(
    {"id", "question", "answer", "category", "reference", "contexts"}
    | {"model", "latency_ms", "input_tokens", "output_tokens", "created_at"}
)
_OPTIONAL = "`id`, `category`, `reference` (strings), `contexts` (a list of strings)"
_QUESTION = f"a line needs `question`, and may have {_OPTIONAL}"
_ANSWER = (
    f"a line needs `question` and `answer` (strings), and may have {_OPTIONAL}, `model`, `latency_ms`, `input_tokens`,"
    " `output_tokens` and `created_at`"
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """One recorded answer with the prompt that it answers (`prompt.line` is its line in the file).

    `usage` is None where the file has no tokens; `extra` holds the fields that the gate does not know.
    """

    prompt: Prompt
    answer: str
    model: str = ""
    latency_ms: float | None = None
    usage: Usage | None = None
    created_at: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)


def read_dataset(path: Path) -> list[Prompt]:
    """Read questions in the order of the file. Errors: InputFileError with file and line."""
    return _all(path, _QUESTION, lambda row, name: _prompt(row, name, _category(row)))


def read_answers(path: Path) -> list[Recorded]:
    """Read recorded answers in the order of the file. Errors: InputFileError with file and line.

    An answer may be empty (the application said nothing), but the field has to be there.
    """
    return _all(path, _ANSWER, _recorded)


def _all(path: Path, needs: str, make: Callable[[Row, str], T]) -> list[T]:
    made = [make(row, name) for row, name in named(read_rows(path, needs=needs), str(path))]
    if not made:
        raise InputFileError(f"{path}: there is nothing in it", needs)
    return made


def named(rows: Iterable[Row], path: str) -> Iterator[tuple[Row, str]]:
    """Every row with its id. Without one it is derived from the question, so it stays when other lines come or go."""
    given: dict[str, int] = {}
    unnamed: Counter[str] = Counter()
    for row in rows:
        number = type(row.fields.get("id")) is int
        name = str(row.fields["id"]) if number else (row.optional_text("id") or "").strip()
        if not name:
            base = "q-" + hashlib.sha256(row.text("question").encode()).hexdigest()[:12]
            unnamed[base] += 1
            name = base if unnamed[base] == 1 else f"{base}-{unnamed[base]}"
        if name in given:
            raise InputFileError(
                f"{path}:{row.line}: the id {name[:80]!r} is already used in line {given[name]}",
                "give each line an id of its own, or leave the ids out",
            )
        given[name] = row.line
        yield row, name


def _category(row: Row) -> Category:
    value = row.optional_text("category") or Category.FACTUAL_RECALL
    if value not in set(Category):
        raise row.fault(f"`category` must be one of {', '.join(Category)}")
    return Category(value)


def _prompt(row: Row, name: str, category: Category) -> Prompt:
    return Prompt(
        id=name,
        question=row.text("question"),
        category=category,
        reference=row.optional_text("reference"),
        contexts=row.texts("contexts"),
        line=row.line,
    )


def _recorded(row: Row, name: str) -> Recorded:
    answer = row.optional_text("answer")
    if answer is None:
        raise row.fault("`answer` is missing")
    tokens = row.number("input_tokens"), row.number("output_tokens")
    # A log of answers has categories of its own; one that is ours is used.
    known = row.fields.get("category") in list(Category)
    return Recorded(
        prompt=_prompt(row, name, Category(row.fields["category"]) if known else Category.FACTUAL_RECALL),
        answer=answer,
        model=row.optional_text("model") or "",
        latency_ms=row.number("latency_ms"),
        usage=None if tokens == (None, None) else Usage(int(tokens[0] or 0), int(tokens[1] or 0)),
        created_at=str(row.fields["created_at"]) if row.fields.get("created_at") is not None else None,
        extra={key: value for key, value in row.fields.items() if key not in _KNOWN},
    )
