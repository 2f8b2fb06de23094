"""Turns of a conversation, and its exchanges: a question, its answer and what was said before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from gate.datasets.base import Leftovers, NewRow

MAX_BEFORE = 100  # messages of the conversation that a row repeats, the latest ones; those of the system come on top
# A run takes an answer that ended so for no answer.
_CUT = frozenset(("length", "max_tokens", "max_output_tokens", "model_length", "content_filter", "safety"))
Unanswered = Literal["never", "alone", "always"]
Passage = tuple[str, dict[str, Any]]  # a context, and what is known of it besides its text
_ROLES = {
    "user": ("user", "human", "customer", "visitor"),
    "assistant": ("assistant", "ai/chatbot", "ai", "chatbot", "bot", "model"),
    "system": ("system", "developer"),
    "tool": ("tool", "function"),
}
ROLES = {name: role for role, names in _ROLES.items() for name in names}
_LEFT = {  # why a message is in no exchange
    "user": "question without an answer",
    "assistant": "message that answers no question",
    "system": "message of the system",
    "tool": "message of a tool before no answer",
}


@dataclass(frozen=True, slots=True)
class Turn:
    """One message: `role` as in ROLES (empty: unknown), `text` None where it says nothing, the calls of tools that it
    makes (`name`, `arguments`, perhaps `id`); of a tool's message the call that it answers, and the tool. `details` is
    what else a tool says of a document, `fields` what a format adds."""

    role: str
    text: str | None
    fields: dict[str, Any] = field(default_factory=dict)
    calls: tuple[dict[str, Any], ...] = ()
    tool: dict[str, str] = field(default_factory=dict)
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def message(self) -> dict[str, Any]:
        """The turn in the form of `messages`."""
        calls = {"tool_calls": list(self.calls)} if self.calls else {}
        return {"role": self.role, "content": self.text or "", **calls, **self.tool}


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer; either may be several messages. `before` is the conversation up to the question,
    `tools` what tools said after it. Without answers it is a question that nobody answered."""

    before: tuple[Turn, ...]
    questions: tuple[Turn, ...]
    answers: tuple[Turn, ...]
    tools: tuple[Turn, ...] = ()
    forgotten: int = 0  # messages that are missing in `before`

    @property
    def row(self) -> NewRow:
        """Question and answer, all messages of each one below the other, and the calls of tools; with a conversation
        before, `messages` has it and the question."""
        row: NewRow = {"question": _joined(self.questions)}
        if self.answers:
            row["answer"] = _joined(self.answers)
        if self.before:
            question = {"role": "user", "content": row["question"]}
            row["messages"] = [*(turn.message for turn in self.before), question]
        if calls := [call for turn in self.answers for call in turn.calls]:
            row["tool_calls"] = calls
        return row

    def numbered(self, conversation: str, turn: int, contexts: Iterable[str] = ()) -> NewRow:
        """The row with its place. What tools said before the answer is what the assistant was given."""
        row = with_contexts(self.row, [*((text, {}) for text in contexts), *passages(self.tools)])
        return {**row, "conversation": conversation, "turn": turn}


def _joined(turns: Sequence[Turn]) -> str:
    return "\n".join(turn.text for turn in turns if turn.text)


def passages(turns: Iterable[Turn]) -> list[Passage]:
    """What tools said, as contexts."""
    return [(turn.text, {**turn.tool, **turn.details}) for turn in turns if turn.text and turn.text.strip()]


def with_contexts(row: NewRow, found: Iterable[Passage]) -> NewRow:
    """The row with these contexts; `context_details` where more than their text is known. A text that is there twice
    stays once, unless different things are known of it."""
    known: list[Passage] = []
    last: dict[str, dict[str, Any]] = {}
    for text, details in found:
        twin = last.get(text)
        if twin is None or any(twin.get(name, value) != value for name, value in details.items()):
            last[text] = twin = {}
            known.append((text, twin))
        twin.update(details)
    if not known:
        return row
    more = {"context_details": [details for _, details in known]} if any(details for _, details in known) else {}
    return {**row, "contexts": [text for text, _ in known], **more}


def cut_by(reason: Any) -> str:
    """What to say of an answer that ended for this reason, where it is not a whole one; else empty."""
    known = isinstance(reason, str) and reason.lower().replace("-", "_") in _CUT
    return f"the answer was cut off or withheld: {reason}" if known else ""


def role_of(value: Any) -> str:
    """`user`, `assistant`, `system`, `tool`; empty for a role that nobody knows."""
    return ROLES.get(value.strip().lower(), "") if isinstance(value, str) else ""


def exchanges(turns: Iterable[Turn], left: Leftovers, unanswered: Unanswered = "never") -> list[Exchange]:
    """The exchanges of a conversation in order; messages that belong to none are counted as left out. The
    last question without an answer is an exchange never, `always`, or `alone`: in a conversation without any."""
    good: list[Turn] = []
    starts: list[int] = []
    answered = True
    for turn in turns:
        if fault := _fault(turn):
            left.count(fault)
            continue
        if turn.role == "user" and answered:
            starts.append(len(good))
        answered = turn.role == "assistant" or (answered and turn.role != "user")
        good.append(turn)
    ends = [*starts[1:], len(good)]
    found = [_exchange(good, start, end) for start, end in zip(starts, ends, strict=False)]
    rest = [] if found else good
    alone = unanswered == "alone" and len(found) == 1
    if found and not found[-1].answers and not alone and unanswered != "always":
        found.pop()
        rest = good[starts[-1] if found else 0 :]
    for turn in rest:
        left.count(_LEFT[turn.role])
    return found


def loose(found: Iterable[Exchange]) -> list[Turn]:
    """The messages that stand only before the question of some exchange, as a greeting, in their order."""
    several = list(found)
    placed = {id(turn) for one in several for turn in (*one.questions, *one.answers, *one.tools)}
    return list({id(turn): turn for one in several for turn in one.before if id(turn) not in placed}.values())


def _fault(turn: Turn) -> str:
    """Why a message belongs to no exchange; empty if it may."""
    if not turn.role:
        return "message of an unknown role"
    silent = (turn.text is None and not turn.calls) or (turn.role == "user" and not (turn.text or "").strip())
    return "message without text" if silent else ""


def _exchange(turns: Sequence[Turn], start: int, end: int) -> Exchange:
    """The exchange of `turns[start:end]`. What the system says in between is said before: no row could show it else."""
    group = turns[start:end]
    questions, answers, tools, system = (
        tuple(turn for turn in group if turn.role == role) for role in ("user", "assistant", "tool", "system")
    )
    first = max(0, start - MAX_BEFORE)
    orders = [turn for turn in turns[:first] if turn.role == "system"][-MAX_BEFORE:]
    forgotten = max(0, first - len(orders))
    return Exchange((*orders, *turns[first:start], *system), questions, answers, tools, forgotten)


def last_exchange(turns: Iterable[Turn], left: Leftovers, unanswered: Unanswered = "never") -> Exchange | None:
    """The last exchange of a conversation whose others are no cases of their own; None where there is none."""
    found = exchanges(turns, left, unanswered)
    left.count(f"message before the last {MAX_BEFORE}", number=found[-1].forgotten if found else 0)
    return found[-1] if found else None
