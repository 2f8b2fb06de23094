"""Conversations as questions and answers: who speaks is told by the role, messages in a row belong together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from gate.datasets.base import Ledger

_ROLES = {
    "user": ("user", "human", "customer", "visitor"),
    "assistant": ("assistant", "ai/chatbot", "ai", "chatbot", "bot", "model"),
    "system": ("system", "developer"),
    "tool": ("tool", "function"),
}
ROLES = {name: role for role, names in _ROLES.items() for name in names}


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
            self.ledger.out("message of the system")
            return
        if not turn.role:
            self.ledger.out("message of an unknown role")
        elif turn.text is None:
            self.ledger.out("message without text")
        elif turn.role == "user":
            self._ask(turn)
        elif not self.questions:
            self.ledger.out("message that answers no question")
        elif turn.role == "tool":
            self.tools.append(turn.text)
        else:
            self.answers.append(turn)

    def _ask(self, turn: Turn) -> None:
        if not (turn.text or "").strip():
            self.ledger.out("message without text")
            return
        if self.answers:
            self.close()
        self.questions.append(turn)

    def close(self) -> None:
        """End the exchange that is going on."""
        if self.answers:
            self.made.append(Exchange(tuple(self.questions), tuple(self.answers), tuple(self.tools)))
        elif self.questions:
            self.ledger.out("question without an answer")
            if self.tools:
                self.ledger.out("message of a tool before no answer", number=len(self.tools))
        self.questions, self.answers, self.tools = [], [], []
