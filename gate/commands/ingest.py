"""`gate ingest`: load, clean, chunk, embed and index documents."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

DESCRIPTION = """Index trusted documents (.txt .md .html .rst .pdf). The index mirrors what is named: unchanged
files cost nothing, and documents that are no longer there go. Without PATH: the doc_sources of the configuration.

example: gate ingest docs/ handbook.pdf"""


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.description = DESCRIPTION
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a file, a folder or an s3:// address")
    parser.add_argument("-c", "--config", metavar="FILE", help="configuration (default .llm-reliability.yaml)")
    parser.add_argument("--debug", action="store_true", help="show tracebacks")


def run(options: argparse.Namespace) -> int:
    """0: all indexed; 3: some files could not be read (each named, the rest is indexed)."""
    from gate.toolbox_ingest import open_for_ingest
    from ingest.index import ingest
    from ingest.progress import reporter
    from ingest.sources import not_read, open_sources

    with open_for_ingest(options.config, options.paths) as job:
        with reporter() as report:
            summary = ingest(open_sources(job.paths), job.index, report)
        print(summary.told())  # noqa: T201
        _tell_not_read(not_read(job.paths))
        return 3 if summary.faults else 0


def _tell_not_read(names: Sequence[str]) -> None:
    """Files that nobody should believe to be in the index; they are no fault, as a folder may well hold them."""
    from ingest.formats import NAMES
    from ingest.sources import some

    if names:
        be = "is" if len(names) == 1 else "are"
        sys.stderr.write(f"warning: {some(names)} {be} not in the index (documents are {NAMES}: convert what counts)\n")
