"""OpenAI: chat logs, fine-tuning files, the Responses API, and batches: a request, a reply or both on a line."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from gate.datasets.base import (
    Content,
    Format,
    Leftovers,
    NewRow,
    failed,
    fault_of,
    is_filled,
    keep,
    number_of,
    object_of,
    objects,
)
from gate.datasets.conversations import Turn, cut_by, exchanges, last_exchange, role_of
from gate.datasets.messages import is_message, turns_of

_REQUESTS = ("body", "request", "input")  # where wrapped logs keep what was sent
_FRAME = frozenset(("messages", "choices", "response", "usage", "model", "created", "created_at", "object", *_REQUESTS))
_MISSING = "the replies have none to this request"
_TOKENS = {
    "prompt_tokens": "input_tokens", "input_tokens": "input_tokens",
    "completion_tokens": "output_tokens", "output_tokens": "output_tokens",
}  # fmt: skip


def _matches(content: Content) -> bool:
    """Whether the first entry is a conversation, a message of one, or the reply to one in a batch."""
    rows = objects(content.value)
    if content.kind != "json" or not rows:
        return False
    return _place_of_messages(rows[0]) is not None or _is_message(rows[0]) or _is_reply(rows[0])


def _parse(contents: Sequence[Content], left: Leftovers) -> Iterator[NewRow]:
    """One row for each answer of each conversation. The replies of a batch are put to its requests, which may be in
    another file."""
    entries: list[dict[str, Any]] = []
    for content in contents:
        found = objects(content.value, left=left)
        entries += [{"messages": found}] if found and _is_message(found[0]) else found
    replies = {str(entry["custom_id"]): entry for entry in entries if _is_reply(entry)}
    batch = bool(replies)
    for number, entry in enumerate((entry for entry in entries if not _is_reply(entry)), 1):
        if _place_of_messages(entry) is None:
            left.count("object without messages")
            continue
        reply = replies.pop(str(entry.get("custom_id")), {"error": _MISSING} if batch and _is_request(entry) else {})
        name = str(entry.get("custom_id") or entry.get("id") or number)
        yield from _conversation(_parse_entry({**entry, **reply}, left), name, left)
    left.count("reply without its request (import the file of requests as well)", number=len(replies))


def _is_request(entry: Mapping[str, Any]) -> bool:
    """Whether it is a line of the input of a batch."""
    return "custom_id" in entry and "url" in entry


def _is_message(entry: Mapping[str, Any]) -> bool:
    return "content" in entry and bool(role_of(entry.get("role")))


def _is_reply(entry: Mapping[str, Any]) -> bool:
    """Whether it is a line of the output of a batch: it has no messages of its own."""
    answered = isinstance(entry.get("response"), dict) or isinstance(entry.get("error"), dict)
    return answered and is_filled(entry.get("custom_id")) and _place_of_messages(entry) is None


def _place_of_messages(entry: Mapping[str, Any]) -> str | None:
    """The name of the part that has the messages, empty for the entry itself; None where none has."""
    places = {"": entry, **{name: entry.get(name) for name in _REQUESTS}}
    return next((name for name, part in places.items() if _has_messages(object_of(part), _replied(entry))), None)


def _has_messages(part: Mapping[str, Any], replied: bool) -> bool:
    """Whether a part has `messages`, or the `input` of a request for a response."""
    asked = part.get("input")
    listed = isinstance(asked, list) and bool(asked) and all(isinstance(item, dict) and "type" in item or "role" in item
                                                             for item in asked)  # fmt: skip
    return isinstance(part.get("messages"), list) or listed or (isinstance(asked, str) and replied)


def _replied(entry: Mapping[str, Any]) -> bool:
    """Whether a text as `input` is the input of a response."""
    reply = object_of(entry.get("response"))
    places = (entry, reply, object_of(reply.get("body")))
    return any(part.get("object") == "response" for part in places) or str(entry.get("url")).endswith("/responses")


@dataclass(frozen=True, slots=True)
class _Log:
    """The parts of an entry, each without what was taken from it. `request` had the messages, `response` wraps `reply`,
    which had the answer (each of them may be the entry itself); `choice` is the first of its choices."""

    entry: dict[str, Any]
    request: dict[str, Any]
    response: dict[str, Any]
    reply: dict[str, Any]
    choice: dict[str, Any]
    usage: dict[str, Any]
    turns: tuple[Turn, ...]
    replied: bool

    @property
    def failure(self) -> str:
        """Why there is no last answer, or not a whole one; empty if there is, or if nobody has asked for one."""
        if cut := cut_by(self.choice.get("finish_reason", self.entry.get("finish_reason"))):
            return cut
        said = itertools.takewhile(lambda turn: turn.role != "user", reversed(self.turns))
        if any(turn.role == "assistant" and (turn.text is not None or turn.calls) for turn in said):
            return ""
        parts = (self.entry, self.response, object_of(self.response.get("body")), self.reply)
        silent = "the reply says nothing" if self.replied or self.response else ""
        status = number_of(self.response.get("status_code")) or 0
        return fault_of(*(part.get("error") for part in parts)) or (f"status {status}" if status >= 400 else silent)


def _parse_entry(written: Mapping[str, Any], left: Leftovers) -> _Log:
    """The parts of an entry with messages; further choices of a reply are counted as left out."""
    entry = dict(written)
    place = _place_of_messages(entry)
    request = dict(entry.pop(place)) if place else entry
    response = dict(entry.pop("response")) if isinstance(entry.get("response"), dict) else {}
    reply: dict[str, Any] = next((part for part in (entry, response) if _has_answer(part)), {})
    if not reply and _has_answer(object_of(response.get("body"))):
        reply = dict(response.pop("body"))
    choices = objects(reply.pop("choices", None), left=left)
    left.count("further choice of a reply", number=len(choices[1:]))
    choice = dict(choices[0]) if choices else {}
    replied = isinstance(choice.get("message"), dict)
    turns = _asked(request, left)
    if replied:
        turns += turns_of(choice.pop("message"), left)
    elif isinstance(reply.get("output"), list):
        replied = True
        turns += [turn for item in objects(reply.pop("output"), left=left) for turn in _item(item, left)]
        details = object_of(reply.get("incomplete_details")).get("reason")
        choice = {"finish_reason": {"max_output_tokens": "length"}.get(details, details)} if details else {}
    usage = dict(reply.pop("usage")) if isinstance(reply.get("usage"), dict) else {}
    return _Log(entry, request, response, reply, choice, usage, tuple(turns), replied)


def _has_answer(part: Mapping[str, Any]) -> bool:
    return bool(objects(part.get("choices"))) or (part.get("object") == "response" and "output" in part)


def _asked(request: dict[str, Any], left: Leftovers) -> list[Turn]:
    """Takes the messages from a request, those of the system first."""
    if isinstance(request.get("messages"), list):
        return [turn for message in objects(request.pop("messages"), left=left) for turn in turns_of(message, left)]
    instructions = request.pop("instructions", None)
    asked = request.pop("input")
    turns = [Turn("system", instructions)] if isinstance(instructions, str) and instructions else []
    if isinstance(asked, str):
        return [*turns, Turn("user", asked)]
    return [*turns, *(turn for item in objects(asked, left=left) for turn in _item(item, left))]


def _item(item: Mapping[str, Any], left: Leftovers) -> list[Turn]:
    """An item of a response; its thoughts, and what else is no message, are counted as left out."""
    if is_message(item):
        return turns_of({name: value for name, value in item.items() if name != "status"}, left)
    left.count("item of a response", str(item.get("type")))
    return []


def _conversation(log: _Log, name: str, left: Leftovers) -> Iterator[NewRow]:
    failure = log.failure
    if _is_request(log.entry):  # of a batch: it is one case, and what it repeats is no answer of the application
        last_one = last_exchange(log.turns, left, "always")
        found = [last_one] if last_one else []
    else:
        found = exchanges(log.turns, left, "always" if failure else "alone")
    last = [turn for turn in log.turns if turn.role == "assistant"][-1:]
    whole = bool(found) and found[-1].answers[-1:] == tuple(last) and log.turns[-1].role != "user"
    measured = _take_measurements(log) if found and (whole or failure or not log.replied) else {}
    for number, exchange in enumerate(found, 1):
        row = exchange.numbered(name, number)
        if number == len(found):
            row = (failed(row, failure) if failure else row) | measured
            log.entry.pop("error" if log.entry.get("error") == failure else "", None)
        if number == 1:
            own = {name: log.entry.pop(name) for name in list(log.entry) if name not in _FRAME}
            keep(row, own, left)
        yield row
    left.count("message of the system", number=0 if found else sum(turn.role == "system" for turn in log.turns))
    parts = {"entry": log.entry, "request": log.request, "reply": log.reply, "response": log.response}
    distinct = {id(part): (name, part) for name, part in reversed(parts.items())}
    for part, fields in distinct.values():
        left.count_fields(f"field of {'an' if part == 'entry' else 'a'} {part}", fields)
    left.count_fields("field of a choice", log.choice)
    left.count_fields("field of the usage", log.usage)


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
    name = "created" if "created" in log.reply else "created_at"
    created = number_of(log.reply.get(name))
    if created is not None and created < 1e11:
        row["created_at"] = datetime.fromtimestamp(created, UTC).isoformat()
        del log.reply[name]
    if isinstance(log.choice.get("finish_reason"), str):
        row["finish_reason"] = log.choice.pop("finish_reason")
    return row


FORMAT = Format(
    "one object a line with a list of `messages` (`role`, `content`), or a request for a response and its reply",
    _matches,
    _parse,
)
