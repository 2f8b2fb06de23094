"""Conversations: the turns of a row in a file, what of them is sent and leaned on, and the answers that they hold.

The last turn of the user is the question. What stands behind it, calls of tools and their results, belongs to its
answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gate.errors import UsageError
from gate.files import Row
from gate.records import Message, Prompt, ToolCall, writable

MAX_TURNS = 1000  # of one row: every turn may be judged, and each is sent with those before
_ROLES = {"user": "user", "assistant": "assistant", "system": "system", "developer": "system", "tool": "tool"}
_THOUGHTS = ("thinking", "redacted_thinking", "reasoning")
_CARRIER = re.compile("^(input|output)_|_url$")  # `image_url` and `input_image` are images
_KIND = re.compile(r"\w{1,40}")
_CALL = "needs `name` (a string) and `arguments` (an object)"


def parse_messages(row: Row) -> tuple[Message, ...]:
    """The `messages` of a row; none where it has none. Errors: InputFileError."""
    value = row.fields.get("messages")
    if value is None:
        return ()
    if not isinstance(value, list) or not value:
        raise row.fault("`messages` must be a list of turns, each with `role` and `content`")
    if len(value) > MAX_TURNS:
        raise row.fault(f"`messages` has {len(value)} turns, more than {MAX_TURNS}")
    turns = tuple(_turn(row, number, entry) for number, entry in enumerate(value, 1))
    if turns[-1].role == "assistant":
        raise row.fault(
            "`messages` ends with a turn of the assistant: what it says last belongs into `answer`, and what it calls "
            "into `tool_calls`"
        )
    if not any(turn.role == "user" and turn.content.strip() for turn in turns):
        raise row.fault("`messages` has no turn of the user that says something")
    return turns


def _turn(row: Row, number: int, entry: Any) -> Message:
    place = f"turn {number} of `messages`"
    if not isinstance(entry, dict) or not isinstance(entry.get("role"), str) or entry["role"] not in _ROLES:
        raise row.fault(f"{place} needs a `role` that is one of {', '.join(_ROLES)}")
    role, content = _ROLES[entry["role"]], content_text(entry.get("content"))
    calls = _calls(row, place, entry.get("tool_calls")) if role == "assistant" else ()
    if content is None and not calls:
        raise row.fault(f"{place} needs `content` that is a string or a list of parts")
    names = ("tool_call_id", "name") if role == "tool" else ()
    known = {name: writable(entry[name]) for name in names if isinstance(entry.get(name), str)}
    return Message(role, content or "", calls, **known)


def content_text(content: Any, between: str = "\n") -> str | None:
    """A string, or the texts of a list of parts, where a part that is no text stands as a mark such as `[image]` on a
    line of its own; thoughts are no part of what is said. None for what is neither."""
    if isinstance(content, list) and all(isinstance(part, str | dict) for part in content):
        said = (part if isinstance(part, str) else _part(part, "" if between else "\n") for part in content)
        return between.join(text for text in said if text)
    return content if isinstance(content, str) else None


def _part(part: Mapping[str, Any], around: str) -> str:
    kind = str(part.get("type", "text"))
    if kind in _THOUGHTS:
        return ""
    text = part.get("text", part.get("refusal"))
    mark = _CARRIER.sub("", kind)
    return text if isinstance(text, str) else f"{around}[{mark if _KIND.fullmatch(mark) else 'part'}]{around}"


def parse_tool_calls(row: Row) -> tuple[ToolCall, ...]:
    """The `tool_calls` of a recorded answer. Errors: InputFileError."""
    return _calls(row, "`tool_calls`", row.fields.get("tool_calls"))


def _calls(row: Row, place: str, value: Any) -> tuple[ToolCall, ...]:
    """Calls in the form of the gate, or with the `function` of OpenAI, whose arguments are text."""
    if value is not None and not isinstance(value, list):
        raise row.fault(f"{place}: calls of tools are a list, and each {_CALL}")
    calls = []
    for entry in value or ():
        call = entry.get("function", entry) if isinstance(entry, dict) else None
        if not isinstance(call, dict) or not isinstance(call.get("name"), str):
            raise row.fault(f"{place}: a call {_CALL}")
        arguments = call.get("arguments") or {}
        try:
            text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
            calls.append(ToolCall(writable(call["name"]), writable(text), writable(str(entry.get("id") or ""))))
        except RecursionError:
            raise row.fault(f"{place}: the arguments of a call are nested too deeply") from None
    return tuple(calls)


def question_of(row: Row, messages: Sequence[Message]) -> str:
    """The question of a row: its own, or the last turn of the user. Errors: InputFileError where these differ."""
    if not messages:
        return row.text("question")
    asked, own = messages[last_question(messages)].content, row.optional_text("question")
    if own is not None and own.split() != asked.split():
        raise row.fault("`question` is not what the user says last in `messages`")
    return asked


def last_question(messages: Sequence[Message]) -> int:
    """The place of the last turn of the user that says something; -1 where there is none."""
    return max((n for n, turn in enumerate(messages) if turn.role == "user" and turn.content.strip()), default=-1)


def turns_of_user(messages: Iterable[Message]) -> tuple[str, ...]:
    """What the user has said, turn by turn: a conversation is known by it, whatever was answered."""
    return tuple(turn.content.strip() for turn in messages if turn.role == "user" and turn.content.strip())


def results(messages: Sequence[Message]) -> tuple[str, ...]:
    """What tools returned after the last question: the answer rests on it."""
    behind = messages[last_question(messages) + 1 :]
    return tuple(turn.content for turn in behind if turn.role == "tool" and turn.content.strip())


def calls_made(messages: Sequence[Message]) -> tuple[ToolCall, ...]:
    """The calls of tools between the last question and its answer."""
    return tuple(call for turn in messages[last_question(messages) + 1 :] for call in turn.tool_calls)


def earlier(prompt: Prompt) -> str:
    """What the user said before the question, on which it may lean (`And how long does that take?`): the newest such
    turn; empty where there is none."""
    before = turns_of_user(prompt.messages[: max(0, last_question(prompt.messages))])
    return before[-1] if before else ""


def sought(prompt: Prompt) -> str:
    """What is searched for a question: in a conversation it may say too little alone."""
    return f"{prompt.question} {earlier(prompt)}".strip()


def asked(prompt: Prompt) -> tuple[Message, ...]:
    """The turns that are sent, with the prompt's own question in place of the last one: a probe asks another."""
    if not prompt.messages:
        return (Message("user", prompt.question),)
    place = last_question(prompt.messages)
    question = replace(prompt.messages[place], content=prompt.question)
    return (*prompt.messages[:place], question, *prompt.messages[place + 1 :])


