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
    return content.kind == "json" and bool(rows) and (bool(_request_of(rows[0])) or _is_message(rows[0]))


def _parse(contents: Sequence[Content], left: Leftovers) -> Iterator[NewRow]:
    """One row for each answer of each conversation."""
    for content in contents:
        entries = objects(content.value, left=left)
        if entries and _is_message(entries[0]):
            entries = [{"messages": entries}]
        for number, entry in enumerate(entries, 1):
            if _request_of(entry):
                name = str(entry.get("custom_id") or entry.get("id") or number)
                yield from _conversation(_parse_entry(entry, left), name, left)
            else:
                left.count("object without messages")


def _is_message(entry: Mapping[str, Any]) -> bool:
    return "content" in entry and bool(role_of(entry.get("role")))


def _conversation(log: _Log, name: str, left: Leftovers) -> Iterator[NewRow]:
    messages = objects(log.request["messages"], left=left)
    replied = isinstance(log.choice.get("message"), dict)
    turns = [_turn(message, left) for message in [*messages, *([log.choice["message"]] if replied else [])]]
    system = [turn for turn in turns if turn.role == "system" and turn.text]
    found = exchanges([turn for turn in turns if turn.role != "system" or not turn.text], left)
    whole = bool(found) and found[-1].answers[-1] is turns[-1]
    if whole and log.cut:
        left.count("answer that was cut off or withheld", log.cut)
        found.pop()
    row = _measurements(log) if found and not log.cut and (whole or not replied) else {}
    for number, exchange in enumerate(found, 1):
        made = exchange.numbered(name, number) | (row if number == len(found) else {})
        if number == 1:
            keep(made, {"system": "\n".join(turn.text or "" for turn in system)}, left)
            keep(made, log.own, left)
        yield made
    if not found:
        left.count("message of the system", number=len(system))
    _count_rest(log, row, bool(found), left)


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


@dataclass(frozen=True, slots=True)
class _Log:
    """The parts of an entry, each the object that stands in it (the entry itself, where nothing is wrapped) or empty.

    `request` has the messages, `response` wraps `reply`, which has the choices; `choice` is the first of them.
    """

    entry: Mapping[str, Any]
    request: Mapping[str, Any]
    response: Mapping[str, Any]
    reply: Mapping[str, Any]
    choice: Mapping[str, Any]

    @property
    def own(self) -> dict[str, Any]:
        """What the entry says besides request and reply: fields that a row can keep."""
        return {name: value for name, value in self.entry.items() if name not in _FRAME}

    @property
    def cut(self) -> str:
        """Why the last answer is not a whole one; empty if it is."""
        reason = self.choice.get("finish_reason", self.entry.get("finish_reason"))
        return reason if isinstance(reason, str) and reason in _CUT else ""


def _request_of(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part that has the messages; empty where none has."""
    places = (entry, *(entry.get(name) for name in _REQUESTS))
    return next((place for place in places if isinstance(place, dict) and isinstance(place.get("messages"), list)), {})


def _parse_entry(entry: Mapping[str, Any], left: Leftovers) -> _Log:
    """The parts of an entry with messages; further choices of a reply are counted as left out."""
    response = _object(entry.get("response"))
    places = (entry, response, _object(response.get("body")))
    reply = next((place for place in places if objects(place.get("choices"))), {})
    choices = objects(reply.get("choices"), left=left)
    left.count("further choice of a reply", number=len(choices[1:]))
    wrapper = {} if reply is response else response
    return _Log(entry, _request_of(entry), wrapper, reply, choices[0] if choices else {})


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _measurements(log: _Log) -> NewRow:
    """Model, tokens, time and the reason why the reply ended, as far as the log has them."""
    row: NewRow = {}
    model = log.reply.get("model") or log.request.get("model")
    if isinstance(model, str):
        row["model"] = model
    usage = _object(log.reply.get("usage"))
    for name, place in _TOKENS.items():
        tokens = number_of(usage.get(name))
        if tokens is not None:
            row[place] = tokens
    created = number_of(log.reply.get("created"))
    if created is not None and created < 1e11:
        row["created_at"] = datetime.fromtimestamp(created, UTC).isoformat()
    reason = log.choice.get("finish_reason")
    return {**row, "finish_reason": reason} if isinstance(reason, str) else row


def _count_rest(log: _Log, row: NewRow, kept: bool, left: Leftovers) -> None:
    """Count what is in no row. `row` has what was measured (empty: no row has it), `kept` tells whether one has the
    fields of the entry's own."""
    usage = _object(log.reply.get("usage"))
    used = {
        "request": {"messages"},
        "response": set[str](),
        "reply": {"choices", *(("created",) if "created_at" in row else ()), *(("usage",) if usage else ())},
    }
    at_entry = set(log.own) if kept else set()
    for name, fields in (("request", log.request), ("response", log.response), ("reply", log.reply)):
        if fields is log.entry:
            at_entry |= used[name]
        else:
            left.count_fields(f"field of a {name}", fields, used[name] | _told(fields, log, row))
    left.count_fields("field of an entry", log.entry, at_entry | _told(log.entry, log, row))
    message = ("message",) if isinstance(log.choice.get("message"), dict) else ()
    left.count_fields(
        "field of a choice", log.choice, {*message, *(("finish_reason",) if "finish_reason" in row else ())}
    )
    left.count_fields("field of the usage", usage, {name for name, place in _TOKENS.items() if place in row})


def _told(fields: Mapping[str, Any], log: _Log, row: NewRow) -> set[str]:
    """The names of what is told elsewhere: the parts of the log, and the model of the row."""
    parts = [part for part in (log.request, log.response, log.reply) if part]
    inside = {name for name, value in fields.items() if any(value is part for part in parts)}
    same = "model" in fields and fields["model"] == row.get("model")
    return inside | {"model"} if same else inside


FORMAT = Format("one object a line with a list of `messages` (`role`, `content`)", _matches, _parse)
