"""What all formats share: rows in the gate's words, names of columns, and what was left out."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from gate.errors import InputFileError

NewRow = dict[str, Any]  # one line of the file to be written
# The fields that the gate reads itself, each with the names that tools and people give it. The first that a row has
# counts; whatever else a row holds is kept and ignored.
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
MAX_CHARS = 256 * 1024 * 1024  # of all lines that are written: contexts stand in every row
_TEXTS = frozenset(("question", "answer", "reference", "model"))
_NUMBERS = frozenset(("latency_ms", "input_tokens", "output_tokens"))
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN = re.compile(r"[\s.-]+")
_LONGEST_LIST = 1_000_000  # characters of a cell that is read as a list
_LONGEST_NAME = 60  # characters of a name that is shown
MAX_DEPTH = 100  # objects and lists of JSON inside of each other


@dataclass(frozen=True, slots=True)
class Content:
    """One file, read: `value` is what the JSON or YAML holds, or the rows (name -> cell) of a CSV file."""

    path: str
    kind: Literal["json", "yaml", "csv"]
    value: Any

    def fault(self, message: str, hint: str = "") -> InputFileError:
        """An error about this file, to be raised by the caller."""
        return InputFileError(f"{self.path}: {message}", hint)


@dataclass(slots=True)
class Leftovers:
    """What was left out: how many times, by reason and by the name of the field (empty: no field)."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def count(self, reason: str, name: str = "", number: int = 1) -> None:
        """Count something that is not in the rows."""
        if number:
            self.counts[reason, name[:_LONGEST_NAME]] += number

    def count_fields(self, reason: str, fields: Mapping[str, Any], used: Collection[str] = ()) -> None:
        """Count each of these fields that says something and is not among the `used` ones."""
        for name, value in fields.items():
            if name not in used and is_filled(value):
                self.count(reason, name)

    def describe(self) -> list[str]:
        """One line for each reason and field, the most frequent first; none is held back."""
        ordered = sorted(self.counts.items(), key=lambda entry: (-entry[1], entry[0]))
        return [f"{number} x {reason}" + (f": {name}" if name else "") for (reason, name), number in ordered]


@dataclass(frozen=True, slots=True)
class Format:
    """How files of one tool are recognised and parsed; `needs` says in a few words what such a file looks like."""

    needs: str
    matches: Callable[[Content], bool]
    parse: Callable[[Sequence[Content], Leftovers], Iterator[NewRow]]


def objects(value: Any, *wrappers: str, left: Leftovers | None = None) -> list[dict[str, Any]]:
    """The objects of a list, of the list under one of the names `wrappers`, or the one object that `value` is.

    With `left`, what stands beside them is counted as left out.
    """
    if isinstance(value, dict):
        name = next((name for name in wrappers if isinstance(value.get(name), list)), None)
        if name is None:
            return [value]
        if left:
            left.count_fields("field beside the list", value, {name})
        value = value[name]
    entries = value if isinstance(value, list) else [value] if is_filled(value) else []
    found = [entry for entry in entries if isinstance(entry, dict)]
    if left:
        left.count("entry that is no object", number=len(entries) - len(found))
    return found


def object_of(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def is_filled(value: Any) -> bool:
    """Whether a value says anything: null, a blank text and an empty list or object do not."""
    return value is not None and value not in ([], {}) and not (isinstance(value, str) and not value.strip())


def keep(row: NewRow, others: Mapping[str, Any], left: Leftovers) -> NewRow:
    """`row` with the fields that the gate does not know. One that has the name of a field of the gate, which it is
    not, becomes `imported_NAME`; what is null or blank says nothing and goes."""
    for name, value in others.items():
        if not is_filled(value):
            continue
        place = name if name not in ALIASES and name not in row else f"imported_{name}"
        if place in row:
            left.count("field that is there twice", name)
        else:
            row[place] = value
    return row


def failed(row: NewRow, why: str) -> NewRow:
    """The row of a question that the application failed on: a run counts an empty answer as failed. What there is of
    an answer is kept as `imported_answer` and `imported_tool_calls`, the reason as `error`."""
    moved = {name: row[name] for name in ("answer", "tool_calls") if is_filled(row.get(name))}
    rest = {name: value for name, value in row.items() if name not in ("answer", "tool_calls")}
    return {**rest, "answer": "", "error": why, **{f"imported_{name}": value for name, value in moved.items()}}


def fault_of(*errors: Any) -> str:
    """The text of the first of these errors that says something: a text, or an object with a `message`. Else empty."""
    error = next((error for error in errors if is_filled(error) and error is not False), "")
    while isinstance(error, dict):
        error = next((error[name] for name in ("message", "error", "code", "type") if is_filled(error.get(name))),
                     "it failed without a message")  # fmt: skip
    return text_of(error) or str(error)


def normalise_name(name: str) -> str:
    """`Expected Output`, `expectedOutput`, `expected-output` -> `expected_output`."""
    return _BETWEEN.sub("_", _CAMEL.sub("_", name.strip())).lower()


def has_question(names: Iterable[str]) -> bool:
    """Whether one of these names is a name for the question."""
    return not set(ALIASES["question"]).isdisjoint(normalise_name(name) for name in names)


def row_of(fields: Mapping[str, Any], left: Leftovers) -> NewRow:
    """A row from fields by name; the fields that mean nothing to the gate are kept. It may lack a question."""
    by_name: dict[str, str] = {}
    for name in fields:
        by_name.setdefault(normalise_name(name), name)
    row: NewRow = {}
    used: set[str] = set()
    for place, aliases in ALIASES.items():
        for name in (by_name[alias] for alias in aliases if alias in by_name):
            value = None if fields[name] is None else _value(place, fields[name], left)
            if value is not None:
                row[place] = value
                used.add(name)
                break
    return keep(row, {name: value for name, value in fields.items() if name not in used}, left)


def _value(place: str, value: Any, left: Leftovers) -> Any:
    """The value in the type that `place` needs; None where it cannot be (then the field is kept as it was)."""
    if place == "contexts":
        return contexts_of(value, left) or None
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


def contexts_of(value: Any, left: Leftovers) -> list[str]:
    """Contexts as a list of texts: from a list, from a list that a cell holds as JSON or Python writes it, or from one
    text. Of an object (a retrieved document) its text is taken; what has none, and what else an object says, is counted
    as left out."""
    if isinstance(value, str):
        value = parse_list(value)
    found = []
    for entry in value if isinstance(value, list) else [value]:
        text = _text_inside(entry, left) if isinstance(entry, dict) else text_of(entry)
        if text is None:
            left.count("context without text")
        elif text.strip():
            found.append(text)
    return found


def _text_inside(entry: Mapping[str, Any], left: Leftovers) -> str | None:
    names = ("text", "content", "page_content", "document")
    name = next((name for name in names if isinstance(entry.get(name), str)), None)
    if name is None:
        return None
    left.count_fields("field of a context", entry, {name})
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


def decoded(value: Any) -> Any:
    """What a text that is a JSON object or list says; anything else as it is."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "[") or len(value) > MAX_CHARS:
        return value
    try:
        found = json.loads(value, parse_constant=lambda name: None)
    except (ValueError, RecursionError):
        return value
    return found if is_shallow(found) else value


def is_shallow(value: Any) -> bool:
    """Whether at most MAX_DEPTH objects and lists stand inside of each other."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [part for part in level if isinstance(part, dict | list)]
        if not level:
            return True
        level = [inner for part in level for inner in (part.values() if isinstance(part, dict) else part)]
    return False
