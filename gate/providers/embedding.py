"""Embeddings by a model server: batches at once, each a call of its own that is repeated where that helps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from gate.errors import BadReplyError
from gate.providers.deadline import Deadline
from gate.providers.pool import run_all
from gate.providers.retry import Patience, Retry
from gate.providers.vectors import Embedding, Vectors, asking, unpacked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gate.providers.base import Provider
    from gate.providers.chain import Chain
    from gate.providers.vector_record import VectorRecord

    Rows = dict[str, NDArray[np.float32]]


@dataclass
class RemoteEmbedder:
    """The embedder of a store, over a provider. `wanted` is the dimension asked for (None: the model's own).

    `batch` is how many texts a call takes; it shrinks where a server turns out to take fewer. `window` is the longest
    piece in characters that surely fits the model: a server cuts what is longer, silently, or refuses it. With the
    `chain` of a run its calls are recorded, counted and bound by the limits of the run, and its concurrency and
    patience are the run's; without one (ingestion) nothing is kept.
    """

    provider: Vectors
    wanted: int | None = None
    batch: int = 64
    concurrency: int = 8
    window: int = 1500
    patience: Patience = field(default_factory=Patience)
    chain: Chain | None = None

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
        rows: Rows = self._record.known(distinct) if self._record is not None else {}
        fresh = self._batches([text for text in distinct if text not in rows])
        if self.chain is not None:
            for _ in range(len(self._batches(distinct)) - len(fresh)):
                self.chain.budget.cached()
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
        outcome = run_all(
            self._ask,
            batches,
            chain.concurrency if chain is not None else self.concurrency,
            chain.budget if chain is not None else None,
        )
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
        reply = self._calls.complete(asking(batch))
        found = unpacked(reply.text, len(batch))
        rows = dict(zip(batch, found, strict=True)) if found is not None else {}
        if self._record is not None:
            self._record.keep(rows)
        return rows

    @cached_property
    def _embedding(self) -> Embedding:
        return Embedding(self.provider, self.wanted)

    @cached_property
    def _calls(self) -> Provider:
        if self.chain is not None:
            return self.chain.metered(self._embedding)
        return Retry(Deadline(self._embedding, self.provider.timeout), self.patience)

    @cached_property
    def _record(self) -> VectorRecord | None:
        if self.chain is None:
            return None
        from gate.providers.vector_record import VectorRecord

        return VectorRecord(self.chain.calls, self._embedding, self.chain.fresh, self.chain.on_fault)
