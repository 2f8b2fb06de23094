"""The retriever on questions with labelled sources: what each ranking of the index finds, which questions fail, and the
text of both for a terminal.

A labelled source says where in the documents the answer to a question stands, as people or `gate dataset` have it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

from gate.errors import InputFileError, UsageError
from gate.files import Row, read_rows
from gate.providers.replay import with_ids
from gate.records import Chunk
from gate.reports import safe, words
from gate.reports.calibration import FigureEntry
from gate.statistics.ranking import averaged, gains, rated
from gate.store.base import Ranking, Store
from gate.store.passages import best_passages, cut
from gate.store.ranking import DEPTH

SCHEMA_VERSION = "1.0"
WAYS = ("bm25", "knn", "fused")
MEASURES = ("hit_rate", "mrr", "recall", "ndcg")
SHOWN = 10  # questions that fail
NAMES = {"bm25": "BM25", "knn": "kNN", "fused": "fused"}
WORDS = {"hit_rate": "hit rate", "mrr": "MRR", "recall": "recall", "ndcg": "nDCG"}
MOST = 1000  # places of one question
_PLACES = 3  # of them that are shown
_HINT = (
    'a line needs `question`, and names its place as `"source": "docs/a.md", "line": 12`, or several as'
    ' `"sources": [{"source": ..., "line": ...}]`'
)
_BATCH = 50  # questions of one search: what is found for many more would fill the memory
_TEXT = 400  # characters of a passage that is shown
_SOURCES = 3  # documents named in an error
Values = Mapping[str, Mapping[str, float]]  # ranking -> measure -> value


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


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line of a document (a page of a PDF); line 0 is the whole document."""

    source: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question and the places, each once, that answer it."""

    id: str
    question: str
    places: tuple[Place, ...]


def read_labelled(path: Path) -> tuple[list[LabelledQuestion], int]:
    """The questions with a place, in the order of the file, and how many have none.

    Errors: InputFileError with file and line, and for a file in which no question has a place.
    """
    found = [
        LabelledQuestion(name, row.text("question"), places(row))
        for row, name in with_ids(read_rows(path, needs=_HINT), str(path))
    ]
    labelled = [one for one in found if one.places]
    if not labelled:
        what = f"none of its {len(found)} questions has a labelled source" if found else "there is nothing in it"
        raise InputFileError(f"{path}: {what}", _HINT)
    return labelled, len(found) - len(labelled)


def places(row: Row) -> tuple[Place, ...]:
    """`source` with `line`, then those of `sources`: objects with `source` and `line`, or names of documents."""
    many = row.fields.get("sources")
    entries = many if isinstance(many, list) else [] if many is None else [many]
    if len(entries) > MOST:
        raise row.fault(f"`sources` has more than {MOST} places")
    given = [row.fields] if row.fields.get("source") not in (None, "") else []
    return tuple(dict.fromkeys(_place(row, entry) for entry in [*given, *entries]))


def _place(row: Row, entry: Any) -> Place:
    fields = {"source": entry} if isinstance(entry, str) else entry
    if not isinstance(fields, dict):
        raise row.fault("`sources` must hold objects with `source` and `line`")
    one = Row(row.path, row.line, fields, row.needs)
    line = one.number("line") or 0
    if line != int(line):
        raise row.fault("`line` must be a whole number")
    return Place(one.text("source"), int(line))


class Held(NamedTuple):
    """Of the index: its documents, how many distinct chunks, and which of them hold each labelled place."""

    documents: tuple[str, ...]
    chunks: int
    places: Mapping[Place, frozenset[str]]


class Asked(NamedTuple):
    """The name of a file, its questions with a labelled place, and how many others it has."""

    name: str
    questions: Sequence[LabelledQuestion]
    left_out: int = 0


def check(
    asked: Asked, store: Store, k: int, embedder: str, done: Callable[[], None] = lambda: None
) -> RetrievalDocument:
    """The figures of BM25, kNN and both fused at `k` (1..DEPTH), each with its interval, and every question; `done` is
    called for each as it is answered.

    Errors: UsageError where none of the labelled places is in the index; those of the store.
    """
    held = hold(store.chunks(), {place for one in asked.questions for place in one.places})
    if not any(held.places.values()):
        raise _strange(asked, held)
    rows = []
    for first in range(0, len(asked.questions), _BATCH):
        some = asked.questions[first : first + _BATCH]
        for one, ranking in zip(some, store.rankings([one.question for one in some], DEPTH), strict=True):
            rows.append(_row(one, ranking, held, k))
            done()
    entries = [entry for entry, _ in rows]
    return RetrievalDocument(
        schema_version=SCHEMA_VERSION,
        data=asked.name,
        k=k,
        depth=DEPTH,
        documents=len(held.documents),
        chunks=held.chunks,
        index=store.fingerprint(),
        embedder=embedder,
        left_out=asked.left_out,
        not_indexed=sum(not any(place["indexed"] for place in entry["expected"]) for entry in entries),
        figures=_figures([values for _, values in rows]),
        questions=entries,
    )


def hold(chunks: Iterable[Chunk], wanted: Iterable[Place]) -> Held:
    """The chunks that hold each place: those with text on that very line; where there are none (a paragraph that was
    joined, a blank line) those that begin above it and end below."""
    lines: dict[str, set[int]] = {}
    for place in wanted:
        lines.setdefault(place.source, set()).add(place.line)
    documents: dict[str, None] = {}
    ids: set[str] = set()
    exact: dict[Place, set[str]] = {Place(source, line): set() for source, some in lines.items() for line in some}
    around: dict[Place, set[str]] = {place: set() for place in exact}
    for chunk in chunks:
        documents.setdefault(chunk.source)
        ids.add(chunk.id)
        asked = lines.get(chunk.source, set())
        for line in asked & {0, *chunk.lines}:
            exact[Place(chunk.source, line)].add(chunk.id)
        for line in asked & set(range(min(chunk.lines, default=0), max(chunk.lines, default=0))):
            around[Place(chunk.source, line)].add(chunk.id)
    return Held(tuple(documents), len(ids), {place: frozenset(exact[place] or around[place]) for place in exact})


def _row(one: LabelledQuestion, ranking: Ranking, held: Held, k: int) -> tuple[QuestionEntry, Values]:
    """A question as it is reported, and the values of its rankings."""
    places = [held.places[place] for place in one.places]
    hits = dict(zip(WAYS, (ranking.words, ranking.vectors, ranking.fused), strict=True))
    ids = {way: [hit.chunk_id for hit in found] for way, found in hits.items()}
    ranks = {
        way: next((rank for rank, gain in enumerate(gains(ids[way], places, DEPTH), 1) if gain), None) for way in WAYS
    }
    failed = ranks["fused"] is None or ranks["fused"] > k
    entry = QuestionEntry(
        id=one.id,
        question=one.question,
        expected=[{"source": at.source, "line": at.line, "indexed": bool(held.places[at])} for at in one.places],
        ranks=ranks,
        failed=failed,
        found=_found(one.question, ranking) if failed else None,
    )
    return entry, {way: rated(ids[way], places, k) for way in WAYS}


def _found(question: str, ranking: Ranking) -> FoundEntry | None:
    """What speaks most of the question in the chunk that was ranked first."""
    for hit in ranking.fused[:1]:
        passage = next(iter(best_passages(question, [cut(hit)], 1)), hit)
        return FoundEntry(source=passage.source, line=passage.line, text=passage.text[:_TEXT])
    return None


def _figures(values: Sequence[Values]) -> dict[str, dict[str, FigureEntry]]:
    return {
        way: {
            name: {"value": figure.value, "interval": list(figure.interval) if figure.interval else None}
            for name, figure in averaged([one[way] for one in values]).items()
        }
        for way in WAYS
    }


def _strange(asked: Asked, held: Held) -> UsageError:
    """Names that do not meet: mostly a folder that one side names and the other does not."""
    labelled = list(dict.fromkeys(place.source for one in asked.questions for place in one.places))
    known = set(held.documents)
    if any(source in known for source in labelled):
        what = "no chunk of the index holds any of its labelled lines"
        return UsageError(f"{asked.name}: {what}", "did the documents change? label them again, or `gate ingest` them")
    here, there = (", ".join(name[:200] for name in names[:_SOURCES]) for names in (labelled, held.documents))
    return UsageError(
        f"{asked.name}: none of its labelled sources is in the index (it names {here}; the index has {there})",
        "a source is named as `gate ingest` names it: its path from the folder that ingest was run in",
    )


def describe(document: RetrievalDocument) -> str:
    """The figures and the questions that fail, as plain text; nothing in it can move a cursor or command a runner."""
    return safe.workflow_safe("\n".join([*_head(document), *_table(document), *_failures(document)])) + "\n"


def _head(document: RetrievalDocument) -> Iterator[str]:
    asked = words.count(len(document["questions"]), "question")
    where = f"{words.count(document['documents'], 'document')}, {words.count(document['chunks'], 'chunk')}"
    yield from ("", f"questions  {safe.line(document['data'])}: {asked} with a labelled source", f"index      {where}")
    if document["chunks"] <= document["k"]:
        yield "note       the index has no more chunks than -k takes: each search finds every place, which says nothing"
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
        yield f"  {safe.line(one['id'], 80)}  {safe.line(one['question'], 200)}"
        yield f"    expected  {_expected(one)}  ({_ranks(one, document['depth'])})"
        if one["found"]:
            found = one["found"]
            yield f"    found     {safe.place(found['source'], found['line'])}  {safe.line(found['text'], 160)}"
    if len(failed) > SHOWN:
        yield f"  and {len(failed) - SHOWN:,} more: -o FILE.json has all of them"


def _expected(one: QuestionEntry) -> str:
    return ", ".join(words.shortened(one["expected"], _PLACES, lambda each: safe.place(each["source"], each["line"])))


def _ranks(one: QuestionEntry, depth: int) -> str:
    if not any(each["indexed"] for each in one["expected"]):
        return "not in the index"
    ranks = [f"{NAMES[way]} {rank}" for way, rank in one["ranks"].items() if rank]
    return f"found at rank: {', '.join(ranks)}" if ranks else f"not among the first {depth} of any ranking"
