"""OpenAI: chat logs and fine-tuning files, one object with `messages` a line, also with the reply in `choices`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gate.datasets.base import Content, Format, Ledger, Row, keep, objects
from gate.datasets.openai_log import Log, leave, measured, request_of, taken_apart
from gate.datasets.turns import Exchange, Turn, exchanges, role_of


def matches(content: Content) -> bool:
    """Whether the first entry is a conversation, or a message of one."""
    rows = objects(content.value)
    return content.kind == "json" and bool(rows) and (bool(request_of(rows[0])) or _is_message(rows[0]))


def read(contents: Sequence[Content], ledger: Ledger) -> Iterator[Row]:
    """One row for each answer of each conversation."""
    for content in contents:
        entries = objects(content.value, ledger=ledger)
        if entries and _is_message(entries[0]):
            entries = [{"messages": entries}]
        for number, entry in enumerate(entries, 1):
            if request_of(entry):
                name = str(entry.get("custom_id") or entry.get("id") or number)
                yield from _conversation(taken_apart(entry, ledger), name, ledger)
            else:
                ledger.out("object without messages")


def _is_message(entry: Mapping[str, Any]) -> bool:
    return "content" in entry and bool(role_of(entry.get("role")))


def _conversation(log: Log, name: str, ledger: Ledger) -> Iterator[Row]:
    messages = objects(log.request["messages"], ledger=ledger)
    replied = isinstance(log.choice.get("message"), dict)
    turns = [_turn(message, ledger) for message in [*messages, *([log.choice["message"]] if replied else [])]]
    system = [turn for turn in turns if turn.role == "system" and turn.text]
    found = exchanges([turn for turn in turns if turn.role != "system" or not turn.text], ledger)
    whole = bool(found) and found[-1].answers[-1] is turns[-1]
    if whole and log.cut:
        ledger.out("answer that was cut off or withheld", log.cut)
        found.pop()
    row = measured(log) if found and not log.cut and (whole or not replied) else {}
    for number, exchange in enumerate(found, 1):
        made = _row(exchange, name, number) | (row if number == len(found) else {})
        if number == 1:
            keep(made, {"system": "\n".join(turn.text or "" for turn in system)}, ledger)
            keep(made, log.own, ledger)
        yield made
    if system and not found:
        ledger.out("message of the system", number=len(system))
    leave(log, row, bool(found), ledger)


def _row(exchange: Exchange, name: str, number: int) -> Row:
    """What tools said before the answer is what the assistant was given."""
    row: Row = {"question": exchange.question, "answer": exchange.answer}
    if exchange.tools:
        row["contexts"] = list(exchange.tools)
    return {**row, "conversation": name, "turn": number}


def _turn(message: Mapping[str, Any], ledger: Ledger) -> Turn:
    text = _text(message.get("content"), ledger)
    refusal = message.get("refusal")
    refused = text is None and isinstance(refusal, str)
    ledger.rest("field of a message", message, {"role", "content", *(("refusal",) if refused else ())})
    return Turn(role_of(message.get("role")), refusal if refused else text)


def _text(content: Any, ledger: Ledger) -> str | None:
    """A text, or the texts of a list of parts; pictures and sounds, and what else a part has, are counted as left
    out."""
    if isinstance(content, str):
        return content
    found = []
    for part in objects(content, ledger=ledger) if isinstance(content, list) else []:
        if isinstance(part.get("text"), str):
            found.append(part["text"])
            ledger.rest(
                "field of a part of a message", part, {"text", *(("type",) if part.get("type") == "text" else ())}
            )
        else:
            ledger.out("part of a message", str(part.get("type")))
    return "\n".join(found) if found else None


FORMAT = Format("one object a line with a list of `messages` (`role`, `content`)", matches, read)
