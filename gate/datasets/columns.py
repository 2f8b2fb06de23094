"""Which column means what, by the names that tools and people give; tables of any origin as rows."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gate.datasets.base import Content, Format, Ledger, Row, keep, objects
from gate.errors import InputFileError

# The first name that a row has counts; the others stay as they are.
ALIASES: dict[str, tuple[str, ...]] = {
    "question": ("question", "user_input", "query", "prompt", "input", "user_question", "user_query", "user_message"),
    "answer": (
        *("answer", "response", "actual_output", "output", "actual_answer", "model_answer", "generated_answer"),
        *("model_response", "model_output", "bot_response", "llm_response", "completion"),
    ),
    "reference": (
        *("reference", "reference_answer", "expected_output", "expected_answer", "expected", "ground_truth"),
        *("ground_truths", "groundtruth", "correct_answer", "ideal_answer", "ideal", "gold_answer", "golden_answer"),
    ),
    "contexts": (
        *("contexts", "retrieved_contexts", "retrieval_context", "retrieved_context", "retrieval_contexts"),
        *("context", "retrieved_documents", "passages"),
    ),
    "id": ("id", "question_id"),
    "category": ("category",),
    "model": ("model", "model_id", "model_name"),
    "latency_ms": ("latency_ms",),
    "input_tokens": ("input_tokens", "prompt_tokens"),
    "output_tokens": ("output_tokens", "completion_tokens"),
    "created_at": ("created_at", "timestamp"),
}
_TEXTS = frozenset(("question", "answer", "reference", "model"))
_NUMBERS = frozenset(("latency_ms", "input_tokens", "output_tokens"))
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN = re.compile(r"[\s.-]+")
_LONGEST_LIST = 1_000_000  # characters of a cell that is read as a list


def normalise_name(name: str) -> str:
    """`Expected Output`, `expectedOutput`, `expected-output` -> `expected_output`."""
    return _BETWEEN.sub("_", _CAMEL.sub("_", name.strip())).lower()


def has_question(names: Iterable[str]) -> bool:
    """Whether one of these names is a name for the question."""
    return not set(ALIASES["question"]).isdisjoint(normalise_name(name) for name in names)


def row_of(fields: Mapping[str, Any], ledger: Ledger) -> Row:
    """A row from fields by name; the fields that mean nothing to the gate are kept. It may lack a question."""
    by_name: dict[str, str] = {}
    for name in fields:
        by_name.setdefault(normalise_name(name), name)
    row: Row = {}
    used: set[str] = set()
    for place, aliases in ALIASES.items():
        for name in (by_name[alias] for alias in aliases if alias in by_name):
            value = None if fields[name] is None else _value(place, fields[name], ledger)
            if value is not None:
                row[place] = value
                used.add(name)
                break
    return keep(row, {name: value for name, value in fields.items() if name not in used}, ledger)


def _value(place: str, value: Any, ledger: Ledger) -> Any:
    """The value in the type that `place` needs; None where it cannot be (then the field is kept as it was)."""
    if place == "contexts":
        return contexts_of(value, ledger) or None
    if place in _NUMBERS:
        return number_of(value)
    if place not in _TEXTS:
        return value if value != "" else None
    text = text_of(value)
    return text if place == "answer" or (text and text.strip()) else None  # an application may have said nothing


def text_of(value: Any) -> str | None:
    """A text, a number as it is written, or several texts as lines; None for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return "\n".join(value)
    return None


def number_of(value: Any) -> float | int | None:
    """A number that is not negative, also one written as text; None for anything else."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e15
    return (int(value) if value == int(value) else value) if good else None


def contexts_of(value: Any, ledger: Ledger) -> list[str]:
    """Contexts as a list of texts: from a list, from a list that a cell holds as JSON or Python writes it, or from one
    text. Of an object (a retrieved document) its text is taken; what has none, and what else an object says, is counted
    as left out."""
    if isinstance(value, str):
        value = parse_list(value)
    found = []
    for entry in value if isinstance(value, list) else [value]:
        text = _text_inside(entry, ledger) if isinstance(entry, dict) else text_of(entry)
        if text is None:
            ledger.count("context without text")
        elif text.strip():
            found.append(text)
    return found


def _text_inside(entry: Mapping[str, Any], ledger: Ledger) -> str | None:
    names = ("text", "content", "page_content", "document")
    name = next((name for name in names if isinstance(entry.get(name), str)), None)
    if name is None:
        return None
    ledger.count_fields("field of a context", entry, {name})
    return str(entry[name])


def parse_list(cell: str) -> Any:
    """The list that a cell writes out, else the cell."""
    text = cell.strip()
    if not (text.startswith("[") and text.endswith("]")) or len(text) > _LONGEST_LIST:
        return cell
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        if isinstance(value, list) and all(isinstance(entry, str | dict) for entry in value):
            return value
    return cell


def _matches(content: Content) -> bool:
    """Whether the first row has a column for the question, or a row of a CSV file has."""
    rows = objects(content.value)
    return content.kind in ("csv", "json") and has_question(_columns(rows if content.kind == "csv" else rows[:1]))


def _parse(contents: Sequence[Content], ledger: Ledger) -> Iterator[Row]:
    """One row for each row. Errors: InputFileError where no column is the question."""
    for content in contents:
        rows = objects(content.value, ledger=ledger)
        if not has_question(_columns(rows)):
            raise no_question(content)
        for row in rows:
            yield row_of(row, ledger)


def no_question(content: Content) -> InputFileError:
    """The error about a table in which no column is the question: those that there are, and those that it needs."""
    shown = ", ".join(name[:40] for name in _columns(objects(content.value))[:12]) or "no columns"
    names = {place: ", ".join(ALIASES[place]) for place in ("question", "answer")}
    return content.fault(
        f"no column is the question (there are: {shown})",
        f"name one of them {names['question']}; one with recorded answers {names['answer']}",
    )


def _columns(rows: Sequence[Mapping[str, object]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


FORMAT = Format("a header line with a column `question` (or query, prompt, input)", _matches, _parse)
