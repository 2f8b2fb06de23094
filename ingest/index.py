"""Documents into an index: what is new is added, what changed is replaced, what is gone is removed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from gate.errors import SourceError
from gate.records import Chunk
from gate.store.base import Change, Index
from ingest.base import Document, Source, Unread
from ingest.chunk import chunk
from ingest.formats import NAMES, read_blocks
from ingest.sources import stamp


class Report(Protocol):
    """Told what happens, as it happens; knows about terminals so that this module need not."""

    def begin(self, documents: int) -> None:
        """So many documents were found."""
        ...

    def done(self, source: str, change: Change) -> None:
        """A document is in the index."""
        ...

    def unread(self, unread: Unread) -> None:
        """Something could not be read."""
        ...


@dataclass(frozen=True, slots=True)
class Summary:
    """What an ingest did; `change` counts chunks, `documents` those that are now in the index."""

    documents: int
    change: Change
    faults: tuple[Unread, ...]
    seconds: float

    def describe(self) -> str:
        """The summary as one line."""
        change = self.change
        chunks = f"{_count(change.added, 'chunk')} added, {change.unchanged:,} unchanged, {change.removed:,} removed"
        text = f"{_count(self.documents, 'document')}: {chunks} ({self.seconds:.1f} s)"
        return f"{text}; {_count(len(self.faults), 'file')} could not be read" if self.faults else text


def ingest(sources: Iterable[Source], index: Index, report: Report) -> Summary:
    """Make the index hold the documents of these sources, and no others.

    A document that cannot be read is reported, counted and not in the index; the others are. Every document is one
    transaction of the index, and removals come last: stopped at any moment, an ingest is finished by the next one.
    Raises SourceError if a source cannot be listed or if there is no document in any, StoreError and ProviderError.
    """
    begun = time.perf_counter()
    run = _Run(index, report, index.digests())
    documents = _listed(sources, run)
    report.begin(len(documents))
    index.begin()
    for document in documents:
        run.take(document)
    run.forget()
    index.finish()
    return Summary(len(run.kept), run.change, tuple(run.faults), time.perf_counter() - begun)


@dataclass(slots=True)
class _Run:
    """One ingest while it goes on."""

    index: Index
    report: Report
    known: dict[str, str]  # source -> digest, as the index had it at the start
    kept: set[str] = field(default_factory=set)
    skipped: set[str] = field(default_factory=set)  # unchanged ones, whose chunks were not looked at
    change: Change = field(default_factory=Change)
    faults: list[Unread] = field(default_factory=list)

    def take(self, document: Document) -> None:
        """Index one document if it changed."""
        source = document.source
        try:
            digest = stamp(document)
            if self.known.get(source) == digest:
                self.skipped.add(source)
                self._keep(source, Change())
                return
            chunks = chunk(read_blocks(source, document.read()), source)
        except SourceError as error:
            self.fault(Unread(source, error.message, error.hint))
            return
        self._keep(source, self.index.replace(source, digest, chunks))

    def fault(self, unread: Unread) -> None:
        """Something could not be read."""
        self.faults.append(unread)
        self.report.unread(unread)

    def forget(self) -> None:
        """Remove what is not among the documents any more, and count what was left as it is."""
        if self.skipped:
            counts = Counter(found.source for found in self.index.chunks())
            self.change += Change(unchanged=sum(counts[source] for source in self.skipped))
        for source in sorted(self.known.keys() - self.kept):
            self.change += self.index.remove(source)

    def _keep(self, source: str, change: Change) -> None:
        self.kept.add(source)
        self.change += change
        self.report.done(source, change)


def _listed(sources: Iterable[Source], run: _Run) -> Sequence[Document]:
    """The documents of all sources, each name once, in order; what is in the way is reported."""
    found: dict[str, Document] = {}
    bare: list[str] = []
    opened = list(sources)
    for source in opened:
        empty = True
        for entry in source.documents():
            empty = False
            if isinstance(entry, Unread):
                run.fault(entry)
            else:
                found.setdefault(entry.source, entry)
        if empty:
            bare.append(source.address)
    if not found:
        places = ", ".join(source.address for source in opened) or "no source"
        raise SourceError(f"{places}: no document that can be read", f"documents are {NAMES}")
    for address in bare:
        run.fault(Unread(address, "has no documents", f"documents are {NAMES}"))
    return list(found.values())


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def load_chunks(sources: Iterable[Source], unread: Callable[[Unread], None]) -> list[Chunk]:
    """The chunks of all documents in order, each document once; `unread` is told what cannot be read.

    Raises SourceError if a source cannot be listed, or if no document of any can be read.
    """
    opened = list(sources)
    found: list[Chunk] = []
    for document in _documents(opened, unread):
        try:
            found += chunk(read_blocks(document.source, document.read()), document.source)
        except SourceError as error:
            unread(Unread(document.source, error.message, error.hint))
    if not found:
        places = ", ".join(source.address for source in opened) or "no source"
        raise SourceError(f"{places}: no document that can be read", f"documents are {NAMES}")
    return found


def _documents(sources: Iterable[Source], unread: Callable[[Unread], None]) -> Iterator[Document]:
    seen: set[str] = set()
    for source in sources:
        for entry in source.documents():
            if isinstance(entry, Unread):
                unread(entry)
            elif entry.source not in seen:
                seen.add(entry.source)
                yield entry
