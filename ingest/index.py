"""Documents into an index: what is new is added, what changed is replaced, what is gone is removed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from gate.errors import SourceError
from gate.records import Chunk
from gate.store.base import Change, Index
from ingest.base import Document, Other, Source, Unread, without_controls
from ingest.chunk import chunk
from ingest.formats import NAMES, read_blocks
from ingest.sources import stamp

TOGETHER = 128  # chunks, of as many documents as have them, that the embedder gets at once: all cores have work
KINDS = 8  # of files that are not read which are told by name


class Reporter(Protocol):
    """Is told how an ingest goes on."""

    def begin(self, documents: int) -> None:
        """So many documents were found."""
        ...

    def done(self, number: int = 1) -> None:
        """So many of them are dealt with: they are in the index, or could not be read."""
        ...

    def unread(self, unread: Unread) -> None:
        """Something could not be read."""
        ...


@dataclass(frozen=True, slots=True)
class Summary:
    """What an ingest did; `change` counts chunks, `documents` those that are now in the index, `others` by kind the
    files of kinds that are not read."""

    documents: int
    change: Change
    faults: tuple[Unread, ...]
    seconds: float
    others: Mapping[str, int] = field(default_factory=dict)

    def describe(self) -> str:
        """The summary as one line, and one more if there are others."""
        change = self.change
        chunks = f"{_count(change.added, 'chunk')} added, {change.unchanged:,} unchanged, {change.removed:,} removed"
        text = f"{_count(self.documents, 'document')}: {chunks} ({self.seconds:.1f} s)"
        text += f"; {_count(len(self.faults), 'file')} could not be read" if self.faults else ""
        if not self.others:
            return text
        kinds = sorted(self.others.items(), key=lambda pair: (-pair[1], pair[0]))
        shown = [f"{without_controls(kind)[:20]} {number:,}" for kind, number in kinds[:KINDS]]
        shown += [f"{len(kinds) - KINDS:,} more kinds"] if len(kinds) > KINDS else []
        what = f"{_count(sum(self.others.values()), 'file')} of other kinds not read: {', '.join(shown)}"
        return f"{text}\n{what} (documents are {NAMES})"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def ingest(sources: Iterable[Source], index: Index, report: Reporter) -> Summary:
    """Make the index hold the documents of these sources, and no others.

    A document that cannot be read is reported, counted and not in the index; the others are. Every document is one
    transaction of the index, and removals come last: stopped at any moment, an ingest is finished by the next one.
    Raises SourceError if a source cannot be listed or if there is no document in any, StoreError and ProviderError.
    """
    begun = time.perf_counter()
    run = _Run(index, report, index.digests())
    others: set[Other] = set()
    documents = _listed(list(sources), run.fault, others)
    report.begin(len(documents))
    index.begin()
    for document in documents:
        run.take(document)
    run.write()
    run.forget()
    index.finish()
    kinds = Counter(other.kind for other in others)
    return Summary(len(run.kept), run.change, tuple(run.faults), time.perf_counter() - begun, kinds)


@dataclass(slots=True)
class _Run:
    """One ingest while it goes on."""

    index: Index
    report: Reporter
    known: dict[str, str]  # source -> digest, as the index had it at the start
    kept: set[str] = field(default_factory=set)
    skipped: set[str] = field(default_factory=set)  # unchanged ones, whose chunks were not looked at
    change: Change = field(default_factory=Change)
    faults: list[Unread] = field(default_factory=list)
    waiting: list[tuple[str, str, list[Chunk]]] = field(default_factory=list)  # source, digest, chunks
    chunks: int = 0  # of those

    def take(self, document: Document) -> None:
        """Parse one document if it changed, and index what waits if that is enough."""
        source = document.source
        try:
            digest = stamp(document)
            if self.known.get(source) == digest:
                self.skipped.add(source)
                self.report.done()
            else:
                self.waiting.append((source, digest, _chunks_of(document)))
                self.chunks += len(self.waiting[-1][2])
        except SourceError as error:
            self.fault(Unread(source, error.message, error.hint))
            self.report.done()
            return
        self.kept.add(source)
        if self.chunks >= TOGETHER:
            self.write()

    def write(self) -> None:
        """Index the documents that wait."""
        self.index.embed([chunk for *_, chunks in self.waiting for chunk in chunks])
        for source, digest, chunks in self.waiting:
            self.change += self.index.replace(source, digest, chunks)
        self.report.done(len(self.waiting))
        self.waiting, self.chunks = [], 0

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


def load_chunks(sources: Iterable[Source], unread: Callable[[Unread], None]) -> list[Chunk]:
    """The chunks of all documents in order, each document once; `unread` is told what cannot be read.

    Raises SourceError if a source cannot be listed, or if no document of any can be read.
    """
    opened = list(sources)
    found: list[Chunk] = []
    for document in _listed(opened, unread, set()):
        try:
            found += _chunks_of(document)
        except SourceError as error:
            unread(Unread(document.source, error.message, error.hint))
    if not found:
        raise _nothing(opened)
    return found


def _chunks_of(document: Document) -> list[Chunk]:
    return chunk(read_blocks(document.source, document.read()), document.source, document.tags)


def _listed(sources: Sequence[Source], unread: Callable[[Unread], None], others: set[Other]) -> list[Document]:
    """The documents of all sources, each name once, in order; `unread` is told what is in the way, `others` gets what
    is no document."""
    found: dict[str, Document] = {}
    bare: list[str] = []
    for source in sources:
        entries = list(source.documents())
        bare += [] if any(not isinstance(entry, Other) for entry in entries) else [source.address]
        for entry in entries:
            if isinstance(entry, Other):
                others.add(entry)
            elif isinstance(entry, Unread):
                unread(entry)
            else:
                found.setdefault(entry.source, entry)
    if not found:
        raise _nothing(sources)
    for address in bare:
        unread(Unread(address, "has no documents", f"documents are {NAMES}"))
    return list(found.values())


def _nothing(sources: Sequence[Source]) -> SourceError:
    places = ", ".join(source.address for source in sources) or "no source"
    return SourceError(f"{places}: no document that can be read", f"documents are {NAMES}")
