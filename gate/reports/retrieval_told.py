"""How well the index finds labelled places, on a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from gate.reports import telling
from gate.reports.calibration_document import FigureEntry
from gate.reports.retrieval_document import MEASURES, WAYS, QuestionEntry, RetrievalDocument
from gate.reports.safe import line, place, workflow_safe

SHOWN = 10
NAMES = {"bm25": "BM25", "knn": "kNN", "fused": "fused"}
WORDS = {"hit_rate": "hit rate", "mrr": "MRR", "recall": "recall", "ndcg": "nDCG"}
_PLACES = 3  # of one question


def told(document: RetrievalDocument) -> str:
    """The figures and the questions that fail, as plain text; nothing in it can move a cursor or command a runner."""
    return workflow_safe("\n".join([*_head(document), *_table(document), *_failures(document)])) + "\n"


def _head(document: RetrievalDocument) -> Iterator[str]:
    asked = telling.count(len(document["questions"]), "question")
    where = f"{telling.count(document['documents'], 'document')}, {telling.count(document['chunks'], 'chunk')}"
    yield from ("", f"questions  {line(document['data'])}: {asked} with a labelled source", f"index      {where}")
    if document["chunks"] <= document["k"]:
        yield "note       the index has no more chunks than count: a search that returns all of them finds every place"
    if document["left_out"]:
        yield f"note       {telling.count(document['left_out'], 'question')} without a labelled source left out"
    if document["not_indexed"]:
        yield (
            f"note       no labelled place of {telling.count(document['not_indexed'], 'question')} is in the index: "
            "counted as not found"
        )


def _table(document: RetrievalDocument) -> Iterator[str]:
    yield from ("", "  " + "".join([" " * 12, *(f"{NAMES[way]:24}" for way in WAYS)]).rstrip())
    for name in MEASURES:
        cells = (f"{_figure(document['figures'][way][name]):24}" for way in WAYS)
        yield f"  {WORDS[name] + '@' + str(document['k']):12}{''.join(cells)}".rstrip()


def _figure(figure: FigureEntry) -> str:
    return f"{telling.number(figure['value'])} ({telling.interval(figure['interval'])})"


def _failures(document: RetrievalDocument) -> Iterator[str]:
    failed = [one for one in document["questions"] if one["failed"]]
    if not failed:
        yield from ("", f"every question finds a labelled place among its first {document['k']}")
        return
    some = telling.count(len(document["questions"]), "question")
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
