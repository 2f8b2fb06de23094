"""The embedded store from 1,000 chunks upwards: build, size, opening, a batch of searches, memory.

    python benchmarks/index_scale.py [--chunks 1000,10000,100000] [--folder SCRATCH]

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

import numpy as np
from numpy.typing import NDArray

from gate.records import Chunk
from gate.store.embedded import open_for_reading, open_for_writing

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


def measure(chunks: int, folder: Path) -> None:
    """Print the line of one size."""
    path, embedder = folder / "index.sqlite", Drawn()
    begun = time.perf_counter()
    store = open_for_writing(path, embedder)
    store.begin()
    for source, made in documents(chunks):
        store.replace(source, source, made)
    store.finish()
    store.close()
    built = time.perf_counter() - begun
    rng = np.random.default_rng(1)
    queries = [
        " ".join(f"w{n % WORDS}" for n in [n for n in rng.zipf(1.2, 99) if n > STOP][:8]) for _ in range(QUERIES)
    ]
    begun = time.perf_counter()
    store = open_for_reading(path, embedder)
    store.search(queries[:1], 5)
    opened = time.perf_counter() - begun
    begun = time.perf_counter()
    store.search(queries, 5)
    searched = time.perf_counter() - begun
    store.close()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"| {chunks:,} | {built:.1f} | {path.stat().st_size / 1e6:,.0f} | {opened:.2f} | {searched:.2f} "
        f"| {1000 * searched / QUERIES:.0f} | {memory:,.0f} |",
        flush=True,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", default="1000,10000,100000")
    parser.add_argument("--folder", type=Path, help="where the indexes are made (default: a temporary folder)")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        return measure(args.one, args.folder)
    print(f"| chunks | built, s | file, MB | opened, s | {QUERIES} searches, s | one, ms | memory, MB |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    for size in args.chunks.split(","):
        with tempfile.TemporaryDirectory(dir=args.folder) as scratch:
            subprocess.run([sys.executable, __file__, "--one", size, "--folder", scratch], check=True)  # noqa: S603
    return None


if __name__ == "__main__":
    main()
