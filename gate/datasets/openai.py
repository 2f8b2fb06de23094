"""OpenAI: chat logs and fine-tuning files, one object with `messages` a line, also with the reply in `choices`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from gate.datasets.base import Content, Format, Ledger, Row, keep, objects
from gate.datasets.columns import number_of
from gate.datasets.turns import Exchange, Turn, exchanges, role_of

_REQUESTS = ("body", "request", "input")  # where wrapped logs keep what was sent
_FRAME = frozenset(("messages", "choices", "response", "usage", "model", "created", "object", *_REQUESTS))


def matches(content: Content) -> bool:
    """Whether the first entry is a conversation, or a message of one."""
    rows = objects(content.value)
    return content.kind == "json" and bool(rows) and (bool(_request(rows[0])) or _is_message(rows[0]))


def read(contents: Sequence[Content], ledger: Ledger) -> Iterator[Row]:
    """One row for each answer of each conversation."""
    for content in contents:
        entries = objects(content.value, ledger=ledger)
        if entries and _is_message(entries[0]):
            entries = [{"messages": entries}]
        for number, entry in enumerate(entries, 1):
            if _request(entry):
                yield from _conversation(entry, str(entry.get("custom_id") or entry.get("id") or number), ledger)
            else:
                ledger.out("object without messages")


def _is_message(entry: Mapping[str, Any]) -> bool:
    return "content" in entry and bool(role_of(entry.get("role")))


def _request(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The part that has the messages; empty where none has."""
    places = (entry, *(entry.get(name) for name in _REQUESTS))
    return next((dict(p) for p in places if isinstance(p, dict) and isinstance(p.get("messages"), list)), {})


def _reply(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The part that has the choices; empty where none has."""
    response = entry.get("response")
    response = response if isinstance(response, dict) else {}
    places = (entry, response, response.get("body"))
    return next((dict(p) for p in places if isinstance(p, dict) and objects(p.get("choices"))), {})


def _conversation(entry: Mapping[str, Any], name: str, ledger: Ledger) -> Iterator[Row]:
    request, reply = _request(entry), _reply(entry)
    messages = objects(request["messages"], ledger=ledger)
    choices = objects(reply.get("choices"))
    messages += [choice["message"] for choice in choices[:1] if isinstance(choice.get("message"), dict)]
    if len(choices) > 1:
        ledger.out("further choice of a reply", number=len(choices) - 1)
    turns = [_turn(message, ledger) for message in messages]
    system = "\n".join(turn.text for turn in turns if turn.role == "system" and turn.text)
    found = exchanges(turns, ledger)
    for number, exchange in enumerate(found, 1):
        row = _row(exchange, name, number)
        if number == 1:
            keep(row, {"system": system, **{k: v for k, v in entry.items() if k not in _FRAME}}, ledger)
        if number == len(found):
            row |= _measured(request, reply)
        yield row
    for key in sorted(set(request) - _FRAME - set(entry)):
        ledger.out("field of a request", key)


def _row(exchange: Exchange, name: str, number: int) -> Row:
    """What tools said before the answer is what the assistant was given."""
    row: Row = {"question": exchange.question, "answer": exchange.answer}
    if exchange.tools:
        row["contexts"] = list(exchange.tools)
    return {**row, "conversation": name, "turn": number}


def _turn(message: Mapping[str, Any], ledger: Ledger) -> Turn:
    for name in sorted(set(message) - {"role", "content", "refusal"}):
        if message[name] not in (None, [], {}):
            ledger.out("field of a message", name)
    text = _text(message.get("content"), ledger)
    refusal = message.get("refusal")
    return Turn(role_of(message.get("role")), refusal if text is None and isinstance(refusal, str) else text)


def _text(content: Any, ledger: Ledger) -> str | None:
    """A text, or the texts of a list of parts; pictures and sounds are counted as left out."""
    if isinstance(content, str):
        return content
    found = []
    for part in objects(content) if isinstance(content, list) else []:
        if isinstance(part.get("text"), str):
            found.append(part["text"])
        else:
            ledger.out("part of a message", str(part.get("type")))
    return "\n".join(found) if found else None


def _measured(request: Mapping[str, Any], reply: Mapping[str, Any]) -> Row:
    """Model, tokens and time, as far as the log has them."""
    row: Row = {}
    model = reply.get("model") or request.get("model")
    if isinstance(model, str):
        row["model"] = model
    usage = reply.get("usage")
    for name, place in (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens")):
        tokens = number_of(usage.get(name)) if isinstance(usage, dict) else None
        if tokens is not None:
            row[place] = tokens
    created = number_of(reply.get("created"))
    if created is not None and created < 1e11:
        row["created_at"] = datetime.fromtimestamp(created, UTC).isoformat()
    return row


FORMAT = Format("one object a line with a list of `messages` (`role`, `content`)", matches, read)
