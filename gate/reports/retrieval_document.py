"""The retrieval document: the shape of the JSON that `gate dataset retrieval -o` writes."""

from __future__ import annotations

import json
from typing import TypedDict

from gate.reports.calibration_document import FigureEntry

SCHEMA_VERSION = "1.0"
WAYS = ("bm25", "knn", "fused")
MEASURES = ("hit_rate", "mrr", "recall", "ndcg")


class PlaceEntry(TypedDict):
    """A labelled place; line 0 is the whole document. `indexed`: whether any chunk of the index holds it."""

    source: str
    line: int
    indexed: bool


class FoundEntry(TypedDict):
    """The passage that was found first: verbatim text of `source` from `line` on."""

    source: str
    line: int
    text: str


class QuestionEntry(TypedDict):
    """`ranks`: by BM25, by kNN and fused, the rank of the first chunk with a labelled place; null where none of the
    first `depth` has one. `failed`: the fused ranking has none among its first k. `found`: only where it failed."""

    id: str
    question: str
    expected: list[PlaceEntry]
    ranks: dict[str, int | None]
    failed: bool
    found: FoundEntry | None


class RetrievalDocument(TypedDict):
    """How well the index finds labelled places: `figures` is ranking -> measure -> figure, over all `questions`;
    `left_out` counts questions without a labelled place, `not_indexed` those of which no place is in the index."""

    schema_version: str
    data: str
    k: int
    depth: int
    documents: int
    chunks: int
    index: str
    embedder: str
    left_out: int
    not_indexed: int
    figures: dict[str, dict[str, FigureEntry]]
    questions: list[QuestionEntry]


def render(document: RetrievalDocument) -> str:
    """The document as JSON."""
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
