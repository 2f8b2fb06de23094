"""From the bytes of a document to its blocks: one reader for each format, chosen by the name of the file."""

from __future__ import annotations

import re
from pkgutil import resolve_name

from gate.errors import SourceError
from ingest.base import SourceBlock

# Suffix -> "module:function". A module is loaded when it is used: most runs only ask which files are documents.
READERS = {
    ".md.txt": "ingest.formats.markdown:read_markdown",  # as documentation generators store the source of a page
    ".rst.txt": "ingest.formats.rst:read_rst",
    ".md": "ingest.formats.markdown:read_markdown",
    ".markdown": "ingest.formats.markdown:read_markdown",
    ".mdx": "ingest.formats.markdown:read_markdown",
    ".rst": "ingest.formats.rst:read_rst",
    ".txt": "ingest.formats.rst:read_text",
    ".html": "ingest.formats.html:read_html",
    ".htm": "ingest.formats.html:read_html",
    ".pdf": "ingest.formats.pdf:read_pdf",
    ".docx": "ingest.formats.docx:read_docx",
    ".adoc": "ingest.formats.asciidoc:read_asciidoc",
    ".asciidoc": "ingest.formats.asciidoc:read_asciidoc",
    ".ipynb": "ingest.formats.data:read_notebook",
    ".json": "ingest.formats.data:read_api",
    ".yaml": "ingest.formats.data:read_api",
    ".yml": "ingest.formats.data:read_api",
}
NAMES = ".txt .md .mdx .html .rst .adoc .ipynb .docx .pdf .yaml .json"  # of data only what describes an API
TEXT_BYTES = 20 * 2**20  # of a document that is text: what is made of hostile text may need 50 times its size
PEEK_BYTES = 2**16  # of data that is looked into
_PACKED = {READERS[".pdf"], READERS[".docx"]}
_API = re.compile(rb"""(?:^|[{,])\s{0,99}["']?(?:openapi|swagger)["']?\s{0,99}:\s{0,99}["']?[1-9]""", re.MULTILINE)


def reader_for(name: str) -> str | None:
    """The reader of this file name as `module:function`, None if it is not a document."""
    lower = name.lower()
    return next((reader for suffix, reader in READERS.items() if lower.endswith(suffix)), None)


def is_api(name: str, head: bytes | None = None) -> bool:
    """Whether a file is data, and by its first PEEK_BYTES (if they are given) the description of an API."""
    return reader_for(name) == READERS[".json"] and (head is None or _API.search(head) is not None)


def read_blocks(name: str, data: bytes) -> list[SourceBlock]:
    """The blocks of a document, in order; none for a page that only leads on (a redirect, a table of contents).

    Raises SourceError with what is wrong with it; the caller names the file.
    """
    reader = reader_for(name)
    if reader is None:
        raise SourceError("is not of a known format", f"documents are {NAMES}")
    if not data.strip():
        raise SourceError("is empty", "delete it or write it")
    if len(data) > TEXT_BYTES and reader not in _PACKED:
        raise SourceError(
            f"is too large: {len(data) >> 20} MB, the limit for text is {TEXT_BYTES >> 20} MB", "split it"
        )
    blocks: list[SourceBlock] = resolve_name(reader)(data)
    return blocks