def every_turn(rows: Iterable[tuple[Prompt, str | None]]) -> list[Prompt]:
    """The prompts, each behind those of the answers that stand in its conversation: `ID/turn-N` for the N-th question,
    N being 0 for what the assistant says before the first. With a prompt comes its recorded answer, if it has one.

    An answer that several rows hold, as where each row repeats the conversation so far, is there once.
    Errors: UsageError for an id that a row has and a turn would have too.
    """
    held = list(rows)
    seen = {_mark(prompt.messages or asked(prompt), answer) for prompt, answer in held if answer is not None}
    found: list[Prompt] = []
    for prompt, _ in held:
        for turn in _answered(prompt):
            mark = _mark(turn.messages, turn.recorded.content if turn.recorded else "")
            if mark not in seen:
                seen.add(mark)
                found.append(turn)
        found.append(prompt)
    names = {prompt.id for prompt, _ in held}
    if taken := next((turn.id for turn in found if turn.recorded and turn.id in names), ""):
        raise UsageError(
            f"the id {taken[:80]!r} is that of a turn too", "rename the row, or set evaluation.turns: last"
        )
    return found


def _mark(messages: Sequence[Message], answer: str) -> tuple[str, ...]:
    """What an answer in its conversation is known by: all that was said up to it. Calls and results do not count, as a
    row may have them as its contexts."""
    last = last_question(messages)
    said = (turn for place, turn in enumerate(messages) if turn.role != "assistant" or place < last)
    return (*(turn.content for turn in said if turn.content and turn.role != "tool"), " ".join(answer.split()))


def _answered(prompt: Prompt) -> Iterator[Prompt]:
    """A prompt for each question of a conversation that the assistant has answered in it, in order. All that it said to
    one question is one answer."""
    number = 0
    spoken: list[int] = []
    for place, turn in enumerate((*prompt.messages, Message("user", ""))):
        if turn.role == "assistant" and turn.content.strip():
            spoken.append(place)
        elif turn.role == "user" and spoken:
            yield _one_answered(prompt, number, spoken)
            spoken = []
            number += 1
        elif turn.role == "user" and number == 0:
            number = 1
    # A turn that only calls a tool says nothing: it is part of the way to the next answer.


def _one_answered(prompt: Prompt, number: int, spoken: Sequence[int]) -> Prompt:
    messages = prompt.messages[: spoken[-1]]
    place = last_question(messages)
    text = "\n\n".join(prompt.messages[n].content for n in spoken)
    return Prompt(
        id=f"{prompt.id}/turn-{number}",
        question=messages[place].content if place >= 0 else "",
        category=prompt.category,
        contexts=results(messages),
        tags=prompt.tags,
        about=prompt.about,
        line=prompt.line,
        asked_in=prompt.asked_in,
        messages=messages,
        recorded=replace(prompt.messages[spoken[-1]], content=text),
    )
