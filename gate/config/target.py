"""The model under test: what each way to reach it needs, and the template of what a server of any kind is sent."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from gate.config.parts import ModelSettings, Name, check_server

ModelProvider = Literal["replay", "command", "http", "python", "bedrock", "ollama", "openai", "anthropic"]
PLACEHOLDER = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
QUESTION: dict[str, Any] = {"question": "{{question}}"}  # the body that is sent where none is named
_PLACES = ("question", "messages", "id")
_SERVED = frozenset(("api_key_env", "headers", "timeout_seconds", "temperature", "max_tokens", "system"))
_OF_HTTP = ("url", "method", "body", "answer", "contexts", "tokens", "tool_calls", "health")
# The keys that came with a provider, and the ones that it has use for. Any provider may have `path`, `command`,
# `model_id` and `base_url`: they may be left from another one.
_USED: dict[str, frozenset[str]] = {
    "replay": frozenset(),
    "command": frozenset(("worker", "workers", "timeout_seconds")),
    "python": frozenset(("function", "workers", "timeout_seconds")),
    "http": frozenset((*_OF_HTTP, "api_key_env", "headers", "timeout_seconds")),
    **dict.fromkeys(("bedrock", "ollama", "openai", "anthropic"), _SERVED),
}
_CHECKED = frozenset().union(*_USED.values())
_NEEDED = {"replay": "path", "command": "command", "python": "function", "http": "url"}


def _pointer(value: str) -> str:
    if value and not re.fullmatch(r"(/([^~]|~[01])*)+", value):
        raise ValueError("must be a JSON pointer, for instance /data/answer")
    return value


Pointer = Annotated[str, Field(max_length=500), AfterValidator(_pointer)]


class Model(ModelSettings):
    """The model under test."""

    provider: ModelProvider
    path: Name | None = None
    command: tuple[Name, ...] | None = None
    worker: bool = False
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    function: Annotated[str, Field(pattern=r"^\w+(\.\w+)*:\w+(\.\w+)*$")] | None = None
    url: Name | None = None
    method: Literal["POST", "PUT", "GET"] = "POST"
    body: Any = None
    answer: Pointer | None = None
    contexts: Pointer | None = None
    tokens: Pointer | None = None
    tool_calls: Pointer | None = None
    health: Annotated[str, Field(pattern="^/([^/]|$)")] | None = None
    context: Literal["none", "retrieved"] = "none"
    reuse: Literal["run", "always"] = "run"

    @property
    def is_program(self) -> bool:
        """Whether it is a program or a function of the user's: it is told the `contexts` of a question beside it."""
        return self.provider in ("command", "python")

    @field_validator("body")
    @classmethod
    def _as_json(cls, value: Any) -> Any:
        """A body may be written as YAML or as the text of JSON."""
        if isinstance(value, str) and PLACEHOLDER.fullmatch(value.strip()) is None:
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                raise ValueError("is no JSON: write the body as YAML, or as the text of a JSON value") from None
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            raise ValueError("holds a value that JSON has not, a date for instance: put it into quotes") from None
        return value

    @model_validator(mode="after")
    def _complete(self) -> Model:
        needed = _NEEDED.get(self.provider, "model_id")
        if not getattr(self, needed):
            raise ValueError(f"provider: {self.provider} needs the key `{needed}`")
        check_server(self.provider, self)
        if unused := sorted(self.model_fields_set & _CHECKED - _USED[self.provider]):
            raise ValueError(f"provider: {self.provider} has no use for the key `{unused[0]}`")
        if "workers" in self.model_fields_set and self.provider == "command" and not self.worker:
            raise ValueError("`workers` of a command need `worker: true`")
        return self

    @model_validator(mode="after")
    def _sends_the_question(self) -> Model:
        if self.provider != "http":
            return self
        in_body, in_url = list(_placeholders(self.sent)), PLACEHOLDER.findall(self.url or "")
        if wrong := next((name for name in [*in_body, *in_url] if name not in _PLACES), None):
            raise ValueError(f"{{{{{wrong}}}}} is none of {', '.join(f'{{{{{name}}}}}' for name in _PLACES)}")
        if "messages" in in_url:
            raise ValueError("{{messages}} can stand in `body` only: an address may hold {{question}} and {{id}}")
        if not {"question", "messages"} & {*in_body, *in_url}:
            raise ValueError("neither `body` nor `url` has {{question}} or {{messages}}: nothing would be asked")
        if self.context == "retrieved" and "messages" not in in_body:
            raise ValueError("context: retrieved goes with {{messages}}, which `body` does not have")
        return self

    @property
    def sent(self) -> Any:
        """The template of the body; None where nothing is sent but the address."""
        return self.body if self.body is not None or self.method == "GET" else QUESTION


def _placeholders(value: Any) -> list[str]:
    """The names between {{ and }} in a template. Errors: ValueError for {{messages}} within a longer text."""
    if isinstance(value, dict):
        return [name for inner in value.values() for name in _placeholders(inner)]
    if isinstance(value, list):
        return [name for inner in value for name in _placeholders(inner)]
    if not isinstance(value, str):
        return []
    names: list[str] = PLACEHOLDER.findall(value)
    if "messages" in names and PLACEHOLDER.fullmatch(value.strip()) is None:
        raise ValueError("{{messages}} is a list: it must stand alone in its value of `body`")
    return names
