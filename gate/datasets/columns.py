"""Which column means what: the names that tools and people give to questions, answers, references and contexts."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from gate.datasets.base import Ledger, Row, keep

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


def normal(name: str) -> str:
    """`Expected Output`, `expectedOutput`, `expected-output` -> `expected_output`."""
    return _BETWEEN.sub("_", _CAMEL.sub("_", name.strip())).lower()


def asks(names: Iterable[str]) -> bool:
    """Whether one of these names is a name for the question."""
    return not set(ALIASES["question"]).isdisjoint(normal(name) for name in names)


def mapped(fields: Mapping[str, Any], ledger: Ledger) -> Row:
    """A row from fields by name; the fields that mean nothing to the gate are kept. It may lack a question."""
    by_name: dict[str, str] = {}
    for name in fields:
        by_name.setdefault(normal(name), name)
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
        value = listed(value)
    found = []
    for entry in value if isinstance(value, list) else [value]:
        text = _text_inside(entry, ledger) if isinstance(entry, dict) else text_of(entry)
        if text is None:
            ledger.out("context without text")
        elif text.strip():
            found.append(text)
    return found


def _text_inside(entry: Mapping[str, Any], ledger: Ledger) -> str | None:
    names = ("text", "content", "page_content", "document")
    name = next((name for name in names if isinstance(entry.get(name), str)), None)
    if name is None:
        return None
    ledger.rest("field of a context", entry, {name})
    return str(entry[name])


def listed(cell: str) -> Any:
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
