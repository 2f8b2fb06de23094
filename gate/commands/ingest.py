"""`gate ingest`: load, clean, chunk, embed and index documents."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from gate.commands.options import ConfigFile, Debug
from gate.toolbox import open_for_ingest
from ingest.formats import NAMES
from ingest.index import ingest as index_documents
from ingest.index import reporter
from ingest.sources import first_names, open_sources, unsupported_files


def ingest(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="PATH", help="a file, a folder or an s3:// address")
    ] = None,
    config: ConfigFile = None,
    debug: Debug = False,
) -> int:
    """Index trusted documents (.txt .md .html .rst .pdf). The index mirrors what is named: unchanged
    files cost nothing, and documents that are no longer there go. Without PATH: the doc_sources of the configuration.
    Exit code 3 if some files could not be read; each is named, and the rest is indexed.

    example: gate ingest docs/ handbook.pdf
    """
    with open_for_ingest(config, paths or []) as job:
        with reporter() as report:
            summary = index_documents(open_sources(job.paths), job.index, report)
        sys.stdout.write(f"{summary.describe()}\n")
        if names := unsupported_files(job.paths):  # no fault, as a folder may well hold them
            be = "is" if len(names) == 1 else "are"
            sys.stderr.write(
                f"warning: {first_names(names)} {be} not in the index (documents are {NAMES}: convert what counts)\n"
            )
        return 3 if summary.faults else 0
