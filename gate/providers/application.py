"""What an application under test is told of a question, and what it may say: one form for programs, workers, Python
functions and servers of any kind. docs/reference/protocol.md describes it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gate.conversation import content_text
from gate.errors import BadReplyError, ProviderError, TransientError
from gate.providers.base import MAX_TOKENS, Message, Reply, Request, estimate_usage, reported_usage
from gate.providers.wire import excerpt, json_or_text
from gate.records import ToolCall, Usage

CONTEXT_TEXTS = ("text", "content", "page_content")  # where an object that stands for a passage has its words
# How servers call the tokens of a prompt and of a reply: OpenAI, Anthropic and many others, Bedrock, Gemini, Ollama.
_COUNTS = (
    ("prompt_tokens", "completion_tokens"),
    ("input_tokens", "output_tokens"),
    ("inputTokens", "outputTokens"),
    ("promptTokenCount", "candidatesTokenCount"),
    ("prompt_eval_count", "eval_count"),
)


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who answers, in words for messages (`the command`), its model's name, and what to do where it does not."""

    words: str
    model: str
    hint: str

    def malformed(self, what: str) -> BadReplyError:
        """The error for an answer that is not what was agreed."""
        return BadReplyError(f"{self.words} {what}", self.hint, "malformed")

    def reply(self, fields: Mapping[str, Any], request: Request, latency_ms: float) -> Reply:
        """The reply of an answer's fields: `answer` (or `text`), and optionally `contexts`, `tool_calls`, `stop`,
        `model`, `input_tokens`, `output_tokens`. With an `error` there is none, whatever else is said:
        an application may answer `Sorry, try again` beside it. Errors: BadReplyError, TransientError, ProviderError."""
        if fault := fields.get("error"):
            told = f"{self.words} failed: {excerpt(fault if isinstance(fault, str) else json.dumps(fault))}"
            if fields.get("retry") is True:
                raise TransientError(told, self.hint, "server")
            raise BadReplyError(told, "see what the application has written to its log", "failed")
        calls = self._tool_calls(fields.get("tool_calls"))
        answer, stop = content_text(fields.get("answer", fields.get("text"))), fields.get("stop") or "stop"
        if answer is None and calls:
            answer = ""
        if not isinstance(answer, str) or stop not in ("stop", "length", "filter"):
            wanted = "`answer` (or `text`) as a string, and `stop`, if any, as stop, length or filter"
            raise self.malformed(f"gave JSON that lacks {wanted}")
        if not answer.strip() and not calls and stop == "stop":
            raise BadReplyError(f"{self.words} gave an empty answer", self.hint, "empty")
        named, usage = fields.get("model"), self._usage(fields) or estimate_usage(request, answer)
        model = named if isinstance(named, str) and named else self.model
        contexts = self._contexts(fields.get("contexts"))
        return Reply(answer, usage, latency_ms, stop, model, contexts=contexts, tool_calls=calls)

    def _usage(self, fields: Mapping[str, Any]) -> Usage | None:
        tokens = [fields.get("input_tokens"), fields.get("output_tokens")]
        if tokens == [None, None]:
            return None
        if not all(value is None or (type(value) is int and 0 <= value <= MAX_TOKENS) for value in tokens):
            counts = f"token counts must be whole numbers from 0 to {MAX_TOKENS}"
            raise ProviderError(f"{self.words}: {counts}", self.hint, "malformed")
        return Usage(tokens[0] or 0, tokens[1] or 0)

    def _contexts(self, value: Any) -> tuple[str, ...] | None:
        if value is None:
            return None
        found = [_passage(entry) for entry in (value if isinstance(value, list) else [value])]
        texts = [text for text in found if text is not None]
        if len(texts) < len(found):
            raise self.malformed(f"gave `contexts` that are no texts, nor objects with {', '.join(CONTEXT_TEXTS)}")
        return tuple(texts)

    def _tool_calls(self, value: Any) -> tuple[ToolCall, ...]:
        try:
            return tuple(map(tool_call, value or ()))
        except (KeyError, TypeError, AttributeError, ValueError):
            raise self.malformed("gave `tool_calls` that are no list of objects with `name` and `arguments`") from None


def _passage(entry: Any) -> str | None:
    if isinstance(entry, dict):
        return next((entry[name] for name in CONTEXT_TEXTS if isinstance(entry.get(name), str)), None)
    return entry if isinstance(entry, str) else None


def tool_call(value: Mapping[str, Any]) -> ToolCall:
    """One call, in the form of the gate (`name`, `arguments`) or in that of OpenAI and Ollama (`function`); arguments
    may be parsed or text. Errors: KeyError, TypeError, AttributeError, ValueError where it is none."""
    inner = value.get("function", value)
    name, arguments = inner["name"], inner.get("arguments", {})
    if not isinstance(name, str):
        raise TypeError("a name is text")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return ToolCall(name, text or "{}", str(value.get("id") or ""))


def usage_in(value: Any) -> Usage | None:
    """The tokens that an object reports, under any of the names that servers have for them."""
    told = value if isinstance(value, dict) else {}
    counts = (reported_usage(told.get(given), told.get(made)) for given, made in _COUNTS)
    return next((usage for usage in counts if usage is not None), None)


def message_fields(message: Message) -> dict[str, Any]:
    """A turn as applications get it: `role`, `content`, and the parts of tools where there are any."""
    fields: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        fields["tool_calls"] = [
            {"id": call.id, "name": call.name, "arguments": json_or_text(call.arguments)} for call in message.tool_calls
        ]
    return fields | {name: value for name in ("tool_call_id", "name") if (value := getattr(message, name))}


def question_fields(request: Request) -> dict[str, Any]:
    """The JSON object that a program gets: `id`, `question`, `repeat`, `messages`, `contexts`."""
    return {
        "id": request.prompt_id,
        "question": request.question or request.messages[-1].content,
        "repeat": request.repeat,
        "messages": [message_fields(message) for message in request.messages],
        "contexts": list(request.contexts),
    }


def spoken(messages: Sequence[Message]) -> list[Message]:
    """The turns of user and assistant for a server that takes calls of tools only with the tools themselves: what was
    called and what came back stands there in words. Turns of one side in a row are one."""
    turns: list[Message] = []
    for message in messages:
        if message.role == "system":
            continue
        role = "assistant" if message.role == "assistant" else "user"
        words = [message.content] if message.content.strip() else []
        if message.role == "tool":
            words = [f"[the tool {message.name or message.tool_call_id} returned]\n{message.content}"]
        words += [f"[calls the tool {call.name} with {call.arguments}]" for call in message.tool_calls]
        if turns and turns[-1].role == role:
            words.insert(0, turns.pop().content)
        turns.append(Message(role, "\n\n".join(words)))
    return turns
