"""Measures embedders: recall of labelled quotes by kNN alone, chunks per second, load time, whether a batch matters.

`python benchmarks/embedders.py --docs DOCS --cases CASES.jsonl [FOLDER...]`: folders that scripts/build_embedder.py
wrote; without one, the model that ships. Each claim of the cases with a quote is a query; a hit is a piece of text that
holds the whole quote. Pieces are cut by words alone, so that the figures say nothing about any other part of the gate.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gate.providers.local_embedder import FOLDER, LocalEmbedder

RANKS = (1, 3, 5)
CUTS = {"500/50": (500, 50), "80/20": (80, 20)}  # words, words overlapping


class Piece(NamedTuple):
    """A stretch of a file, in characters."""

    source: str
    start: int
    end: int
    text: str


def pieces(docs: Path, size: int, overlap: int) -> list[Piece]:
    found = []
    for path in sorted(docs.rglob("*.md")):
        text, source = path.read_text(encoding="utf-8"), path.relative_to(docs).as_posix()
        words = [match.span() for match in re.finditer(r"\S+", text)]
        for first in range(0, max(len(words) - overlap, 1), size - overlap):
            held = words[first : first + size]
            if held:
                found.append(Piece(source, held[0][0], held[-1][1], text[held[0][0] : held[-1][1]]))
    return found


def queries(docs: Path, cases: Path) -> dict[str, Piece]:
    """Claim -> where its quote stands; a claim that several answers make counts once."""
    found = {}
    for line in cases.read_text(encoding="utf-8").splitlines():
        for claim in json.loads(line)["claims"]:
            if claim["quote"]:
                text = (docs / claim["source"]).read_text(encoding="utf-8")
                above = sum(map(len, text.splitlines(keepends=True)[: claim["line"] - 1]))
                start = text.index(claim["quote"], above)
                found[claim["claim"]] = Piece(claim["source"], start, start + len(claim["quote"]), claim["quote"])
    return found


def recall(embedder: LocalEmbedder, docs: list[Piece], wanted: dict[str, Piece]) -> list[float]:
    """Share of claims whose quote lies in one of the first 1, 3, 5 pieces; a piece scores as its best window."""
    windows = [(number, window) for number, piece in enumerate(docs) for window in embedder.windows(piece.text)]
    scores = embedder.embed(list(wanted)) @ embedder.embed([window for _, window in windows]).T
    best = np.full((len(wanted), len(docs)), -2.0, dtype=np.float32)
    for column, (number, _) in enumerate(windows):
        best[:, number] = np.maximum(best[:, number], scores[:, column])
    order = np.argsort(-best, axis=1, kind="stable")
    hits = np.array(
        [[holds(docs[n], quote) for n in row[:5]] for row, quote in zip(order, wanted.values(), strict=True)]
    )
    return [float(hits[:, :rank].any(axis=1).mean()) for rank in RANKS]


def holds(piece: Piece, quote: Piece) -> bool:
    return piece.source == quote.source and piece.start <= quote.start and piece.end >= quote.end


def speed(folder: Path, threads: int, texts: list[str], clock: Callable[[], float]) -> float:
    """Chunks per second of `clock`, windows and all: the best of three."""
    embedder = LocalEmbedder(folder, threads)
    embedder.embed(["warm"])
    times = []
    for _ in range(3):
        begin = clock()
        embedder.embed([window for text in texts for window in embedder.windows(text)])
        times.append(clock() - begin)
    return len(texts) / min(times)


def spread(embedder: LocalEmbedder, texts: list[str]) -> float:
    """The largest difference in any element between a text embedded among others and the same text alone."""
    together = embedder.embed(texts)
    return max(float(np.abs(together[n] - embedder.embed([text])[0]).max()) for n, text in enumerate(texts))


def row(folder: Path, docs: Path, cases: Path) -> str:
    begin = time.process_time()
    embedder = LocalEmbedder(folder)
    embedder.embed(["load"])
    load = time.process_time() - begin
    chunks = [piece.text for piece in pieces(docs, 500, 50)]
    wanted = queries(docs, cases)
    found = [recall(embedder, pieces(docs, *cut), wanted) for cut in CUTS.values()]
    windows = sum(len(embedder.windows(chunk)) for chunk in chunks) / len(chunks)
    size = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
    cells = [folder.name if folder != FOLDER else "shipped", embedder.name.removeprefix("local/"), f"{size:.1f}"]
    cells += [" ".join(f"{share:.3f}" for share in shares) for shares in found] + [f"{windows:.1f}", f"{load:.2f}"]
    cells.append(f"{speed(folder, 1, chunks[:8], time.process_time):.1f}")
    cells += [f"{speed(folder, threads, chunks[:8], time.perf_counter):.1f}" for threads in (1, 2)]
    cells.append(f"{spread(embedder, chunks[:8]):.0e}")
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--docs", type=Path, required=True)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("folders", type=Path, nargs="*", default=[FOLDER])
    options = parser.parse_args()
    heads = [
        "folder",
        "model",
        "MB",
        *(f"recall@1 3 5, {cut} words" for cut in CUTS),
        "windows a chunk",
        "load CPU s",
        "chunks/CPU s",
    ]
    heads += ["chunks/s, 1 thread", "2 threads", "batch spread"]
    print("| " + " | ".join(heads) + " |\n|" + " --- |" * len(heads))
    for folder in options.folders:
        print(row(folder, options.docs, options.cases), flush=True)


if __name__ == "__main__":
    main()
