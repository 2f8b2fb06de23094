"""BeyondChats: a conversation (`conversation_turns`) and the contexts (`data.vector_data`) of its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath
from typing import Any

from gate.datasets.base import Content, Format, Ledger, Row, keep, objects
from gate.datasets.contexts import Given, given, place
from gate.datasets.turns import Exchange, Turn, exchanges, role_of

_LONGEST_WAIT = 3600.0  # seconds between a question and its answer: beyond, nobody was waiting


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation: its name (empty: it has none), its exchanges, and what need not be said of them."""

    path: str
    name: str
    exchanges: tuple[Exchange, ...]
    used: frozenset[str]  # fields of its turns that are told by the order of the rows


def matches(content: Content) -> bool:
    """Whether the file holds a conversation or contexts."""
    return content.kind == "json" and any(_turns(entry) or _data(entry) for entry in objects(content.value))


def read(contents: Sequence[Content], ledger: Ledger) -> Iterator[Row]:
    """One row for each answer, in the order of the conversations. Errors: InputFileError where it cannot be told which
    conversation some contexts belong to."""
    conversations: list[Conversation] = []
    contexts: list[Given] = []
    for content in contents:
        for entry in objects(content.value, ledger=ledger):
            if _turns(entry):
                conversations.append(_conversation(content, entry, ledger))
            elif _data(entry):
                contexts.append(given(content, entry["data"], ledger))
                ledger.rest("field of a context file", entry, {"data"})
            else:
                ledger.out("object that is neither a conversation nor contexts")
    if not conversations:
        raise contents[0].fault("has contexts but no conversation", "name the file with `conversation_turns` as well")
    placed = place(contexts, [conversation.exchanges for conversation in conversations], ledger)
    for number, conversation in enumerate(conversations):
        for turn, exchange in enumerate(conversation.exchanges):
            yield _row(conversation, exchange, placed.get((number, turn)), ledger)


def _turns(entry: Mapping[str, Any]) -> bool:
    return isinstance(entry.get("conversation_turns"), list)


def _data(entry: Mapping[str, Any]) -> bool:
    data = entry.get("data")
    return isinstance(data, dict) and isinstance(data.get("vector_data"), list)


def _conversation(content: Content, entry: Mapping[str, Any], ledger: Ledger) -> Conversation:
    written = objects(entry["conversation_turns"], ledger=ledger)
    numbers = [turn.get("turn") for turn in written]
    numbered = all(type(number) is int for number in numbers) and len(set(numbers)) == len(numbers)
    if numbered:
        written.sort(key=lambda turn: int(turn["turn"]))
    turns = [Turn(role_of(turn.get("role")), _text(turn), turn) for turn in written]
    found = tuple(exchanges(turns, ledger))
    chat = entry.get("chat_id")
    name = str(chat) if isinstance(chat, int | str) else ""
    ledger.rest("field of a conversation", entry, {"conversation_turns", *(("chat_id",) if name and found else ())})
    return Conversation(content.path, name, found, frozenset(("role", "message", *(("turn",) if numbered else ()))))


def _text(turn: Mapping[str, Any]) -> str | None:
    message = turn.get("message")
    return message if isinstance(message, str) else None


def _row(conversation: Conversation, exchange: Exchange, contexts: Given | None, ledger: Ledger) -> Row:
    last, first = exchange.questions[-1].fields, exchange.answers[0].fields
    row: Row = {"question": exchange.question, "answer": exchange.answer}
    if conversation.name and first.get("turn") is not None:
        row = {"id": f"{conversation.name}-{first['turn']}", **row}
    if contexts is not None and contexts.texts:
        row |= {"contexts": list(contexts.texts), "context_details": list(contexts.details)}
    wait = _wait(last, first)
    clock = {"created_at": first.get("created_at"), "latency_ms": wait}
    row |= {name: value for name, value in clock.items() if value is not None}
    row["conversation"] = conversation.name or PurePath(conversation.path).stem
    used = conversation.used
    for turn in exchange.questions[:-1]:
        ledger.rest("field of a question", turn.fields, used)
    ledger.rest("field of a question", last, used if wait is None else used | {"created_at"})
    for turn in exchange.answers[1:]:
        ledger.rest("field of an answer in several messages", turn.fields, used)
    if exchange.tools:
        ledger.out("message of a tool", number=len(exchange.tools))
    rest = {name: value for name, value in first.items() if name not in ("role", "message", "created_at")}
    return keep(row, rest, ledger)


def _wait(question: Mapping[str, Any], answer: Mapping[str, Any]) -> float | None:
    """Milliseconds from the question to the answer, by the clock of the conversation."""
    try:
        asked, said = (datetime.fromisoformat(turn["created_at"]) for turn in (question, answer))
        seconds = (said - asked).total_seconds()
    except (KeyError, TypeError, ValueError):
        return None
    return round(seconds * 1000, 3) if 0 <= seconds <= _LONGEST_WAIT else None


FORMAT = Format("an object with `conversation_turns`, and one with `data.vector_data` for its contexts", matches, read)
