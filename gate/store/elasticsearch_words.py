"""Words asked of a server so that it ranks as the embedded store does: BM25 with the weights of FTS5."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from gate.store.elasticsearch_server import Server

_STATISTICS = {"fields": ["words"], "term_statistics": True, "positions": False, "offsets": False, "payloads": False}
_TEXTS = 50  # of one request


def word_queries(server: Server, index: str, texts: Sequence[str]) -> list[dict[str, Any]]:
    """A query for each text: its words as the index's analyzer makes them, weighted.

    Lucene gives a word that stands in n of N chunks the weight ln(1 + (N - n + 0.5) / (n + 0.5)); FTS5 leaves out the
    1 and gives nearly nothing to words of more than half of the chunks. All else in the two BM25s is alike (k1 = 1.2,
    b = 0.75), so each word is boosted by the quotient. Errors: StoreError.
    """
    queries: list[dict[str, Any]] = []
    for first in range(0, len(texts), _TEXTS):
        body = {"docs": [{"doc": {"words": text}, **_STATISTICS} for text in texts[first : first + _TEXTS]]}
        answer = server.ask_each(f"/{index}/_mtermvectors", body)
        with server.understood():
            found = [one.get("term_vectors", {}).get("words") for one in answer]
            queries += [_query(words) if words else {"match_none": {}} for words in found]
    return queries


def _query(words: Mapping[str, Any]) -> dict[str, Any]:
    chunks = int(words["field_statistics"]["doc_count"])
    clauses = []
    for term, statistics in words["terms"].items():
        if holding := int(statistics.get("doc_freq", 0)):
            boost = int(statistics["term_freq"]) * _quotient(chunks, holding)
            clauses.append({"term": {"words": {"value": term, "boost": boost}}})
    return {"bool": {"should": clauses}} if clauses else {"match_none": {}}


def _quotient(chunks: int, holding: int) -> float:
    """FTS5's weight of a word by Lucene's. Deleted chunks may count among those that hold it, until a merge."""
    ratio = max(chunks - holding, 0) + 0.5
    return max(1e-6, math.log(ratio / (holding + 0.5))) / math.log1p(ratio / (holding + 0.5))
