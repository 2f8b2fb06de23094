"""What all formats share: rows in the gate's words, conversations, and the ledger of what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from gate.errors import InputFileError

Row = dict[str, Any]  # one line of the file to be written
# The fields that the gate reads itself; whatever else a row holds is kept and ignored.
FIELDS = frozenset(
    {"id", "question", "answer", "category", "reference", "contexts"}
    | {"model", "latency_ms", "input_tokens", "output_tokens", "created_at"}
)
MAX_CHARS = 256 * 1024 * 1024  # of all lines that are written: contexts stand in every row
_LONGEST = 60  # characters of a name that is shown
_ROLES = {
    "user": ("user", "human", "customer", "visitor"),
    "assistant": ("assistant", "ai/chatbot", "ai", "chatbot", "bot", "model"),
    "system": ("system", "developer"),
    "tool": ("tool", "function"),
}
ROLES = {name: role for role, names in _ROLES.items() for name in names}


@dataclass(frozen=True, slots=True)
class Content:
    """One file, read: `value` is what the JSON or YAML is_filled, or the rows (name -> cell) of a CSV file."""

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

    def count(self, reason: str, name: str = "", number: int = 1) -> None:
        """Count something that is not in the rows."""
        self.counts[reason, name[:_LONGEST]] += number

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
    parse: Callable[[Sequence[Content], Ledger], Iterator[Row]]


def objects(value: Any, *wrappers: str, ledger: Ledger | None = None) -> list[dict[str, Any]]:
    """The objects of a list, of the list under one of the names `wrappers`, or the one object that `value` is.

    With a ledger, what stands beside them is counted as left out.
    """
    if isinstance(value, dict):
        name = next((name for name in wrappers if isinstance(value.get(name), list)), None)
        if name is None:
            return [value]
        if ledger:
            ledger.count_fields("field beside the list", value, {name})
        value = value[name]
    entries = value if isinstance(value, list) else [value] if is_filled(value) else []
    found = [entry for entry in entries if isinstance(entry, dict)]
    if ledger and len(found) < len(entries):
        ledger.count("entry that is no object", number=len(entries) - len(found))
    return found


def is_filled(value: Any) -> bool:
    """Whether a value says anything: null, a blank text and an empty list or object do not."""
    return value is not None and value not in ([], {}) and not (isinstance(value, str) and not value.strip())


def keep(row: Row, others: Mapping[str, Any], ledger: Ledger) -> Row:
    """`row` with the fields that the gate does not know. One that has the name of a field of the gate, which it is
    not, becomes `imported_NAME`; what is null or blank says nothing and goes."""
    for name, value in others.items():
        if not is_filled(value):
            continue
        place = name if name not in FIELDS and name not in row else f"imported_{name}"
        if place in row:
            ledger.count("field that is there twice", name)
        else:
            row[place] = value
    return row


@dataclass(frozen=True, slots=True)
class Turn:
    """One message: `role` as in _ROLES (empty: unknown), `text` None where it says nothing; the rest of its fields."""

    role: str
    text: str | None
    fields: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer; either may be several messages. `tools` is what tools said in between."""

    questions: tuple[Turn, ...]
    answers: tuple[Turn, ...]
    tools: tuple[str, ...] = ()

    @property
    def question(self) -> str:
        """All messages of the question, one below the other."""
        return "\n".join(turn.text or "" for turn in self.questions)

    @property
    def answer(self) -> str:
        """All messages of the answer, one below the other."""
        return "\n".join(turn.text or "" for turn in self.answers)


def role_of(value: Any) -> str:
    """`user`, `assistant`, `system`, `tool`; empty for a role that nobody knows."""
    return ROLES.get(value.strip().lower(), "") if isinstance(value, str) else ""


def exchanges(turns: Iterable[Turn], ledger: Ledger) -> list[Exchange]:
    """The exchanges of a conversation in order; messages that belong to none are counted as left out."""
    table = _Table(ledger)
    for turn in turns:
        table.take(turn)
    table.close()
    return table.made


@dataclass(slots=True)
class _Table:
    """The exchange that is going on, and those that are over."""

    ledger: Ledger
    made: list[Exchange] = field(default_factory=list)
    questions: list[Turn] = field(default_factory=list)
    answers: list[Turn] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)

    def take(self, turn: Turn) -> None:
        """Put one message where it belongs."""
        if turn.role == "system":
            self.ledger.count("message of the system")
            return
        if not turn.role:
            self.ledger.count("message of an unknown role")
        elif turn.text is None:
            self.ledger.count("message without text")
        elif turn.role == "user":
            self._ask(turn)
        elif not self.questions:
            self.ledger.count("message that answers no question")
        elif turn.role == "tool":
            self.tools.append(turn.text)
        else:
            self.answers.append(turn)

    def _ask(self, turn: Turn) -> None:
        if not (turn.text or "").strip():
            self.ledger.count("message without text")
            return
        if self.answers:
            self.close()
        self.questions.append(turn)

    def close(self) -> None:
        """End the exchange that is going on."""
        if self.answers:
            self.made.append(Exchange(tuple(self.questions), tuple(self.answers), tuple(self.tools)))
        elif self.questions:
            self.ledger.count("question without an answer")
            if self.tools:
                self.ledger.count("message of a tool before no answer", number=len(self.tools))
        self.questions, self.answers, self.tools = [], [], []
