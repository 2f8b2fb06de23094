"""Chunks as entries of the index on a server: the text, its words, and the vectors of its windows."""

from __future__ import annotations

from collections.abc import Mapping

from gate.providers.base import Embedder
from gate.store.elasticsearch_bulk import Entry, entry
from gate.store.terms import terms
from gate.store.vectors import of_windows


def chunk_entries(embedder: Embedder, source: str, texts: Mapping[str, str]) -> list[Entry]:
    """An entry for each text (chunk id -> text) of a document; one batch for the embedder. Errors: the embedder's."""
    found = of_windows(embedder, texts)
    return [_entry(source, name, text, found[name].tolist()) for name, text in texts.items()]


def _entry(source: str, name: str, text: str, windows: list[list[int]]) -> Entry:
    # A vector of zeros has no direction: the server refuses it, and nothing is near to it.
    vectors = [{"vector": vector} for vector in windows if any(vector)]
    body = {"chunk": name, "text": text, "words": " ".join(terms(text)), "windows": vectors}
    return entry(name, body, source)
