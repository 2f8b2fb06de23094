"""PDF: the text layer page by page, less running heads and feet, with hyphenated words put together."""

from __future__ import annotations

import math
import re
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from gate.errors import SourceError
from ingest.base import Kind, SourceBlock, shorten
from ingest.formats.lines import INVISIBLE, Builder, SourceLine
from ingest.formats.page import GAP, PageRun, reading_order

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfTextPage

Titles = list[tuple[int, str]]  # level (1 is the highest) and title
TEXT_CHARS = 20 * 2**20  # of all pages: a small file can name one full page thousands of times
RUNNING_PAGES = 3  # a head or foot must stand on so many pages, and on more than half of them
EDGE_LINES = 2  # it is looked for in so many lines at the top and at the bottom
HEAD_WORDS = 8  # of a running head, at most
LEADER = re.compile(r"(?:\s?[.·_]){6,}")  # the dots that lead to a page number in a table of contents
HYPHEN = re.compile(r"[^\W\d_]{2}-$")
BOOKMARKS = 5000  # that are looked at
_HYPHENS = frozenset((2, 0xAD, 0xFFFE))  # as the library gives one at the end of a line
_LOCK = threading.Lock()  # the library keeps state of its own
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
    """The lines of every page, and the bookmarks."""
    import pypdfium2

    with _LOCK:
        try:
            with closing(pypdfium2.PdfDocument(data)) as document:
                return [_lines("\n".join(lines)) for lines in _texts(document, most)], titles_of(document)
        except pypdfium2.PdfiumError as error:
            if "password" in str(error).lower():
                hint = "save it without a password, for instance with: qpdf --decrypt IN OUT"
                raise SourceError("is encrypted", hint) from None
            hint = "open it and save it again, or convert it"
            raise SourceError(f"cannot be read as PDF ({shorten(str(error))})", hint) from None


def _texts(document: PdfDocument, most: int) -> Iterator[list[str]]:
    """The lines of every page, in the order in which they are read."""
    left = most
    for page in document:
        with closing(page), closing(page.get_textpage()) as text:
            left -= text.count_chars()
            if left < 0:
                raise SourceError(f"has too much text: more than {most:,} characters", "split it")
            yield page_lines(text)


def page_lines(page: PdfTextPage) -> list[str]:
    """The lines of a page. What is turned another way than most of it stands last."""
    chars = list(_chars(page))
    turns = Counter(char.turn for char in chars)
    usual = turns.most_common(1)[0][0] if turns else 0
    return [
        *reading_order(list(runs_of([char for char in chars if char.turn == usual]))),
        *(run.text for run in runs_of([char for char in chars if char.turn != usual])),
    ]


class _Char(NamedTuple):
    """A character and its box, turned so that it stands upright; `turn`: by how many quarters, clockwise."""

    text: str
    left: float
    right: float
    bottom: float
    top: float
    turn: int


def _chars(page: PdfTextPage) -> Iterator[_Char]:
    """The characters as they are drawn; blanks and line breaks that are only guessed are among them."""
    import ctypes

    from pypdfium2 import raw

    box = raw.FS_RECTF()
    place = ctypes.byref(box)
    turn = 0
    for at in range(page.count_chars()):
        code = raw.FPDFText_GetUnicode(page, at)
        char = "-" if code in _HYPHENS else chr(code) if code < 0x110000 else "\ufffd"
        raw.FPDFText_GetLooseCharBox(page, at, place)
        if not char.isspace():
            turn = round(raw.FPDFText_GetCharAngle(page, at) / (math.pi / 2)) % 4
        yield _Char(char, *_upright((box.left, box.right, box.bottom, box.top), turn), turn)


def _upright(box: tuple[float, float, float, float], turn: int) -> tuple[float, float, float, float]:
    left, right, bottom, top = box
    turned = ((left, right, bottom, top), (-top, -bottom, left, right), (-right, -left, -top, -bottom))
    return turned[turn] if turn < 3 else (bottom, top, -right, -left)


def runs_of(chars: Sequence[_Char]) -> Iterator[PageRun]:
    """Characters that follow each other closely in one line."""
    open_: list[_Char] = []
    for char in chars:
        if char.text.isspace():
            if open_ and char.text in "\r\n":
                yield _run(open_)
                open_ = []
            elif open_:
                open_.append(open_[-1]._replace(text=" "))
            continue
        if open_ and not _follows(char, open_[-1]):
            yield _run(open_)
            open_ = []
        open_.append(char)
    if open_:
        yield _run(open_)


def _follows(char: _Char, last: _Char) -> bool:
    height = max(char.top - char.bottom, last.top - last.bottom)
    level = min(char.top, last.top) - max(char.bottom, last.bottom) > 0.2 * height
    onward = char.left > last.left - 0.2 * height  # the letters of a ligature have one box
    return level and onward and char.left - last.right < GAP * height


def _run(chars: Sequence[_Char]) -> PageRun:
    text = "".join(char.text for char in chars)
    left, right = min(char.left for char in chars), max(char.right for char in chars)
    return PageRun(text, left, right, min(char.bottom for char in chars), max(char.top for char in chars))


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


def titles_of(document: PdfDocument) -> dict[int, Titles]:
    """Page number -> the bookmarks that lead to it, in order. None at all where they are damaged: the text counts."""
    import pypdfium2

    found: dict[int, Titles] = defaultdict(list)
    try:
        for entry in islice(document.get_toc(), BOOKMARKS):
            target = entry.get_dest()
            page = None if target is None else target.get_index()
            if page is not None:
                found[page + 1].append((entry.level + 1, shorten(entry.get_title())))
    except pypdfium2.PdfiumError:
        return {}
    return found


def key_of(line: str) -> str:
    """What a heading and its bookmark share: the words, without numbering, case and punctuation."""
    text = line[:400]
    numbered = NUMBERING.match(text)
    bare = text[numbered.end() :] if numbered else text
    return "".join(char for char in bare.lower() if char.isalnum())
