"""The seam of the stores: a batch of queries in, passages out; what ingestion needs to write; what all stores share."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from gate.errors import EmbedderMismatchError
from gate.providers.base import Embedder
from gate.records import Chunk, Evidence


@dataclass(frozen=True, slots=True)
class Change:
    """What writing a document did, in chunks."""

    added: int = 0
    unchanged: int = 0
    removed: int = 0

    @classmethod
    def between(cls, before: Counter[str], after: Counter[str]) -> Change:
        """From the chunk ids that a document had to those that it has."""
        return cls((after - before).total(), (after & before).total(), (before - after).total())

    def __add__(self, other: Change) -> Change:
        return Change(self.added + other.added, self.unchanged + other.unchanged, self.removed + other.removed)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best chunks for one query: by BM25, by kNN, and fused."""

    words: tuple[Evidence, ...]
    vectors: tuple[Evidence, ...]
    fused: tuple[Evidence, ...]


class Store(Protocol):
    """Reads: what a run needs."""

    def search(self, queries: Sequence[str], k: int, about: Sequence[str] = ()) -> list[list[Evidence]]:
        """For every query the k best chunks, whole, best first: BM25 and kNN (best window), fused, ties in a stable
        order. A chunk that stands in several documents is shown in the first of them. `about`: what each query was said
        about (a question), if known; a query that its own words do not settle is sought together with it. Errors:
        StoreError, and the embedder's own."""
        ...

    def rankings(self, queries: Sequence[str], k: int, about: Sequence[str] = ()) -> list[Ranking]:
        """What `search` gives, and the two rankings that it is fused from, the k best of each. Those two are scored
        by 1 / rank."""
        ...

    def chunks(self) -> Iterable[Chunk]:
        """All chunks, ordered by source and position; a text that stands twice comes twice."""
        ...

    def fingerprint(self) -> str:
        """A hash of what is indexed: the same documents and embedder give the same one, in every store."""
        ...

    def close(self) -> None:
        """Release what is held; safe to call twice."""
        ...


class Index(Store, Protocol):
    """Writes: what ingestion needs. A document is replaced whole or not at all."""

    def digests(self) -> dict[str, str]:
        """source -> digest of the file as it was indexed; an unchanged file need not be parsed again. It is empty for
        a file of which something in the index is damaged and has to be written again."""
        ...

    def begin(self) -> None:
        """Documents are to come: a new index is not for readers before `finish`."""
        ...

    def embed(self, chunks: Sequence[Chunk]) -> None:
        """Make the vectors that these texts lack, as one batch: `replace` finds them. Errors: the embedder's."""
        ...

    def replace(self, source: str, digest: str, chunks: Sequence[Chunk]) -> Change:
        """Make these the document's chunks, in one transaction; only unknown texts are embedded."""
        ...

    def remove(self, source: str) -> Change:
        """Drop a document; nothing happens where it is unknown."""
        ...

    def finish(self) -> None:
        """All documents are in: from now on readers find them, if they did not before."""
        ...


def evidence_of(chunk: Chunk) -> Evidence:
    """A whole chunk as evidence, without score."""
    line = chunk.lines[0] if chunk.lines else 0
    place = chunk.heading, chunk.lines, chunk.id
    return Evidence(chunk.source, line, chunk.text, 0.0, *place, turns=chunk.turns, tags=chunk.tags)


def fingerprint_of(embedder: Embedder, chunks: Iterable[Chunk]) -> str:
    """SHA-256 (hex) over the embedder and all chunks with their places; the texts count by their ids."""
    digest = hashlib.sha256(f"{embedder.name} {embedder.dimension}".encode())
    for chunk in chunks:
        place = (chunk.source, chunk.id, chunk.heading, chunk.lines, chunk.turns, chunk.tags)
        digest.update(json.dumps(place).encode())
    return digest.hexdigest()


def mismatch(index: str, made: tuple[object, object], embedder: Embedder, anew: str) -> EmbedderMismatchError:
    """The error for an index that another embedder, `made` (name, dimension), has made; `anew` says how it is made
    again. One name with other vectors is another model on the same server: the record of a run has the old ones."""
    record = (
        "; if its server has another model now, then `gate run --no-cache` once" if made[0] == embedder.name else ""
    )
    return EmbedderMismatchError(
        f"{index} was made with the embedder {made[0]!s:.100} ({made[1]!s:.20} dimensions), "
        f"the configuration asks for {embedder.name} ({embedder.dimension} dimensions)",
        f"{anew}, or set `embedding` back{record}",
    )
