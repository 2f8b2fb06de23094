"""`gate ingest`: load, clean, chunk, embed and index documents."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import Annotated, TextIO

import typer

from gate.commands.options import ConfigFile, Debug
from gate.commands.progress import Advance, counting
from gate.store.embedded import EmbeddedStore, advice
from gate.toolbox import open_for_ingest
from ingest.base import Unread, without_controls
from ingest.index import ingest as index_documents
from ingest.sources import open_sources


class Shown:
    """An ingest as it goes on, on `stream` (default: the error stream) as long as `shown` is open: how many documents
    are done and about how long the rest takes, and the name of all that could not be read."""

    def __init__(self, shown: ExitStack, stream: TextIO | None = None) -> None:
        self._shown, self._stream = shown, stream

    def begin(self, documents: int) -> None:
        """As Reporter.begin."""
        self.done: Advance = self._shown.enter_context(counting(documents, "documents", self._stream))

    def unread(self, unread: Unread) -> None:
        """As Reporter.unread. While a bar is shown, rich lets what goes to the error stream stand above it."""
        (self._stream or sys.stderr).write(f"warning: {without_controls(str(unread))}\n")


def ingest(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="PATH", help="a file, a folder or an s3:// address")
    ] = None,
    config: ConfigFile = None,
    debug: Debug = False,
) -> int:
    """Index trusted documents (.txt .md .mdx .html .rst .adoc .ipynb .docx .pdf, OpenAPI). The index mirrors what is
    named: unchanged files cost nothing, and documents that are no longer there go. A bar, or a line every ten seconds
    where no terminal is, says about how long the rest takes. Without PATH: the doc_sources of the configuration.
    Exit code 3 if some files could not be read; each is named, and the rest is indexed.

    example: gate ingest docs/ handbook.pdf
    """
    with open_for_ingest(config, paths or []) as (sources, index):
        with ExitStack() as shown:
            summary = index_documents(open_sources(sources), index, Shown(shown))
        sys.stdout.write(f"{summary.describe()}\n")
        large = advice(summary.change.added + summary.change.unchanged) if isinstance(index, EmbeddedStore) else ""
        sys.stdout.write(f"note: {large}\n" if large else "")
        return 3 if summary.faults else 0
