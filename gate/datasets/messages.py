"""Messages as any tool writes them, as turns: texts, calls of tools, their results, and documents."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gate.datasets.base import ALIASES, Leftovers, decoded, is_filled, object_of, objects, text_of
from gate.datasets.conversations import Passage, Turn, role_of

_CONTENTS = ("content", "parts", "contents")
_CALL_LISTS = ("tool_calls", "tools_called", "function_call")
_CALLS = frozenset(("tool_call", "tool_use", "function_call", "tool-call", "custom_tool_call"))
_RESULTS = frozenset(
    ("tool_result", "tool_call_response", "function_call_output", "tool-result", "custom_tool_call_output")
)
_CALL_IDS = ("call_id", "tool_call_id", "toolCallId", "tool_use_id", "id")
_TOOL_NAMES = ("name", "tool_name", "toolName")
_ARGUMENTS = ("arguments", "args", "input", "input_parameters", "inputParameters", "parameters")
_OUTPUTS = ("output", "result", "response", "tool_result", "results", "content")
# Where a value that is no message has its messages, or the one text that it is.
MESSAGES = ("messages", "message", "choices", "generations", "chat_history")
_INSIDE = (*MESSAGES[:4], "text", "content", "value", "result", "output_text")
_WRAPPERS = ("inputs", "input", "kwargs", "args", "outputs", "output", "response", "data")


def turns_in(value: Any, role: str, left: Leftovers) -> list[Turn]:
    """The messages that some input (`role`: user) or output (assistant) of a step holds: a text, a message, a list of
    them, JSON of these, or an object that has them under a usual name. Empty where there are none."""
    value = decoded(value)
    if isinstance(value, str):
        return [Turn(role, value)] if value.strip() else []
    if isinstance(value, list):
        if value and all(isinstance(part, str) for part in value):
            return [Turn(role, "\n".join(value))]
        parts = [part for part in value if isinstance(part, dict | list)]
        left.count("entry that is no object", number=len(value) - len(parts))
        return [turn for part in parts for turn in turns_in(part, role, left)]
    if not isinstance(value, dict):
        return []
    if is_message(value):
        return turns_of(value, left, role)
    history = _before(value, left) if role == "user" else []
    names = ALIASES["question" if role == "user" else "answer"]
    for name in (*_INSIDE, *names, *_WRAPPERS):
        if is_filled(value.get(name)) and (found := turns_in(value[name], role, left)):
            return [*history, *found]
    only = [text for text in value.values() if isinstance(text, str) and text.strip()]
    return [Turn(role, only[0])] if role == "user" and len(value) == len(only) == 1 else []


def _before(value: Mapping[str, Any], left: Leftovers) -> list[Turn]:
    """What an input says besides the question: the orders of the system and the conversation before."""
    return [*turns_in(value.get("system"), "system", left), *turns_in(value.get("chat_history"), "user", left)]


def answer_in(value: Any, left: Leftovers) -> list[Turn]:
    """The messages of some output; one that has none, as a structured one, is an answer as it is."""
    found = turns_in(value, "assistant", left)
    return found or ([Turn("assistant", _result(value))] if is_filled(value) else [])


def is_message(value: Mapping[str, Any]) -> bool:
    """Whether an object is one message: of a role, or a call of a tool or its result."""
    inner = _unwrapped(value)
    if not any(name in inner for name in (*_CONTENTS, *_CALL_LISTS)):
        return _is_item(inner)
    return isinstance(inner.get("role"), str) or bool(role_of(inner.get("type"))) or _is_item(inner)


def _is_item(value: Mapping[str, Any]) -> bool:
    """Whether it is a part of a message that stands alone, as in the Responses API."""
    kind = value.get("type")
    return isinstance(kind, str) and "role" not in value and (kind in _CALLS | _RESULTS or kind.endswith("_call"))


def _unwrapped(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """The message inside of what LangChain and OpenInference wrap it in."""
    if isinstance(value.get("kwargs"), dict) and isinstance(value.get("id"), list):
        kind = str(value["id"][-1] if value["id"] else "").removesuffix("Chunk").removesuffix("Message").lower()
        return {"type": kind, **value["kwargs"]}
    if isinstance(value.get("data"), dict) and role_of(value.get("type")):
        return {**value["data"], "type": value["type"]}
    inner = value.get("message")
    return inner if isinstance(inner, dict) and set(value) <= {"message", "index", "finish_reason"} else value


def turns_of(message: Mapping[str, Any], left: Leftovers, role: str = "") -> list[Turn]:
    """A message as a turn, after the results of tools that it brings; before those of tools that it calls. `role`
    counts where the message has none. What else a message has is counted as left out."""
    fields = dict(_unwrapped(message))
    if _is_item(fields):
        fields = {"role": "assistant", "content": [fields]}
    known = role_of(fields.get("type"))
    own = role_of(fields["role"]) if fields.get("role") else known or role
    if known == own or fields.get("type") == "message":
        fields.pop("type", None)
    fields.pop("role", None)
    spoken = _Spoken([], [], [], left)
    spoken.take(fields, own)
    tool = _tool(fields) if own == "tool" else {}
    end = {"finish_reason": fields.pop("finish_reason")} if isinstance(fields.get("finish_reason"), str) else {}
    left.count_fields("field of a message", fields)
    text = "\n".join(spoken.texts) if spoken.texts else None
    results = [replace(turn, tool={**tool, **turn.tool}) for turn in spoken.results]
    if text is None and not spoken.calls and results:
        return results
    turn = Turn(own, text, end, tuple(spoken.calls), tool)
    return [turn, *results] if own == "assistant" else [*results, turn]


@dataclass(frozen=True, slots=True)
class _Spoken:
    """The parts of one message, as they are found."""

    texts: list[str]
    calls: list[dict[str, Any]]
    results: list[Turn]
    left: Leftovers

    def take(self, fields: dict[str, Any], role: str) -> None:
        """Takes the content and the calls from the fields of a message; only the assistant calls tools."""
        for name in _CONTENTS:
            self.add(fields.pop(name, None))
        for name in _CALL_LISTS if role == "assistant" else ():
            calls = decoded(fields.get(name))
            if all(_is_call(call) for call in objects(calls)):
                fields.pop(name, None)
                for call in objects(calls, left=self.left):
                    self.call(call)
        if role != "assistant":
            self.left.count("call of a tool by another than the assistant", number=len(self.calls))
            self.calls.clear()
        if not self.texts and isinstance(fields.get("refusal"), str):
            self.texts.append(fields.pop("refusal"))

    def add(self, content: Any) -> None:
        """A text, or a list of parts; pictures, sounds and thoughts are counted as left out."""
        if isinstance(content, str):
            self.texts.append(content)
        elif isinstance(content, dict):
            self.part(content)
        elif isinstance(content, list):
            for part in content:
                if isinstance(part, str | dict):
                    self.add(part)
                else:
                    self.left.count("entry that is no object")

    def part(self, written: Mapping[str, Any]) -> None:
        """A part: a text, a call of a tool or its result."""
        inner = written.get("message_content")
        part = dict(inner) if isinstance(inner, dict) else dict(written)
        kind = str(part.get("type"))
        if kind in _CALLS:
            self.call(part)
        elif kind in _RESULTS:
            del part["type"]
            tool = _tool(part)
            self.result(_take(part, _OUTPUTS), tool)
            self.left.count_fields("field of a result of a tool", part)
        elif kind.endswith("_call"):  # of a tool that the service runs itself
            output = _take(part, _OUTPUTS)
            rest = {name: value for name, value in part.items() if name not in ("id", "type", "status")}
            self.call({"id": part.get("id"), "name": kind[:-5], "arguments": rest, "output": output})
        elif isinstance(text := part.get("text", part.get("content")), str) and kind not in ("reasoning", "thinking"):
            self.texts.append(text)
            used = "text" if "text" in part else "content"
            self.left.count_fields(
                "field of a part of a message", part, {used, *(("type",) if kind.endswith("text") else ())}
            )
        else:
            self.left.count("part of a message", kind)

    def call(self, written: Mapping[str, Any]) -> None:
        """A call of a tool; with its result, if it stands there."""
        call, output = call_of(written, self.left)
        self.calls.append(call)
        if is_filled(output):
            tool = {"tool_call_id": call.get("id"), "name": call["name"]}
            self.result(output, {name: value for name, value in tool.items() if value})

    def result(self, output: Any, tool: dict[str, str]) -> None:
        """What a tool said: a text, or each of the documents that it found."""
        several = list(documents_in(output)) if isinstance(output, list) else []
        whole = len(several) != len(output) or not any(details for _, details in several) if several else True
        for text, details in [(_result(output), {})] if whole else several:
            self.results.append(Turn("tool", text, tool=tool, details=details))


def _is_call(written: Mapping[str, Any]) -> bool:
    """Whether an object names a tool."""
    call = object_of(written.get("tool_call")) or written
    return any(
        is_filled(place.get(name)) for place in (call, object_of(call.get("function"))) for name in _TOOL_NAMES
    ) or (isinstance(call.get("function"), str))


def call_of(written: Mapping[str, Any], left: Leftovers) -> tuple[dict[str, Any], Any]:
    """(a call of a tool as `name`, `arguments` and `id`, if it has one; the result that stands with it, if any)."""
    inner = written.get("tool_call")
    fields = dict(inner) if isinstance(inner, dict) else dict(written)
    function = fields.pop("function", None)
    fields |= function if isinstance(function, dict) else {"name": function} if isinstance(function, str) else {}
    fields.pop("type", None)
    own = _take_text(fields, _CALL_IDS)
    call = {
        **({"id": own} if own else {}),
        "name": _take_text(fields, _TOOL_NAMES),
        "arguments": arguments_of(_take(fields, _ARGUMENTS)),
    }
    output = _take(fields, _OUTPUTS)
    left.count_fields("field of a call of a tool", fields)
    return call, output


def arguments_of(value: Any) -> dict[str, Any]:
    """The arguments of a call, by name; what is no object stands under `value`."""
    found = decoded(value)
    return found if isinstance(found, dict) else {"value": value} if is_filled(value) else {}


def _tool(fields: dict[str, Any]) -> dict[str, str]:
    """Takes from a message of a tool which call it answers, and which tool it is."""
    places = {"tool_call_id": _CALL_IDS, "name": (*_TOOL_NAMES, "function")}
    found = {place: _take_text(fields, names) for place, names in places.items()}
    return {place: text for place, text in found.items() if text}


def _take(fields: dict[str, Any], names: Iterable[str]) -> Any:
    """Takes the first field of these names that says something."""
    return next((fields.pop(name) for name in names if is_filled(fields.get(name))), None)


def _take_text(fields: dict[str, Any], names: Iterable[str]) -> str:
    """The same with the first that is a text or a number; empty where none is."""
    return text_of(_take(fields, [name for name in names if text_of(fields.get(name))][:1])) or ""


def _result(value: Any) -> str:
    """What a tool said: its text, the texts of its parts, or JSON."""
    if isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
        texts = [part["text"] for part in value if set(part) == {"type", "text"} and isinstance(part["text"], str)]
        value = texts if len(texts) == len(value) else value
    text = text_of(value)
    return json.dumps(value, ensure_ascii=False) if text is None else text


def documents_in(value: Any) -> Iterator[Passage]:
    """The documents that a search found: texts, or objects with a text; what else they say is kept with them."""
    value = decoded(value)
    if isinstance(value, dict):
        inner = next((value[name] for name in ("documents", "results", "output", "context") if value.get(name)), None)
        value = inner if isinstance(inner, list) else [value]
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, str) and part.strip():
            yield part, {}
        if isinstance(part, dict):
            yield from _document(part)


def _document(written: Mapping[str, Any]) -> Iterator[Passage]:
    """The text of one document, if it has one, and its other fields."""
    part = dict(object_of(written.get("document")) or object_of(written.get("kwargs")) or written)
    names = ("text", "content", "page_content", "pageContent", "document")
    for name in names:
        found = part.get(name)
        text = _result(found) if isinstance(found, list) and all(isinstance(one, dict) for one in found) else found
        if isinstance(text, str) and text.strip() and text[:1] not in "[{":
            kept = {key: value for key, value in part.items() if key != name and is_filled(value)}
            yield text, {} if kept == {"type": "text"} else kept
            return
