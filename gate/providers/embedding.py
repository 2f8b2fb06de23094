"""Embeddings by a model server: batches at once, repeated where that helps, checked, and made unit vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol

from gate.errors import BadReplyError, SetupError
from gate.providers.deadline import within
from gate.providers.pool import run_all
from gate.providers.retry import Patience

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Vectors(Protocol):
    """A provider that embeds: OpenAI, Ollama, Bedrock."""

    name: str
    model: str
    timeout: float

    def embed(self, texts: Sequence[str], dimension: int | None = None) -> list[list[float]]:
        """One vector for each text. Errors: the ProviderError branch."""
        ...

    def close(self) -> None:
        """Release connections."""
        ...


@dataclass
class RemoteEmbedder:
    """The embedder of a store, over a provider. `wanted` is the dimension asked for (None: the model's own).

    `window` is the longest piece in characters that surely fits the model: a server cuts what is longer, silently.
    """

    provider: Vectors
    wanted: int | None = None
    batch: int = 64
    concurrency: int = 8
    window: int = 1500
    patience: Patience = field(default_factory=Patience)

    @property
    def name(self) -> str:
        """The provider's word and the model, as the index remembers them."""
        return f"{self.provider.name}:{self.provider.model}"

    @cached_property
    def dimension(self) -> int:
        """Length of a vector: asked of the model once, with one short text."""
        return int(self._checked(["dimension"], self._ask(["dimension"])).shape[1])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimension) float32, rows of length 1. Errors: SetupError, TransientError, BadReplyError."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        batches = [list(texts[start : start + self.batch]) for start in range(0, len(texts), self.batch)]
        outcome = run_all(lambda batch: self._checked(batch, self._ask(batch)), batches, self.concurrency)
        if outcome.stopped is not None:
            raise outcome.stopped
        rows = [done.get() for done in outcome.results if done is not None]
        if len({part.shape[1] for part in rows}) > 1:
            raise BadReplyError(f"{self.name}: vectors of different lengths in one run", kind="malformed")
        return np.concatenate(rows)

    def windows(self, text: str) -> list[str]:
        """The text in pieces of at most `window` characters, broken between words where there are any."""
        pieces = []
        while len(text) > self.window:
            end = text.rfind(" ", self.window // 2, self.window + 1)
            end = self.window if end < 0 else end
            pieces.append(text[:end])
            text = text[end:].lstrip()
        return [*pieces, text] if text or not pieces else pieces

    def _ask(self, texts: list[str]) -> list[list[float]]:
        # An empty text is refused by some servers; a full stop says as little.
        sayable = [text if text.strip() else "." for text in texts]
        work: Callable[[], list[list[float]]] = partial(self.provider.embed, sayable, self.wanted)
        return self.patience(lambda: within(self.provider.timeout, self.provider.name, work))

    def _checked(self, texts: list[str], vectors: Any) -> NDArray[np.float32]:
        import numpy as np

        try:
            rows = np.asarray(vectors, dtype=np.float32)
        except (ValueError, TypeError) as error:
            raise BadReplyError(f"{self.name}: the embeddings are no numbers", kind="malformed") from error
        if rows.ndim != 2 or rows.shape[0] != len(texts) or rows.shape[1] == 0:
            raise BadReplyError(f"{self.name}: not one vector for each text", kind="malformed")
        if self.wanted is not None and rows.shape[1] != self.wanted:
            hint = "leave embedding.dimension out, or choose one that the model has"
            raise SetupError(f"{self.name} gives {rows.shape[1]} dimensions, not {self.wanted}", hint, "setup")
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(rows).all() or not (lengths > 0).all():
            raise BadReplyError(f"{self.name}: a vector without length or with no numbers in it", kind="malformed")
        unit: NDArray[np.float32] = (rows / lengths).astype(np.float32)
        return unit
