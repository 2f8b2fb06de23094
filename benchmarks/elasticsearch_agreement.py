"""Holds the Elasticsearch store against the embedded one: do they find the same evidence.

    python benchmarks/elasticsearch_agreement.py [--shared FOLDER] [--host URL] [--int8]

The labelled claims about the HTTPX documents are the queries. Agreement@1 is the share of queries with the same first
chunk, agreement@5 the mean share of the embedded store's first 5 that are among the other's first 5.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.retrieval import cases, recall  # noqa: E402
from gate.config import Elasticsearch  # noqa: E402
from gate.providers.embedding import CachedEmbedder
from gate.providers.local_embedder import LocalEmbedder  # noqa: E402
from gate.records import Evidence  # noqa: E402
from gate.store.base import Index  # noqa: E402
from gate.store.elasticsearch.writing import open_for_writing as open_remote  # noqa: E402
from gate.store.embedded import open_for_writing as open_local  # noqa: E402
from ingest.chunk import chunk  # noqa: E402
from ingest.formats import read_blocks  # noqa: E402

Found = list[list[Evidence]]


def timed(work: Callable[[], Found]) -> tuple[float, Found]:
    begun = time.perf_counter()
    found = work()
    return time.perf_counter() - begun, found


def agreement(local: Found, remote: Found, k: int) -> float:
    pairs = [({x.chunk_id for x in a[:k]}, {x.chunk_id for x in b[:k]}) for a, b in zip(local, remote, strict=True)]
    return sum(len(a & b) / len(a) for a, b in pairs) / len(pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("GATE_SHARED", "../shared")))
    parser.add_argument("--host", default=os.environ.get("ES_HOST", "http://127.0.0.1:9200"))
    parser.add_argument("--int8", action="store_true")
    arguments = parser.parse_args()
    corpus = cases(arguments.shared)
    queries = list(corpus.wanted)
    embedder = CachedEmbedder(LocalEmbedder())  # what is measured here is the stores
    settings = Elasticsearch(host=arguments.host, index="gate-agreement", int8=arguments.int8)
    with tempfile.TemporaryDirectory() as folder:
        stores: list[Index] = [
            open_local(Path(folder) / "index.sqlite", embedder),
            open_remote(settings, embedder, os.environ),
        ]
        for store in stores:
            for source, data in corpus.documents.items():
                store.replace(source, "", chunk(read_blocks(source, data), source))
            store.finish()
            store.search(queries[:1], 1)
        (one, local), (two, remote) = (timed(lambda store=store: store.search(queries, 8)) for store in stores)
        print(f"{len(corpus.documents)} documents, {len(queries)} queries, int8: {arguments.int8}")
        print(f"same fingerprint: {stores[0].fingerprint() == stores[1].fingerprint()}")
        print(f"agreement@1 {agreement(local, remote, 1):.3f}, agreement@5 {agreement(local, remote, 5):.3f}, "
              f"@8 {agreement(local, remote, 8):.3f}")  # fmt: skip
        print("recall@1 3 5: embedded " + " ".join(f"{figure:.3f}" for figure in recall(corpus, local)), end=", ")
        print("Elasticsearch " + " ".join(f"{figure:.3f}" for figure in recall(corpus, remote)))
        print(f"all queries, vectors at hand: embedded {one:.2f} s, Elasticsearch {two:.2f} s")
        for store in stores:
            store.close()


if __name__ == "__main__":
    main()
