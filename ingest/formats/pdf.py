"""PDF: the text layer page by page, less running heads and feet, with hyphenated words put together."""

from __future__ import annotations

import io
import logging
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gate.errors import SourceError
from ingest.base import Kind, SourceBlock, shorten
from ingest.formats.fragments import INVISIBLE
from ingest.formats.lines import Builder, SourceLine

if TYPE_CHECKING:
    from pypdf import PdfReader

Titles = list[tuple[int, str]]  # level (1 is the highest) and title
TEXT_CHARS = 20 * 2**20  # of all pages: a small file can name one full page thousands of times
RUNNING_PAGES = 3  # a head or foot must stand on so many pages, and on more than half of them
EDGE_LINES = 2  # it is looked for in so many lines at the top and at the bottom
HEAD_WORDS = 8  # of a running head, at most
LEADER = re.compile(r"(?:\s?[.·_]){6,}")  # the dots that lead to a page number in a table of contents
HYPHEN = re.compile(r"[^\W\d_]{2}-$")
BOOKMARKS = 5000  # that are looked at
NUMBERING = re.compile(r"(?:chapter|section|part|appendix)?\s*(?:[\dA-Z]{1,4}\.)*\d{0,4}[.:]?\s+", re.IGNORECASE)


def read_pdf(data: bytes, most: int = TEXT_CHARS) -> list[SourceBlock]:
    """The blocks of a PDF; their lines are page numbers. Raises SourceError: damaged, encrypted, no text in it, or more
    than `most` characters."""
    if b"%PDF-" not in data[:1024]:
        raise SourceError("is not a PDF: it does not begin with %PDF-")
    pages, titles = _pages(data, most)
    builder = Builder(indented=Kind.PROSE)
    for number, lines in enumerate(_without_running(pages), 1):
        _add_page(builder, lines, number, titles.get(number, []))
    if not builder.blocks:
        raise SourceError("has no text layer", "a scanned document needs text recognition (OCR) first")
    return builder.blocks


def _pages(data: bytes, most: int) -> tuple[list[list[str]], dict[int, Titles]]:
    """The lines of every page, and the bookmarks. A damaged file makes the library raise nearly anything."""
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)  # whether the file could be read is told by us, once
    try:
        reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted:
            _unlock(reader)
        return [_lines(text) for text in _texts(reader, most)], titles_of(reader)
    except SourceError:
        raise
    except Exception as error:
        detail = shorten(f"{type(error).__name__}: {error}")
        raise SourceError(f"cannot be read as PDF ({detail})", "open it and save it again, or convert it") from None


def _texts(reader: PdfReader, most: int) -> Iterator[str]:
    """The text of every page."""
    left = most
    for page in reader.pages:
        text = page.extract_text()
        left -= len(text)
        if left < 0:
            raise SourceError(f"has too much text: more than {most:,} characters", "split it")
        yield text


def _unlock(reader: PdfReader) -> None:
    """Many files are encrypted with an empty password, which only says that copying is not wished."""
    try:
        opened = bool(reader.decrypt(""))
    except Exception:  # an unknown cipher, or one that the library has no code for
        opened = False
    if not opened:
        raise SourceError("is encrypted", "save it without a password, for instance with: qpdf --decrypt IN OUT")


def _lines(text: str) -> list[str]:
    """Lines of a page without broken characters, and words hyphenated at the end of a line put together."""
    clean = INVISIBLE.sub("", text.encode("utf-8", "replace").decode("utf-8")).replace("\0", "").replace("\r", "\n")
    lines: list[str] = []
    for raw in clean.split("\n"):
        line = " ".join(LEADER.sub(" ", raw).split())
        if lines and line[:1].islower() and HYPHEN.search(lines[-1]):
            head, _, rest = line.partition(" ")
            lines[-1] = lines[-1][:-1] + head
            line = rest
            if not rest:
                continue
        lines.append(line)
    return lines


def _without_running(pages: list[list[str]]) -> list[list[str]]:
    """The pages without the lines at their edges that most pages share, page numbers not looked at."""
    counts = Counter(key for lines in pages for key in {_key(lines[at]) for at in _edges(lines)})
    limit = max(RUNNING_PAGES, len(pages) // 2 + 1)
    kept = []
    for lines in pages:
        drop = {at for at in _edges(lines) if counts[_key(lines[at])] >= limit}
        kept.append([line for at, line in enumerate(lines) if at not in drop])
    return kept


def _edges(lines: list[str]) -> list[int]:
    filled = [at for at, line in enumerate(lines) if line]
    return filled if len(filled) <= 2 * EDGE_LINES else filled[:EDGE_LINES] + filled[-EDGE_LINES:]


def _key(line: str) -> str:
    """What lines at the edge of several pages have in common: all but the page number. Sentences that differ in their
    numbers say different things, whatever they look like."""
    words = len(line.split())
    says = words > HEAD_WORDS or (words > HEAD_WORDS // 2 and line.endswith((".", ";", "!", "?")))
    return line if says else re.sub(r"\d+", "0", line)


def _add_page(builder: Builder, lines: list[str], page: int, titles: Titles) -> None:
    """Paragraphs of a page, where its text layer has blank lines between them, under the headings of the bookmarks."""
    waiting = list(titles)
    for line in lines:
        key = key_of(line)
        found = next((at for at, (_, title) in enumerate(waiting) if key and key_of(title) == key), -1)
        if found < 0:
            builder.add(SourceLine(page, line))
            continue
        level, title = waiting[found]
        builder.heading(min(level, 6), title, [SourceLine(page, line)])
        del waiting[: found + 1]
    builder.close()
    for level, title in waiting:  # set in another way on the page than in the bookmark
        builder.outline.push(level, title)


def titles_of(reader: PdfReader) -> dict[int, Titles]:
    """Page number -> the bookmarks that lead to it, in order. None at all where they are damaged: the text counts."""
    from pypdf.generic import Destination

    found: dict[int, Titles] = defaultdict(list)
    try:
        # The library nests lists: a list holds what is below the bookmark in front of it.
        stack: list[tuple[int, Iterator[object]]] = [(1, iter(reader.outline))]
        for _ in range(BOOKMARKS):
            entry = next(stack[-1][1], None)
            if entry is None:
                stack.pop()
                if not stack:
                    break
            elif isinstance(entry, list):
                stack.append((stack[-1][0] + 1, iter(entry)))
            elif isinstance(entry, Destination) and (page := reader.get_destination_page_number(entry)) is not None:
                found[page + 1].append((stack[-1][0], shorten(str(entry.title))))
    except Exception:
        return {}
    return found


def key_of(line: str) -> str:
    """What a heading and its bookmark share: the words, without numbering, case and punctuation."""
    text = line[:400]
    numbered = NUMBERING.match(text)
    bare = text[numbered.end() :] if numbered else text
    return "".join(char for char in bare.lower() if char.isalnum())
