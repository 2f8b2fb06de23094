"""An entry of an OpenAI log, taken apart: what was sent, what came back, and what of it no row has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from gate.datasets.base import Ledger, Row, objects
from gate.datasets.columns import number_of

_REQUESTS = ("body", "request", "input")  # where wrapped logs keep what was sent
_FRAME = frozenset(("messages", "choices", "response", "usage", "model", "created", "object", *_REQUESTS))
_TOKENS = {"prompt_tokens": "input_tokens", "completion_tokens": "output_tokens"}
_CUT = frozenset(("length", "content_filter"))  # a run takes neither for an answer


@dataclass(frozen=True, slots=True)
class Log:
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


def request_of(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part that has the messages; empty where none has."""
    places = (entry, *(entry.get(name) for name in _REQUESTS))
    return next((place for place in places if isinstance(place, dict) and isinstance(place.get("messages"), list)), {})


def taken_apart(entry: Mapping[str, Any], ledger: Ledger) -> Log:
    """The parts of an entry with messages; further choices of a reply are counted as left out."""
    response = _object(entry.get("response"))
    places = (entry, response, _object(response.get("body")))
    reply = next((place for place in places if objects(place.get("choices"))), {})
    choices = objects(reply.get("choices"), ledger=ledger)
    if len(choices) > 1:
        ledger.out("further choice of a reply", number=len(choices) - 1)
    wrapper = {} if reply is response else response
    return Log(entry, request_of(entry), wrapper, reply, choices[0] if choices else {})


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def measured(log: Log) -> Row:
    """Model, tokens, time and the reason why the reply ended, as far as the log has them."""
    row: Row = {}
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


def leave(log: Log, row: Row, kept: bool, ledger: Ledger) -> None:
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
            ledger.rest(f"field of a {name}", fields, used[name] | _told(fields, log, row))
    ledger.rest("field of an entry", log.entry, at_entry | _told(log.entry, log, row))
    message = ("message",) if isinstance(log.choice.get("message"), dict) else ()
    ledger.rest("field of a choice", log.choice, {*message, *(("finish_reason",) if "finish_reason" in row else ())})
    ledger.rest("field of the usage", usage, {name for name, place in _TOKENS.items() if place in row})


def _told(fields: Mapping[str, Any], log: Log, row: Row) -> set[str]:
    """The names of what is told elsewhere: the parts of the log, and the model of the row."""
    parts = [part for part in (log.request, log.response, log.reply) if part]
    inside = {name for name, value in fields.items() if any(value is part for part in parts)}
    same = "model" in fields and fields["model"] == row.get("model")
    return inside | {"model"} if same else inside
