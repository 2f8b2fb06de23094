"""What is written to the index on a server: chunks (text, words, vectors of the windows), and documents (places)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gate.providers.base import Embedder
from gate.records import Chunk
from gate.store.elasticsearch_bulk import Entry, entry
from gate.store.terms import terms
from gate.store.vectors import of_windows


def chunk_entries(embedder: Embedder, source: str, texts: Mapping[str, str]) -> list[Entry]:
    """An entry for each text (chunk id -> text) of a document; one batch for the embedder. Errors: the embedder's."""
    found = of_windows(embedder, texts)
    return [_entry(source, name, text, found[name].tolist()) for name, text in texts.items()]


def document_body(source: str, digest: str, chunks: Sequence[Chunk]) -> dict[str, Any]:
    """A document with the places of its chunks."""
    return {
        "source": source,
        "digest": digest,
        "chunks": [chunk.id for chunk in chunks],
        "places": [
            {
                "heading": chunk.heading,
                "lines": chunk.lines,
                "turns": [{"line": line, "heading": heading} for line, heading in chunk.turns],
            }
            for chunk in chunks
        ],
    }


def _entry(source: str, name: str, text: str, windows: list[list[int]]) -> Entry:
    # A vector of zeros has no direction: the server refuses it, and nothing is near to it.
    vectors = [{"vector": vector} for vector in windows if any(vector)]
    body = {"chunk": name, "text": text, "words": " ".join(terms(text)), "windows": vectors}
    return entry(name, body, source)
