"""Measures retrieval: how often the labelled line is among the first chunks and passages, by BM25, kNN and both
(`fused`: as a run does it, without kNN where words settle a query).

`python benchmarks/retrieval.py --shared FOLDER`: every labelled claim is a query, each text once, and the claims that
are not in the documents are left out. Besides the cases, the claims about manuals (the passages of a
manual are one index, a claim should find the one that it was written about): choices are made on those named `train`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from gate.agents.retrieve_evidence import CHUNKS, PASSAGES
from gate.providers.local_embedder import LocalEmbedder
from gate.records import Evidence
from gate.store.base import Ranking
from gate.store.embedded import EmbeddedStore, open_for_writing
from gate.store.passages import best_passages, cut
from gate.store.ranking import DEPTH, LOOKED, WORDS_WEIGHT, fuse, settled
from ingest.chunk import chunk
from ingest.formats import read_blocks

RANKS = (1, 3, 5)
NAMES = {"words": "BM25", "vectors": "kNN", "both": "fused, kNN always", "fused": "fused"}


class Corpus(NamedTuple):
    """Documents, and for each query the places (source, line) that answer it."""

    name: str
    documents: dict[str, bytes]
    wanted: dict[str, set[tuple[str, int]]]


def cases(shared: Path) -> Corpus:
    folder = shared / "data/docs/httpx"
    documents = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.md"))}
    wanted: dict[str, set[tuple[str, int]]] = {}
    for answer in map(json.loads, (shared / "data/cases/httpx.jsonl").read_text(encoding="utf-8").splitlines()):
        for claim in answer["claims"]:
            if claim["line"]:
                wanted.setdefault(claim["claim"], set()).add((claim["source"], claim["line"]))
    return Corpus("httpx", documents, wanted)


def manual(path: Path) -> Corpus:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    documents = {f"{row['meta']['pid']}.txt": row["evidence"] for row in rows}
    wanted: dict[str, set[tuple[str, int]]] = {}
    for row in rows:
        source = f"{row['meta']['pid']}.txt"
        start = documents[source].find(row["quote"]) if row["quote"] else -1
        if start >= 0:
            place = (source, documents[source].count("\n", 0, start) + 1)
            wanted.setdefault(row["claim"], set()).add(place)
    name = path.name.removeprefix("docs_").removesuffix(".jsonl.gz")
    return Corpus(name, {source: text.encode() for source, text in documents.items()}, wanted)


def fill(store: EmbeddedStore, corpus: Corpus) -> int:
    return sum(
        store.replace(source, "", chunk(read_blocks(source, data), source)).added
        for source, data in corpus.documents.items()
    )


def rows(store: EmbeddedStore, corpus: Corpus) -> Iterator[tuple[str, str, list[float]]]:
    """Level, ranking, and the recall at RANKS."""
    queries = list(corpus.wanted)
    rankings = store.rankings(queries, DEPTH)
    chunks = {way: [getattr(ranking, way) for ranking in rankings] for way in ("words", "vectors", "fused")}
    chunks["both"] = [together(ranking) for ranking in rankings]
    cuts = {found.chunk_id: cut(found) for way in NAMES for ranking in chunks[way] for found in ranking}
    told = sum(
        settled(query, [cuts[one.chunk_id] for one in words[:LOOKED]])
        for query, words in zip(queries, chunks["words"], strict=True)
    )
    print(f"settled by words, without kNN: {told / len(queries):.3f} of the queries\n")
    print("| level | ranking | " + " | ".join(f"recall@{rank}" for rank in RANKS) + " |")
    print("| --- | --- |" + " ---: |" * len(RANKS))
    for way, name in NAMES.items():
        yield "chunk", name, recall(corpus, chunks[way])
    for way, name in NAMES.items():
        found = [
            best_passages(query, [cuts[one.chunk_id] for one in ranking[:CHUNKS]], PASSAGES)
            for query, ranking in zip(queries, chunks[way], strict=True)
        ]
        yield "passage", name, recall(corpus, found)


def together(ranking: Ranking) -> list[Evidence]:
    """Both rankings fused, also where words settle the query."""
    shown = {one.chunk_id: one for one in (*ranking.words, *ranking.vectors)}
    lists = [[one.chunk_id for one in ranked] for ranked in (ranking.words, ranking.vectors)]
    fused = fuse(lists, order=lambda name: (shown[name].source, shown[name].line), weights=(WORDS_WEIGHT, 1.0))
    return [shown[name] for name, _ in fused]


def recall(corpus: Corpus, found: Iterable[Sequence[Evidence]]) -> list[float]:
    hits = [
        [any((one.source, line) in places for line in one.lines) for one in ranking]
        for places, ranking in zip(corpus.wanted.values(), found, strict=True)
    ]
    return [sum(any(hit[:rank]) for hit in hits) / len(hits) for rank in RANKS]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("GATE_SHARED", "../shared")))
    parser.add_argument("--all", action="store_true", help="all manuals (default: the cases and one manual)")
    arguments = parser.parse_args()
    manuals = sorted((arguments.shared / "data/judge").glob("docs_*.jsonl.gz"))
    corpora = [cases(arguments.shared), *(manual(path) for path in (manuals if arguments.all else manuals[:1]))]
    embedder = LocalEmbedder()
    for corpus in corpora:
        with tempfile.TemporaryDirectory() as folder:
            store = open_for_writing(Path(folder) / "index.sqlite", embedder)
            count = fill(store, corpus)
            print(f"\n{corpus.name}: {count} chunks, {len(corpus.wanted)} queries\n")
            for level, way, figures in rows(store, corpus):
                print(f"| {level} | {way} | " + " | ".join(f"{figure:.3f}" for figure in figures) + " |", flush=True)
            store.close()


if __name__ == "__main__":
    main()
