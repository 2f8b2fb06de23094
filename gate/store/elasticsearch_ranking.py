"""The two rankings of a server: chunks by words (BM25) and by vectors (kNN), many queries in one request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gate.store.elasticsearch_reading import Documents, Snapshot, search_lines
from gate.store.elasticsearch_words import word_queries
from gate.store.reading import DEPTH
from gate.store.terms import query_terms

CANDIDATES = 500  # windows that the graph looks at for a query: benchmarks/README.md, "Elasticsearch"
_SEARCHES = 100  # of one _msearch


def by_words(documents: Documents, snapshot: Snapshot, texts: Sequence[str]) -> dict[str, list[int]]:
    """For each text the places of DEPTH chunks by BM25, best first, equal scores by place; nothing for a text without
    words. Errors: StoreError."""
    asked = {text: terms for text in texts if (terms := " ".join(query_terms(text)))}
    queries = word_queries(documents.server, documents.index, list(asked.values()))
    found = _places(documents, snapshot, [{"query": query} for query in queries])
    return dict(zip(asked, found, strict=True))


def by_vectors(documents: Documents, snapshot: Snapshot, vectors: Sequence[Sequence[int]]) -> list[list[int]]:
    """The places of DEPTH chunks by kNN for each vector, best first, equal scores by place. Errors: StoreError."""
    return _places(documents, snapshot, [_near(vector) for vector in vectors])


def _near(vector: Sequence[int]) -> dict[str, Any]:
    if not any(vector):  # a vector of zeros is near to nothing, and a fault to the server
        return {"query": {"match_none": {}}}
    field = {"field": "windows.vector", "k": DEPTH, "num_candidates": CANDIDATES}
    return {"knn": {**field, "query_vector": vector}}


def _places(documents: Documents, snapshot: Snapshot, searches: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    found: list[list[int]] = []
    for first in range(0, len(searches), _SEARCHES):
        lines = [line for one in searches[first : first + _SEARCHES] for line in search_lines({"size": DEPTH, **one})]
        answers = documents.server.ask_many(f"/{documents.index}/_msearch", lines)
        with documents.server.understood():
            found += [_ranked(snapshot, answer["hits"]["hits"]) for answer in answers]
    return found


def _ranked(snapshot: Snapshot, hits: Sequence[Mapping[str, Any]]) -> list[int]:
    """Hits as places; a chunk that no document holds (an ingest is going on, or was stopped) is left out."""
    pairs = [(-float(hit["_score"]), snapshot.places.get(hit["_id"])) for hit in hits]
    return [place for _, place in sorted((score, place) for score, place in pairs if place is not None)]
