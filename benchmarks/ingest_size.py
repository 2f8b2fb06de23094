"""Ingest at size: the HTML manuals of Python and PostgreSQL as Debian packages them, once and once again.

    python benchmarks/ingest_size.py [--pages FOLDER...] [--sample N]

Without --pages the two packages are fetched with apt-get download (Debian or Ubuntu) and unpacked under benchmarks/out.
"""

from __future__ import annotations

import argparse
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from ingest.base import Other, Unread
from ingest.chunk import chunk
from ingest.formats import read_blocks
from ingest.sources import open_sources

PACKAGES = ["python3.11-doc", "postgresql-doc-15"]
MANUALS = ["usr/share/doc/python3.11/html", "usr/share/doc/postgresql-doc-15/html"]
OUT = Path(__file__).parent / "out"
# What navigation around these pages says, and their text does not.
RESIDUE = [
    "Navigation header",
    "Quick search",
    "Table of Contents Prev",
    "Prev Up",
    "¶",
    "§",
    "Found a bug?",
    "Show Source",
]


@dataclass(frozen=True, slots=True)
class Measured:
    """One run of `gate ingest`: wall-clock and processor seconds, peak resident megabytes, what it printed."""

    seconds: float
    cpu: float
    peak_mb: float
    code: int
    told: str
    errors: str


def fetch() -> list[Path]:
    root = OUT / "manuals"
    folders = [root / manual for manual in MANUALS]
    if not all(folder.is_dir() for folder in folders):
        root.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", *PACKAGES], cwd=root, check=True, stdout=subprocess.DEVNULL)
        for package in sorted(root.glob("*.deb")):
            subprocess.run(["dpkg", "-x", str(package), str(root)], check=True)
    return folders


def ingest(folders: list[Path], work: Path) -> Measured:
    with (work / "stdout").open("w+") as out, (work / "stderr").open("w+") as errors:
        begun = time.perf_counter()
        command = [sys.executable, "-m", "gate", "ingest", *(str(folder.resolve()) for folder in folders)]
        process = subprocess.Popen(command, cwd=work, stdout=out, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begun
        out.seek(0)
        errors.seek(0)
        cpu = used.ru_utime + used.ru_stime
        return Measured(
            seconds, cpu, used.ru_maxrss / 1024, os.waitstatus_to_exitcode(status), out.read().strip(), errors.read()
        )


def reading(folders: list[Path]) -> float:
    """Processor seconds to read and cut all pages, without the index and the embedder."""
    begun = time.process_time()
    for source in open_sources([str(folder) for folder in folders]):
        for document in source.documents():
            if not isinstance(document, Unread | Other):
                chunk(read_blocks(document.source, document.read()), document.source)
    return time.process_time() - begun


def show(name: str, run: Measured, pages: int, chunks: int) -> None:
    warnings = [line for line in run.errors.splitlines() if not line.endswith(" s left")]
    print(f"{name}: exit {run.code}, {run.told}")
    print(f"  {run.seconds:,.1f} s wall, {run.cpu:,.1f} s processor, peak {run.peak_mb:,.0f} MB")
    print(f"  {pages / run.seconds:,.1f} pages/s, {chunks / run.seconds:,.1f} chunks/s (wall)")
    print(f"  {pages / run.cpu:,.1f} pages/s, {chunks / run.cpu:,.1f} chunks/s (processor)")
    print(f"  lines on the error stream that are not progress: {len(warnings)}", *warnings[:5], sep="\n    ")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=Path, nargs="+", help="folders to index instead")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="show N chunks, to look for chrome")
    options = parser.parse_args()
    folders = options.pages or fetch()
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        first = ingest(folders, work)
        index = work / ".gate" / "index.sqlite"
        texts = [text for (text,) in sqlite3.connect(index).execute("SELECT text FROM chunks ORDER BY id")]
        pages = sqlite3.connect(index).execute("SELECT count(*) FROM documents").fetchone()[0]
        show("first", first, pages, len(texts))
        print(f"  index {index.stat().st_size / 2**20:,.1f} MB: {pages:,} pages, {len(texts):,} chunks")
        residue = {word: sum(word in text for text in texts) for word in RESIDUE}
        print(f"  chunks with words of navigation: {residue}")
        print(f"  reading and cutting alone: {reading(folders):,.1f} s processor")
        again = ingest(folders, work)
        show("again", again, pages, len(texts))
        print(f"  share of the first: {again.seconds / first.seconds:.2%} wall, {again.cpu / first.cpu:.2%} processor")
        for text in random.Random(0).sample(texts, min(options.sample, len(texts))):  # noqa: S311
            print("-" * 80, text, sep="\n")
    return 0 if first.code == again.code == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
