"""The embedded store from 1,000 chunks upwards: build, size, opening, a batch of searches, memory.

    python benchmarks/index_scale.py [--chunks 1000,10000,100000] [--folder SCRATCH] [--elasticsearch URL]

Seconds are processor seconds of this process: other work on the machine moves them least. A server works in another
process: with --elasticsearch they are those of the clock, and the size is that of its index.
Texts are drawn from 50,000 words by Zipf's law, 150 words a chunk, 20 chunks a document; a query has 8 words that are
not among the 100 most frequent ones, which stand for the stop words. Vectors are drawn, 384 numbers and two windows a
chunk: the figures are the store's and not the embedder's. Each size runs in a process of its own.
"""

from __future__ import annotations

import argparse
import hashlib
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
import numpy as np
from numpy.typing import NDArray

from gate.config import Elasticsearch
from gate.records import Chunk
from gate.store import index_for_writing, store_for_reading

WORDS, STOP, LENGTH, EACH, QUERIES = 50_000, 100, 150, 20, 240


class Drawn:
    """An embedder whose vectors are drawn from the text's hash."""

    name, dimension = "drawn", 384

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, 384), the same for the same text."""
        seeds = [int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) for text in texts]
        rows = [np.random.default_rng(seed).standard_normal(self.dimension, np.float32) for seed in seeds]
        return np.array(rows, np.float32).reshape(-1, self.dimension)

    def windows(self, text: str) -> list[str]:
        """Two halves."""
        half = len(text) // 2
        return [text[:half], text[half:]]


def documents(chunks: int) -> Iterator[tuple[str, list[Chunk]]]:
    """The chunks of each document, drawn."""
    rng = np.random.default_rng(0)
    for first in range(0, chunks, EACH):
        source, made = f"{first:08}.md", []
        for _ in range(min(EACH, chunks - first)):
            text = " ".join(f"w{n % WORDS}" for n in rng.zipf(1.2, LENGTH)) + "."
            made.append(Chunk(hashlib.sha256(text.encode()).hexdigest(), text, source, "", (1,), ()))
        yield source, made


def measure(chunks: int, folder: Path, url: str) -> None:
    """Print the line of one size."""
    path, embedder, clock = folder / "index.sqlite", Drawn(), time.perf_counter if url else time.process_time
    settings = Elasticsearch.model_validate({"host": url, "index": f"scale-{chunks}"}) if url else None
    built = 0.0
    store = index_for_writing(settings, path, embedder, {})
    store.begin()
    for source, made in documents(chunks):
        begun = clock()
        store.replace(source, source, made)
        built += clock() - begun
    begun = clock()
    store.finish()
    store.close()
    built += clock() - begun
    rng = np.random.default_rng(1)
    queries = [
        " ".join(f"w{n % WORDS}" for n in [n for n in rng.zipf(1.2, 99) if n > STOP][:8]) for _ in range(QUERIES)
    ]
    begun = clock()
    reader = store_for_reading(settings, path, embedder, {})
    reader.search(queries[:1], 5)
    opened = clock() - begun
    begun = clock()
    reader.search(queries[1:2], 5)
    one = clock() - begun
    begun = clock()
    reader.search(queries, 5)
    searched = clock() - begun
    reader.close()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = path.stat().st_size if not url else stored(url, chunks)
    print(
        f"| {chunks:,} | {built:.1f} | {size / 1e6:,.0f} | {opened:.2f} | {1000 * one:.0f} "
        f"| {searched:.2f} | {1000 * searched / QUERIES:.0f} | {memory:,.0f} |",
        flush=True,
    )


def stored(url: str, chunks: int) -> int:
    """Bytes of the index on the server."""
    answer = httpx.get(f"{url}/scale-{chunks}/_stats/store").json()
    return int(answer["_all"]["primaries"]["store"]["size_in_bytes"])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", default="1000,10000,100000")
    parser.add_argument("--folder", type=Path, help="where the indexes are made (default: a temporary folder)")
    parser.add_argument("--elasticsearch", default="", metavar="URL", help="measure a server instead")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        return measure(args.one, args.folder, args.elasticsearch)
    print(f"| chunks | built, s | MB | opened, s | one, ms | {QUERIES} together, s | each, ms | memory, MB |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    for size in args.chunks.split(","):
        with tempfile.TemporaryDirectory(dir=args.folder) as scratch:
            command = [sys.executable, __file__, "--one", size, "--folder", scratch]
            subprocess.run([*command, "--elasticsearch", args.elasticsearch], check=True)  # noqa: S603
    return None


if __name__ == "__main__":
    main()
