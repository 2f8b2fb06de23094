"""Embeddings by a model server: batches at once, each a call of its own; what arrives is recorded text by text."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gate.errors import BadReplyError, SetupError
from gate.providers.base import (
    Embedder,
    EmbeddingServer,
    Message,
    Provider,
    Reply,
    Request,
    prompt_tokens,
)
from gate.providers.chain import Chain, Deadline, Patience, Retry
from gate.providers.pool import run_all
from gate.records import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = dict[str, NDArray[np.float32]]  # text -> its vector

EMBEDDING_BATCHES = {"ollama": 64, "openai": 64, "bedrock": 1}  # texts that one call takes
_HINT = "check that the model of `embedding` is one that embeds"


@dataclass
class RemoteEmbedder:
    """The embedder of a store, over a provider. `wanted` is the dimension asked for (None: the model's own).

    `batch` is how many texts a call takes; it shrinks where a server turns out to take fewer. `window` is the longest
    piece in characters that surely fits the model: a server cuts what is longer, silently, or refuses it. With the
    `chain` of a run its calls are recorded, counted and bound by the limits of the run, and its concurrency and
    patience are the run's; without one (ingestion) nothing is kept.
    """

    provider: EmbeddingServer
    wanted: int | None = None
    batch: int = 64
    concurrency: int = 8
    window: int = 1500
    patience: Patience = field(default_factory=Patience)
    chain: Chain | None = None
    _written: set[str] = field(default_factory=set)  # the texts that were recorded here

    @property
    def name(self) -> str:
        """The provider's word and the model, as the index remembers them."""
        return f"{self.provider.name}:{self.provider.model}"

    @cached_property
    def dimension(self) -> int:
        """Length of a vector: asked of the model once, with one short text. Errors: as `embed`."""
        return int(self.embed(["dimension"]).shape[1])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimension) float32, rows of length 1. What arrived before a fault is recorded.

        Errors: SetupError, TransientError, BadReplyError; LimitError at a limit of the run and at Ctrl-C; StoreError
        if the record cannot be read.
        """
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        distinct = list(dict.fromkeys(texts))
        rows = self._recorded(distinct)
        fresh = self._batches([text for text in distinct if text not in rows])
        if self.chain is not None:
            self.chain.budget.cached(len(self._batches(distinct)) - len(fresh))
        for got in self._asked(fresh):
            rows.update(got)
        if len({len(row) for row in rows.values()}) > 1:
            hint = "check that one model, and one dimension, answers behind this address (if it changed: --no-cache)"
            raise BadReplyError(f"{self.name}: vectors of different lengths in one run", hint, "malformed")
        return np.stack([rows[text] for text in texts])

    def windows(self, text: str) -> list[str]:
        """The text in pieces of at most `window` characters, broken between words where there are any."""
        pieces = []
        while len(text) > self.window:
            end = text.rfind(" ", self.window // 2, self.window + 1)
            end = self.window if end < 0 else end
            pieces.append(text[:end])
            text = text[end:].lstrip()
        return [*pieces, text] if text or not pieces else pieces

    def _batches(self, texts: Sequence[str]) -> list[list[str]]:
        return [list(texts[start : start + self.batch]) for start in range(0, len(texts), self.batch)]

    def _asked(self, batches: Sequence[list[str]]) -> list[Rows]:
        chain = self.chain
        concurrency, budget = (chain.concurrency, chain.budget) if chain is not None else (self.concurrency, None)
        outcome = run_all(self._ask, batches, concurrency, budget)
        if outcome.stopped is not None:
            raise outcome.stopped
        return [done.get() for done in outcome.results if done is not None]

    def _ask(self, batch: list[str]) -> Rows:
        try:
            return self._once(batch)
        except BadReplyError as error:
            if error.kind != "rejected" or len(batch) == 1:
                raise
        # Servers bound the texts of a call, or their tokens, each in words of its own: what is refused goes in halves.
        half = (len(batch) + 1) // 2
        rows = self._ask(batch[:half]) | self._ask(batch[half:])
        self.batch = min(self.batch, half)
        return rows

    def _once(self, batch: list[str]) -> Rows:
        reply = self._calls.complete(embedding_request(batch))
        found = unpack(reply.text, len(batch))
        rows = dict(zip(batch, found, strict=True)) if found is not None else {}
        self._record(rows)
        return rows

    @cached_property
    def _calls(self) -> Provider:
        asked = EmbeddingCalls(self.provider, self.wanted)
        if self.chain is not None:
            return self.chain.uncached(asked)
        return Retry(Deadline(asked, asked.timeout), self.patience)

    def _recorded(self, texts: Sequence[str]) -> Rows:
        """The vectors of those texts that the run's record has, text by text: each is found again whatever stood beside
        it. With `--no-cache` only what was written here is."""
        found: Rows = {}
        for text in texts:
            if self.chain is not None and (not self.chain.fresh or text in self._written):
                reply = self.chain.calls.get(self._key(text))
                rows = unpack(reply.text, 1) if reply is not None else None
                if rows is not None:
                    found[text] = rows[0]
        return found

    def _record(self, rows: Rows) -> None:
        """Write down vectors the moment they arrive; where that fails they are still used."""
        if self.chain is None:
            return
        name, model, calls = self.provider.name, self.provider.model, self.chain.calls
        for text, row in rows.items():
            reply, asked = Reply(pack(row), model=model), embedding_request([text])
            if not calls.keep(self._key(text), name, asked, reply, self.chain.on_fault):
                return
            self._written.add(text)

    def _key(self, text: str) -> str:
        server = self.provider
        what = f"{server.model}\n{server.identity}\nvectors of {self.wanted or 'any'} numbers"
        return embedding_request([text]).key(server.name, what)


class EmbeddingCalls:
    """Embedding as a call like any other, texts as messages and vectors as the reply, so that one chain serves both.
    A reply holds checked rows of length 1, to be read with `unpack`."""

    def __init__(self, inner: EmbeddingServer, wanted: int | None = None) -> None:
        """`wanted` is the dimension asked for (None: the model's own)."""
        self.name, self.model, self.timeout, self.identity = inner.name, inner.model, inner.timeout, inner.identity
        self._inner, self.wanted = inner, wanted

    def complete(self, request: Request) -> Reply:
        """The vectors of the messages. Errors: SetupError, TransientError, BadReplyError."""
        texts = [message.content for message in request.messages]
        given = self._inner.embed(texts, self.wanted)
        rows, tokens = self._checked(len(texts), given.vectors), given.tokens
        usage = Usage(tokens) if tokens is not None else Usage(prompt_tokens(request), estimated=True)
        return Reply(pack(rows), usage, model=self.model)

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


class CachedEmbedder:
    """An embedder that computes each text once, in this process."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self.name = embedder.name
        self.dimension = embedder.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimension) float32, rows of length 1, in the order of `texts`. Errors: the embedder's own."""
        import numpy as np

        fresh = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if fresh:
            self._vectors.update(zip(fresh, self._embedder.embed(fresh), strict=True))
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([self._vectors[text] for text in texts])

    def windows(self, text: str) -> list[str]:
        """As the embedder's."""
        return self._embedder.windows(text)


def embedding_request(texts: Sequence[str]) -> Request:
    """The request for the vectors of texts. Some servers refuse an empty text; a full stop says as little."""
    sayable = [text if text.strip() else "." for text in texts]
    return Request(tuple(Message("user", text) for text in sayable), max_tokens=0, role="embedder")


def pack(rows: NDArray[np.float32]) -> str:
    """Rows as text, without loss: base64 of little-endian floats."""
    return base64.b64encode(rows.astype("<f4").tobytes()).decode("ascii")


def unpack(text: str, number: int) -> NDArray[np.float32] | None:
    """The `number` rows of such a text; None where it is none."""
    import numpy as np

    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    if not data or len(data) % (4 * number):
        return None
    return np.frombuffer(data, dtype="<f4").reshape(number, -1).astype(np.float32)
