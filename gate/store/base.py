"""The seam of the stores: a batch of queries in, passages out; and what ingestion needs to write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from gate.records import Chunk, Evidence


@dataclass(frozen=True, slots=True)
class Change:
    """What writing a document did, in chunks."""

    added: int = 0
    unchanged: int = 0
    removed: int = 0

    def __add__(self, other: Change) -> Change:
        return Change(self.added + other.added, self.unchanged + other.unchanged, self.removed + other.removed)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best chunks for one query, by BM25, by kNN, and fused."""

    words: tuple[Evidence, ...]
    vectors: tuple[Evidence, ...]
    fused: tuple[Evidence, ...]


class Store(Protocol):
    """Reads: what a run needs."""

    def search(self, queries: Sequence[str], k: int, about: Sequence[str] = ()) -> list[list[Evidence]]:
        """For every query the k best chunks, best first: BM25 and kNN, fused, deduplicated, ties in a stable order.
        `about`: what each query was said about (a question), if known; a query that its own words do not settle is
        sought together with it."""
        ...

    def rankings(self, queries: Sequence[str], k: int, about: Sequence[str] = ()) -> list[Ranking]:
        """What `search` gives, and the two rankings that it is fused from, the k best of each. Those two are scored
        by 1 / rank."""
        ...

    def chunks(self) -> Iterable[Chunk]:
        """All chunks, ordered by source and position (prompt generation reads them)."""
        ...

    def fingerprint(self) -> str:
        """A hash of what is indexed: the same documents and embedder give the same one."""
        ...

    def close(self) -> None:
        """Release what is held; safe to call twice."""
        ...


class Index(Store, Protocol):
    """Writes: what ingestion needs. A document is replaced whole or not at all."""

    def digests(self) -> dict[str, str]:
        """source -> digest of the file as it was indexed; an unchanged file need not be read again. It is empty for a
        file of which something in the index is damaged and has to be written again."""
        ...

    def begin(self) -> None:
        """Documents are to come: a new index is not for readers before `finish`."""
        ...

    def replace(self, source: str, digest: str, chunks: Sequence[Chunk]) -> Change:
        """Make these the document's chunks, in one transaction; only unknown texts are embedded."""
        ...

    def remove(self, source: str) -> Change:
        """Drop a document."""
        ...

    def finish(self) -> None:
        """All documents are in: from now on readers find them, if they did not before."""
        ...
