"""The chunks of documents without an index: read, cut, and handed over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from gate.errors import SourceError
from gate.records import Chunk
from ingest.chunk import chunk
from ingest.formats import NAMES, read_blocks
from ingest.sources import Document, Source, Unread


def pieces(sources: Iterable[Source], unread: Callable[[Unread], None]) -> list[Chunk]:
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
