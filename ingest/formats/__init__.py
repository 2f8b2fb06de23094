"""From the bytes of a document to its blocks: one reader for each format, chosen by the name of the file."""

from __future__ import annotations

from collections.abc import Callable

from gate.errors import SourceError
from ingest.blocks import Block


def _markdown(data: bytes) -> list[Block]:
    from ingest.formats.markdown import read_markdown

    return read_markdown(data)


def _rst(data: bytes) -> list[Block]:
    from ingest.formats.rst import read_rst

    return read_rst(data)


def _text(data: bytes) -> list[Block]:
    from ingest.formats.rst import read_text

    return read_text(data)


def _html(data: bytes) -> list[Block]:
    from ingest.formats.html import read_html

    return read_html(data)


def _pdf(data: bytes) -> list[Block]:
    from ingest.formats.pdf import read_pdf

    return read_pdf(data)


# each brings its module when it is used: most runs only ask which files are documents
READERS: dict[str, Callable[[bytes], list[Block]]] = {
    ".md.txt": _markdown,  # as documentation generators store the source of a page
    ".rst.txt": _rst,
    ".md": _markdown,
    ".markdown": _markdown,
    ".rst": _rst,
    ".txt": _text,
    ".html": _html,
    ".htm": _html,
    ".pdf": _pdf,
}
NAMES = ".txt .md .html .rst .pdf"
TEXT_BYTES = 20 * 2**20  # of a document other than a PDF: what is made of hostile text may need 50 times its size


def reader_for(name: str) -> Callable[[bytes], list[Block]] | None:
    """The reader of this file name, None if it is not a document."""
    lower = name.lower()
    return next((reader for suffix, reader in READERS.items() if lower.endswith(suffix)), None)


def read_blocks(name: str, data: bytes) -> list[Block]:
    """The blocks of a document, in order; none for a page that only leads on (a redirect, a table of contents).

    Raises SourceError with what is wrong with it; the caller names the file.
    """
    reader = reader_for(name)
    if reader is None:
        raise SourceError("is not of a known format", f"documents are {NAMES}")
    if not data.strip():
        raise SourceError("is empty", "delete it or write it")
    if len(data) > TEXT_BYTES and reader is not _pdf:
        raise SourceError(
            f"is too large: {len(data) >> 20} MB, the limit for text is {TEXT_BYTES >> 20} MB", "split it"
        )
    return reader(data)
