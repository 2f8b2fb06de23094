"""The seams to a model: one method to complete, one to embed, and the frozen records that cross them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from gate.records import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def writable(text: str) -> str:
    """The text with half surrogate pairs, which JSON can hold and no file can, as U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@dataclass(frozen=True, slots=True)
class Message:
    """One turn: role is `system`, `user` or `assistant`; the content can be written as UTF-8."""

    role: str
    content: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "content", writable(self.content))


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that a reply depends on. `schema` asks for JSON of that shape. `prompt_id` and `question` are not
    part of the key: a replay finds its answer by them, a command is told them; what counts is in `messages`, and for a
    command in `contexts`."""

    messages: tuple[Message, ...]
    temperature: float = 0.0
    max_tokens: int = 1024
    schema: dict[str, Any] | None = None
    repeat: int = 0
    prompt_id: str = ""
    role: str = "target"  # target | judge | writer
    question: str = ""
    contexts: tuple[str, ...] = ()

    def key(self, provider: str, model: str) -> str:
        """SHA-256 (hex) of the whole request, provider and model included: the name under which a reply is recorded."""
        parts = {
            "provider": provider,
            "model": model,
            "messages": [[m.role, m.content] for m in self.messages],
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "schema": self.schema,
            "repeat": self.repeat,
            **({"contexts": self.contexts} if provider == "command" and self.contexts else {}),
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `stop` is `stop`, `length` (cut off) or `filter`; `cached` if it was read from the record.

    The text and the model's name can be written as UTF-8, whatever a server's JSON held.
    """

    text: str
    usage: Usage = field(default_factory=Usage)
    latency_ms: float | None = None
    stop: str = "stop"
    model: str = ""
    cached: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", writable(self.text))
        object.__setattr__(self, "model", writable(self.model))


class Provider(Protocol):
    """Something that answers. `name` is the configuration's word, `model` what is asked."""

    name: str
    model: str

    def complete(self, request: Request) -> Reply:
        """Answer one request. Errors: the ProviderError branch of the tree, never an SDK's own."""
        ...


class Embedder(Protocol):
    """Something that turns texts into unit vectors; `name` and `dimension` are written into the index."""

    @property
    def name(self) -> str:
        """The model's name, as the index remembers it."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimension) float32, rows of length 1; the same text gives the same row whatever stands beside it."""
        ...

    def windows(self, text: str) -> list[str]:
        """The pieces of a text that fit the model one by one: a long chunk keeps one vector for each."""
        ...
