"""OpenAI: chat logs and fine-tuning files, one object with `messages` a line, also with the reply in `choices`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from gate.datasets.base import (
    Content,
    Format,
    Leftovers,
    NewRow,
    Turn,
    exchanges,
    keep,
    number_of,
    objects,
    role_of,
)

_REQUESTS = ("body", "request", "input")  # where wrapped logs keep what was sent
_FRAME = frozenset(("messages", "choices", "response", "usage", "model", "created", "object", *_REQUESTS))
_TOKENS = {"prompt_tokens": "input_tokens", "completion_tokens": "output_tokens"}
_CUT = frozenset(("length", "content_filter"))  # a run takes neither for an answer


def _matches(content: Content) -> bool:
    """Whether the first entry is a conversation, or a message of one."""
    rows = objects(content.value)
    return content.kind == "json" and bool(rows) and (_place_of_messages(rows[0]) is not None or _is_message(rows[0]))


def _parse(contents: Sequence[Content], left: Leftovers) -> Iterator[NewRow]:
    """One row for each answer of each conversation."""
    for content in contents:
        entries = objects(content.value, left=left)
        if entries and _is_message(entries[0]):
            entries = [{"messages": entries}]
        for number, entry in enumerate(entries, 1):
            if _place_of_messages(entry) is not None:
                name = str(entry.get("custom_id") or entry.get("id") or number)
                yield from _conversation(_parse_entry(entry, left), name, left)
            else:
                left.count("object without messages")


def _is_message(entry: Mapping[str, Any]) -> bool:
    return "content" in entry and bool(role_of(entry.get("role")))


def _place_of_messages(entry: Mapping[str, Any]) -> str | None:
    """The name of the part that has the messages, empty for the entry itself; None where none has."""
    places = {"": entry, **{name: entry.get(name) for name in _REQUESTS}}
    return next((n for n, part in places.items() if isinstance(_object(part).get("messages"), list)), None)


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


@dataclass(frozen=True, slots=True)
class _Log:
    """The parts of an entry, each without what was taken from it. `request` had the messages, `response` wraps `reply`,
    which had the choices (each of them may be the entry itself); `choice` is the first of them."""

    entry: dict[str, Any]
    request: dict[str, Any]
    response: dict[str, Any]
    reply: dict[str, Any]
    choice: dict[str, Any]
    usage: dict[str, Any]
    turns: tuple[Turn, ...]
    replied: bool

    @property
    def cut(self) -> str:
        """Why the last answer is not a whole one; empty if it is."""
        reason = self.choice.get("finish_reason", self.entry.get("finish_reason"))
        return reason if isinstance(reason, str) and reason in _CUT else ""


def _parse_entry(written: Mapping[str, Any], left: Leftovers) -> _Log:
    """The parts of an entry with messages; further choices of a reply are counted as left out."""
    entry = dict(written)
    place = _place_of_messages(entry)
    request = dict(entry.pop(place)) if place else entry
    response = dict(entry.pop("response")) if isinstance(entry.get("response"), dict) else {}
    reply: dict[str, Any] = next((part for part in (entry, response) if objects(part.get("choices"))), {})
    if not reply and objects(_object(response.get("body")).get("choices")):
        reply = dict(response.pop("body"))
    choices = objects(reply.pop("choices", None), left=left)
    left.count("further choice of a reply", number=len(choices[1:]))
    choice = dict(choices[0]) if choices else {}
    messages = objects(request.pop("messages"), left=left)
    replied = isinstance(choice.get("message"), dict)
    turns = tuple(_turn(message, left) for message in [*messages, *([choice.pop("message")] if replied else [])])
    usage = dict(reply.pop("usage")) if isinstance(reply.get("usage"), dict) else {}
    return _Log(entry, request, response, reply, choice, usage, turns, replied)


def _conversation(log: _Log, name: str, left: Leftovers) -> Iterator[NewRow]:
    system = [turn.text for turn in log.turns if turn.role == "system" and turn.text]
    found = exchanges([turn for turn in log.turns if turn.role != "system" or not turn.text], left)
    whole = bool(found) and found[-1].answers[-1] is log.turns[-1]
    if whole and log.cut:
        left.count("answer that was cut off or withheld", log.cut)
        found.pop()
    measured = _take_measurements(log) if found and not log.cut and (whole or not log.replied) else {}
    for number, exchange in enumerate(found, 1):
        row = exchange.numbered(name, number) | (measured if number == len(found) else {})
        if number == 1:
            own = {name: log.entry.pop(name) for name in list(log.entry) if name not in _FRAME}
            keep(keep(row, {"system": "\n".join(system)}, left), own, left)
        yield row
    left.count("message of the system", number=0 if found else len(system))
    parts = {"entry": log.entry, "request": log.request, "reply": log.reply, "response": log.response}
    distinct = {id(part): (name, part) for name, part in reversed(parts.items())}
    for part, fields in distinct.values():
        left.count_fields(f"field of {'an' if part == 'entry' else 'a'} {part}", fields)
    left.count_fields("field of a choice", log.choice)
    left.count_fields("field of the usage", log.usage)


def _turn(message: Mapping[str, Any], left: Leftovers) -> Turn:
    text = _text(message.get("content"), left)
    refusal = message.get("refusal")
    refused = text is None and isinstance(refusal, str)
    left.count_fields("field of a message", message, {"role", "content", *(("refusal",) if refused else ())})
    return Turn(role_of(message.get("role")), refusal if refused else text)


def _text(content: Any, left: Leftovers) -> str | None:
    """A text, or the texts of a list of parts; pictures and sounds, and what else a part has, are counted as left
    out."""
    if isinstance(content, str):
        return content
    found = []
    for part in objects(content, left=left) if isinstance(content, list) else []:
        if isinstance(part.get("text"), str):
            found.append(part["text"])
            left.count_fields(
                "field of a part of a message", part, {"text", *(("type",) if part.get("type") == "text" else ())}
            )
        else:
            left.count("part of a message", str(part.get("type")))
    return "\n".join(found) if found else None


def _take_measurements(log: _Log) -> NewRow:
    """Model, tokens, time and the reason why the reply ended, as far as the log has them."""
    row: NewRow = {}
    model = log.reply.get("model") or log.request.get("model")
    if isinstance(model, str):
        row["model"] = model
    for part in (log.entry, log.request, log.response, log.reply):
        if "model" in part and part["model"] == row.get("model"):
            del part["model"]
    for name, place in _TOKENS.items():
        tokens = number_of(log.usage.get(name))
        if tokens is not None:
            row[place] = tokens
            del log.usage[name]
    created = number_of(log.reply.get("created"))
    if created is not None and created < 1e11:
        row["created_at"] = datetime.fromtimestamp(created, UTC).isoformat()
        del log.reply["created"]
    if isinstance(log.choice.get("finish_reason"), str):
        row["finish_reason"] = log.choice.pop("finish_reason")
    return row


FORMAT = Format("one object a line with a list of `messages` (`role`, `content`)", _matches, _parse)
