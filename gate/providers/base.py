"""The seams to a model: the protocols, the frozen records that cross them, and how the tokens of a call are counted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from gate.records import Message as Message  # it crosses the seam with the records below
from gate.records import ToolCall, Usage, writable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# English prose has about four characters a token in the vocabularies of GPT and Llama models; other scripts have fewer,
# and more bytes a character: four bytes hold for Chinese too, where a token is hardly more than one character.
BYTES_PER_TOKEN = 4
TITAN = "amazon.titan-embed-text-v2:0"  # what embeds at Bedrock unless another model is named
TITAN_DIMENSIONS = (256, 512, 1024)
PROGRAMS = ("command", "python")  # what is told the contexts of a question beside it
MAX_TOKENS = 10**9  # of one call: a server that reports more has not counted


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that a reply depends on. `schema` asks for JSON of that shape. `prompt_id` and `question` are not
    part of the key: a replay finds its answer by them, a program is told them; what counts is in `messages`, and for a
    program in `contexts`."""

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
            "messages": [
                [m.role, m.content, *([asdict(m)] if m.tool_calls or m.role == "tool" else [])] for m in self.messages
            ],
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "schema": self.schema,
            "repeat": self.repeat,
            **({"contexts": self.contexts} if provider in PROGRAMS and self.contexts else {}),
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `stop` is `stop`, `length` (cut off) or `filter`; `cached` if it was read from the record;
    `asked_at` in seconds since 1970, 0 where it is not known. `contexts` are the passages that an application says it
    has answered from (None: it does not say), `tool_calls` what it asked of tools.

    Its texts can be written as UTF-8, whatever a server's JSON held.
    """

    text: str
    usage: Usage = field(default_factory=Usage)
    latency_ms: float | None = None
    stop: str = "stop"
    model: str = ""
    cached: bool = False
    asked_at: float = 0.0
    contexts: tuple[str, ...] | None = None
    tool_calls: tuple[ToolCall, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", writable(self.text))
        object.__setattr__(self, "model", writable(self.model))
        if self.contexts is not None:
            object.__setattr__(self, "contexts", tuple(map(writable, self.contexts)))

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing, and asks nothing of a tool."""
        return not self.text.strip() and not self.tool_calls


class Provider(Protocol):
    """Something that answers. `name` is the configuration's word, `model` what is asked."""

    name: str
    model: str

    def complete(self, request: Request) -> Reply:
        """Answer one request. Errors: the ProviderError branch of the tree, never an SDK's own."""
        ...


class Served(Protocol):
    """What reaches something: `timeout` is when a call is given up, in seconds; `identity` is what besides `name` and
    `model` tells its answers from those of another (an address, the hash of a program)."""

    name: str
    model: str
    timeout: float
    identity: str

    def close(self) -> None:
        """Release connections and processes."""
        ...


class Remote(Served, Provider, Protocol):
    """A provider that reaches something."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """One vector for each text, and the tokens of all texts where the server reported them."""

    vectors: list[list[float]]
    tokens: int | None = None


class EmbeddingServer(Served, Protocol):
    """A model server that embeds."""

    def embed(self, texts: Sequence[str], dimension: int | None = None) -> Embedded:
        """One vector for each text. Errors: the ProviderError branch."""
        ...


class ModelServer(Remote, EmbeddingServer, Protocol):
    """What can be asked and can embed."""


class Wrapper:
    """What all wrappers of a provider share: they are known by the provider's own name, model and identity."""

    def __init__(self, inner: Provider) -> None:
        self.name, self.model = inner.name, inner.model
        self.identity: str = getattr(inner, "identity", "")
        self._inner = inner


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


def count_tokens(text: str) -> int:
    """About how many tokens a text has, rounded up."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return -(-size // BYTES_PER_TOKEN)


def prompt_tokens(request: Request) -> int:
    """About how many tokens a request sends, with a few for the frame of each message."""
    return sum(count_tokens(message.content) + 4 for message in request.messages)


def token_count(value: Any) -> int | None:
    """A number of tokens as a server reported it; None where it is none that a call can have."""
    return value if isinstance(value, int) and 0 <= value <= MAX_TOKENS else None


def reported_usage(read: Any, written: Any) -> Usage | None:
    """The usage of a call as a server reported it; None where these are not two counts that a call can have."""
    given, made = token_count(read), token_count(written)
    return Usage(int(given), int(made)) if given is not None and made is not None else None


def estimate_usage(request: Request, text: str) -> Usage:
    """The usage of a call whose provider reported none."""
    return Usage(prompt_tokens(request), count_tokens(text), estimated=True)
