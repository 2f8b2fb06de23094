"""Embedding as a call like any other: texts as messages, vectors as the reply, so that one chain serves both."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from gate.errors import BadReplyError, SetupError
from gate.providers.base import Message, Reply, Request
from gate.providers.tokens import MOST, prompt_tokens
from gate.records import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HINT = "check that the model of `embedding` is one that embeds"


@dataclass(frozen=True, slots=True)
class Embedded:
    """One vector for each text, and the tokens of all texts where the server told them."""

    vectors: list[list[float]]
    tokens: int | None = None


class Vectors(Protocol):
    """A provider that embeds: OpenAI, Ollama, Bedrock. `identity` is its address, `timeout` in seconds for a call."""

    name: str
    model: str
    timeout: float
    identity: str

    def embed(self, texts: Sequence[str], dimension: int | None = None) -> Embedded:
        """One vector for each text. Errors: the ProviderError branch."""
        ...

    def close(self) -> None:
        """Release connections."""
        ...


class Embedding:
    """Vectors as a provider that completes; a reply holds checked rows of length 1, to be read with `unpacked`."""

    def __init__(self, inner: Vectors, wanted: int | None = None) -> None:
        """`wanted` is the dimension asked for (None: the model's own)."""
        self.name, self.model, self.timeout, self.identity = inner.name, inner.model, inner.timeout, inner.identity
        self._inner, self.wanted = inner, wanted

    def complete(self, request: Request) -> Reply:
        """The vectors of the messages. Errors: SetupError, TransientError, BadReplyError."""
        texts = [message.content for message in request.messages]
        given = self._inner.embed(texts, self.wanted)
        rows = self._checked(len(texts), given.vectors)
        told = given.tokens is not None
        usage = Usage(given.tokens or 0) if told else Usage(prompt_tokens(request), estimated=True)
        return Reply(packed(rows), usage, model=self.model)

    def close(self) -> None:
        """Release connections."""
        self._inner.close()

    def _checked(self, number: int, vectors: Any) -> NDArray[np.float32]:
        import numpy as np

        name = f"{self.name}:{self.model}"
        try:
            rows = np.asarray(vectors, dtype=np.float64)
        except (ValueError, TypeError, OverflowError) as error:
            raise BadReplyError(f"{name}: the embeddings are no numbers", _HINT, "malformed") from error
        if rows.ndim != 2 or rows.shape[0] != number or rows.shape[1] == 0:
            raise BadReplyError(f"{name}: not one vector for each text", _HINT, "malformed")
        if self.wanted is not None and rows.shape[1] != self.wanted:
            hint = "leave embedding.dimension out, or choose one that the model has"
            raise SetupError(f"{name} gives {rows.shape[1]} dimensions, not {self.wanted}", hint, "setup")
        with np.errstate(over="ignore"):  # numbers without measure have a length without measure
            lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not (lengths > 0).all():
            raise BadReplyError(f"{name}: a vector without length or with no numbers in it", _HINT, "malformed")
        unit: NDArray[np.float32] = (rows / lengths).astype(np.float32)
        return unit


def token_count(told: Any) -> int | None:
    """What a server says of its tokens, where it is a count."""
    return told if isinstance(told, int) and 0 <= told <= MOST else None


def asking(texts: Sequence[str]) -> Request:
    """The request for the vectors of texts. Some servers refuse an empty text; a full stop says as little."""
    sayable = [text if text.strip() else "." for text in texts]
    return Request(tuple(Message("user", text) for text in sayable), max_tokens=0, role="embedder")


def packed(rows: NDArray[np.float32]) -> str:
    """Rows as text, without loss: base64 of little-endian floats."""
    return base64.b64encode(rows.astype("<f4").tobytes()).decode("ascii")


def unpacked(text: str, number: int) -> NDArray[np.float32] | None:
    """The `number` rows of such a text; None where it is none."""
    import numpy as np

    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    if not data or len(data) % (4 * number):
        return None
    return np.frombuffer(data, dtype="<f4").reshape(number, -1).astype(np.float32)
