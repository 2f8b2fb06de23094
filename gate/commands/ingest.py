"""`gate ingest`: load, clean, chunk, embed and index documents."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from gate.commands.options import ConfigFile, Debug
from gate.store.embedded import EmbeddedStore, advice
from gate.toolbox import open_for_ingest
from ingest.index import ingest as index_documents
from ingest.index import reporter
from ingest.sources import open_sources


def ingest(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="PATH", help="a file, a folder or an s3:// address")
    ] = None,
    config: ConfigFile = None,
    debug: Debug = False,
) -> int:
    """Index trusted documents (.txt .md .mdx .html .rst .adoc .ipynb .docx .pdf, OpenAPI). The index mirrors what is
    named: unchanged files cost nothing, and documents that are no longer there go. Without PATH: the doc_sources of
    the configuration. Exit code 3 if some files could not be read; each is named, and the rest is indexed.

    example: gate ingest docs/ handbook.pdf
    """
    with open_for_ingest(config, paths or []) as (sources, index):
        with reporter() as report:
            summary = index_documents(open_sources(sources), index, report)
        sys.stdout.write(f"{summary.describe()}\n")
        large = advice(summary.change.added + summary.change.unchanged) if isinstance(index, EmbeddedStore) else ""
        sys.stdout.write(f"note: {large}\n" if large else "")
        return 3 if summary.faults else 0
