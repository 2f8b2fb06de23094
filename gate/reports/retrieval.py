"""The retrieval document, the JSON that `gate dataset retrieval -o` writes, and its text for a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TypedDict

from gate.reports import words
from gate.reports.calibration import FigureEntry
from gate.reports.safe import line, place, workflow_safe

SCHEMA_VERSION = "1.0"
WAYS = ("bm25", "knn", "fused")
MEASURES = ("hit_rate", "mrr", "recall", "ndcg")
SHOWN = 10
NAMES = {"bm25": "BM25", "knn": "kNN", "fused": "fused"}
WORDS = {"hit_rate": "hit rate", "mrr": "MRR", "recall": "recall", "ndcg": "nDCG"}
_PLACES = 3  # of one question


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


def describe(document: RetrievalDocument) -> str:
    """The figures and the questions that fail, as plain text; nothing in it can move a cursor or command a runner."""
    return workflow_safe("\n".join([*_head(document), *_table(document), *_failures(document)])) + "\n"


def _head(document: RetrievalDocument) -> Iterator[str]:
    asked = words.count(len(document["questions"]), "question")
    where = f"{words.count(document['documents'], 'document')}, {words.count(document['chunks'], 'chunk')}"
    yield from ("", f"questions  {line(document['data'])}: {asked} with a labelled source", f"index      {where}")
    if document["chunks"] <= document["k"]:
        yield "note       the index has no more chunks than count: a search that returns all of them finds every place"
    if document["left_out"]:
        yield f"note       {words.count(document['left_out'], 'question')} without a labelled source left out"
    if document["not_indexed"]:
        yield (
            f"note       no labelled place of {words.count(document['not_indexed'], 'question')} is in the index: "
            "counted as not found"
        )


def _table(document: RetrievalDocument) -> Iterator[str]:
    yield from ("", "  " + "".join([" " * 12, *(f"{NAMES[way]:24}" for way in WAYS)]).rstrip())
    for name in MEASURES:
        figures = [document["figures"][way][name] for way in WAYS]
        cells = (f"{words.number(one['value'])} ({words.interval(one['interval'])})".ljust(24) for one in figures)
        yield f"  {WORDS[name] + '@' + str(document['k']):12}{''.join(cells)}".rstrip()


def _failures(document: RetrievalDocument) -> Iterator[str]:
    failed = [one for one in document["questions"] if one["failed"]]
    if not failed:
        yield from ("", f"every question finds a labelled place among its first {document['k']}")
        return
    some = words.count(len(document["questions"]), "question")
    find = "finds no labelled place among its" if len(failed) == 1 else "find no labelled place among their"
    yield from ("", f"{len(failed):,} of {some} {find} first {document['k']} (fused)")
    for one in failed[:SHOWN]:
        yield f"  {line(one['id'], 80)}  {line(one['question'], 200)}"
        yield f"    expected  {_expected(one)}  ({_ranks(one, document['depth'])})"
        if one["found"]:
            found = one["found"]
            yield f"    found     {place(found['source'], found['line'])}  {line(found['text'], 160)}"
    if len(failed) > SHOWN:
        yield f"  and {len(failed) - SHOWN:,} more: -o FILE.json has all of them"


def _expected(one: QuestionEntry) -> str:
    places = [place(each["source"], each["line"]) for each in one["expected"]]
    more = [f"and {len(places) - _PLACES:,} more"] if len(places) > _PLACES else []
    return ", ".join([*places[:_PLACES], *more])


def _ranks(one: QuestionEntry, depth: int) -> str:
    if not any(each["indexed"] for each in one["expected"]):
        return "not in the index"
    ranks = [f"{NAMES[way]} {rank}" for way, rank in one["ranks"].items() if rank]
    return f"found at rank: {', '.join(ranks)}" if ranks else f"not among the first {depth} of any ranking"
