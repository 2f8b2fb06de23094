"""What all readers share: the content of a file, rows in the gate's words, and the ledger of what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from gate.errors import InputFileError

Row = dict[str, Any]  # one line of the file to be written
# The fields that the gate reads itself; whatever else a row holds is kept and ignored.
FIELDS = frozenset(
    {"id", "question", "answer", "category", "reference", "contexts"}
    | {"model", "latency_ms", "input_tokens", "output_tokens", "created_at"}
)
_LONGEST = 60  # characters of a name that is shown


@dataclass(frozen=True, slots=True)
class Content:
    """One file, read: `value` is what the JSON or YAML says, or the rows (name -> cell) of a CSV file."""

    path: str
    kind: Literal["json", "yaml", "csv"]
    value: Any

    def fault(self, message: str, hint: str = "") -> InputFileError:
        """An error about this file, to be raised by the caller."""
        return InputFileError(f"{self.path}: {message}", hint)


@dataclass(slots=True)
class Ledger:
    """What was left out: how many times, by reason and by the name of the field (empty: no field)."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def out(self, reason: str, name: str = "", number: int = 1) -> None:
        """Count something that is not in the rows."""
        self.counts[reason, name[:_LONGEST]] += number

    def rest(self, reason: str, fields: Mapping[str, Any], used: Collection[str] = ()) -> None:
        """Count each of these fields that says something and is not among the `used` ones."""
        for name, value in fields.items():
            if name not in used and says(value):
                self.out(reason, name)

    def told(self) -> list[str]:
        """One line for each reason and field, the most frequent first; none is held back."""
        ordered = sorted(self.counts.items(), key=lambda entry: (-entry[1], entry[0]))
        return [f"{number} x {reason}" + (f": {name}" if name else "") for (reason, name), number in ordered]


@dataclass(frozen=True, slots=True)
class Format:
    """How files of one tool are known and read; `needs` says in a few words what such a file looks like."""

    needs: str
    matches: Callable[[Content], bool]
    read: Callable[[Sequence[Content], Ledger], Iterator[Row]]


def objects(value: Any, *wrappers: str, ledger: Ledger | None = None) -> list[dict[str, Any]]:
    """The objects of a list, of the list under one of the names `wrappers`, or the one object that `value` is.

    With a ledger, what stands beside them is counted as left out.
    """
    if isinstance(value, dict):
        name = next((name for name in wrappers if isinstance(value.get(name), list)), None)
        if name is None:
            return [value]
        if ledger:
            ledger.rest("field beside the list", value, {name})
        value = value[name]
    entries = value if isinstance(value, list) else [value] if says(value) else []
    found = [entry for entry in entries if isinstance(entry, dict)]
    if ledger and len(found) < len(entries):
        ledger.out("entry that is no object", number=len(entries) - len(found))
    return found


def says(value: Any) -> bool:
    """Whether a value says anything: null, a blank text and an empty list or object do not."""
    return value is not None and value not in ([], {}) and not (isinstance(value, str) and not value.strip())


def keep(row: Row, others: Mapping[str, Any], ledger: Ledger) -> Row:
    """`row` with the fields that the gate does not know. One that has the name of a field of the gate, which it is
    not, becomes `imported_NAME`; what is null or blank says nothing and goes."""
    for name, value in others.items():
        if not says(value):
            continue
        place = name if name not in FIELDS and name not in row else f"imported_{name}"
        if place in row:
            ledger.out("field that is there twice", name)
        else:
            row[place] = value
    return row
