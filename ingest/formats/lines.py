"""Bytes to text, text or the fragments of a page to numbered lines, and the builder that groups lines into blocks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from gate.errors import SourceError
from gate.text import sentences_in
from gate.text.markup import plain
from ingest.base import Kind, Outline, SourceBlock

BOMS = (  # the longer ones first: the mark of UTF-32-LE begins with that of UTF-16-LE
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
# What a page may declare (a list, because codecs like punycode are slow on hostile input). As browsers do it, Latin-1
# and ASCII are read as Windows-1252, and the declaration of a 16-bit encoding in an 8-bit text as UTF-8.
DECLARED = {
    **dict.fromkeys(["utf-8", "utf8", "utf-16", "utf-16le", "utf-16be"], "utf-8"),
    **dict.fromkeys(["iso-8859-1", "latin1", "ascii", "us-ascii", "windows-1252", "cp1252"], "cp1252"),
    **{f"iso-8859-{n}": f"iso8859-{n}" for n in (2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16)},
    **{f"windows-{n}": f"cp{n}" for n in (874, 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258)},
    **{name: name for name in ("koi8-r", "koi8-u", "gbk", "gb18030", "big5", "euc-jp", "euc-kr", "shift_jis")},
    "gb2312": "gbk",
}
TITLE_CHARS = 1000  # of a heading that are looked at
HEAD_BYTES = 4096  # where a declaration must stand
# Only in the tags that declare one: a page may speak of an encoding, or load a script that is in another one.
DECLARATION = re.compile(
    rb"""<(?:meta\b[^<>]{0,300}?\bcharset|\?xml\b[^<>]{0,300}?\bencoding)\s{0,9}=\s{0,9}["']?([A-Za-z0-9_-]{2,20})""",
    re.IGNORECASE,
)
LONG_GAP = re.compile(r"[^\S\n]{200,}")  # blanks that no reader needs, and that would make a chunk of any length
BULLET = re.compile(r"\s{0,40}(?:[-*+•]|\d{1,9}[.)]|#\.|\([a-z0-9]{1,3}\))\s+\S")
# Options of a directive that say what it is about (`:type: int`); others say how it looks, or where its text is.
SAYS = frozenset(
    ("type", "value", "default", "version", "released", "date", "status", "deprecated", "required")
    + ("synopsis", "platform")
)
INDENT = re.compile(r" {0,3}\t| {4}")
_TICKS = re.compile(r"`{3,}")
INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")  # soft hyphen, zero-width space and joiner, byte order mark
LONGEST_SENTENCE = 80  # words


def decode(data: bytes) -> str:
    """Text with a line feed for each line break of the file. Raises SourceError."""
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return _decode(data, encoding)
    if b"\0" in data:
        raise SourceError("is not text: it has NUL bytes", "a binary file, or UTF-16 without a byte order mark")
    return _decode(data, "utf-8")


def decode_html(data: bytes) -> str:
    """As `decode`, but a page may declare another encoding (`<meta charset>`, `<?xml encoding?>`)."""
    found = DECLARATION.search(data, 0, HEAD_BYTES)
    if found is None or any(data.startswith(mark) for mark, _ in BOMS) or b"\0" in data:
        return decode(data)
    name = found[1].decode("ascii").lower()
    if name not in DECLARED:
        raise SourceError(f"declares the encoding {name}, which is not read here", "convert it to UTF-8 with iconv")
    return _decode(data, DECLARED[name])


def _decode(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        shown = "UTF-8" if encoding == "utf-8-sig" else encoding.upper()
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceError(
            f"is not {shown}: byte 0x{data[error.start]:02x} on line {line}",
            "convert it, for instance with: iconv -f WINDOWS-1252 -t UTF-8, if that is what it is",
        ) from None
    return LONG_GAP.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))


class SourceLine(NamedTuple):
    """One line of the source: `number` is 1-based."""

    number: int
    text: str

    @property
    def blank(self) -> bool:
        """Nothing but white space."""
        return not self.text.strip()

    @property
    def indent(self) -> int:
        """Columns of white space in front; a tab goes to the next multiple of 4."""
        head = self.text[: len(self.text) - len(self.text.lstrip())]
        return len(head.expandtabs(4))


def numbered(text: str) -> list[SourceLine]:
    """The lines of a text, without white space at their ends."""
    return [SourceLine(number, line.rstrip()) for number, line in enumerate(text.split("\n"), 1)]


def put_in(text: str, used: re.Pattern[str], values: Mapping[str, str]) -> str:
    """The text with the values of the names that are `used` in it, lower case; as it stands where it would swell."""
    made = used.sub(lambda name: values.get(name[1].lower(), name[0]), text) if values else text
    return made if len(made) <= 4 * len(text) + TITLE_CHARS else text


def fence_around(texts: Iterable[str]) -> str:
    """The mark that code of these lines stands between, as in Markdown: longer than any that is in it."""
    return "`" * (1 + max((len(run) for text in texts for run in _TICKS.findall(text)), default=2))


def bare_title(text: str) -> str:
    """A heading without markup, in one line."""
    words = plain(f"Title {text[:TITLE_CHARS]}").split()  # behind a word, the number of a section is no marker
    return " ".join(words[1:])


@dataclass(slots=True)
class Builder:
    """Collects lines into blocks; what they say is kept as it stands in the source."""

    blocks: list[SourceBlock] = field(default_factory=list)
    outline: Outline = field(default_factory=Outline)
    indented: Kind = Kind.CODE  # what an indented paragraph is
    open: list[SourceLine] = field(default_factory=list)  # the lines of the paragraph being read

    def add(self, line: SourceLine) -> None:
        """One more line of the open paragraph; a blank one closes it."""
        if line.blank:
            self.close()
        else:
            self.open.append(line)

    def close(self) -> None:
        """End the open paragraph: a list, a table, indented code or prose, by its first line."""
        if self.open:
            listed = bool(self.blocks) and self.blocks[-1].kind is Kind.LIST
            kind = kind_of(self.open, Kind.LIST if listed else self.indented)
            self.block(kind, self.open)
            self.open = []

    def block(self, kind: Kind, lines: list[SourceLine]) -> None:
        """A block of these lines, without blank ones at its ends and with at most one in a row inside."""
        kept: list[SourceLine] = []
        for line in lines:
            if not line.blank or (kept and not kept[-1].blank):
                kept.append(line)
        if kept and kept[-1].blank:
            kept.pop()
        if kept:
            text = "\n".join(line.text for line in kept)
            self.blocks.append(SourceBlock(text, tuple(line.number for line in kept), self.outline.path, kind))

    def heading(self, level: int, title: str, lines: list[SourceLine]) -> None:
        """A heading: `title` is its text, `lines` are what stands in the source."""
        self.close()
        self.outline.push(level, bare_title(title))
        text = "\n".join(line.text for line in lines)
        numbers = tuple(line.number for line in lines)
        self.blocks.append(SourceBlock(text, numbers, self.outline.path, Kind.HEADING, level))


def kind_of(lines: list[SourceLine], indented: Kind) -> Kind:
    """What a paragraph is; `indented` says what an indented one is (behind a list it belongs to its item)."""
    first = lines[0].text
    if BULLET.match(first):
        return Kind.LIST
    if INDENT.match(first):
        return indented
    if first.lstrip().startswith("|") or any(_is_ruler(line.text) for line in lines[:2]):
        return Kind.TABLE
    return Kind.PROSE


def _is_ruler(text: str) -> bool:
    """The line under the head of a table: `---|:---:`, `=== ===`, `+---+---+`."""
    bare = text.strip()
    return len(bare) >= 3 and not set(bare) - set("-=:|+ ") and bool(set(bare) & set("|+ "))


@dataclass(slots=True)
class Fragments:
    """The text of the block being read. `line` is the line that the parser stands on."""

    line: int = 1
    _parts: list[tuple[str, int]] = field(default_factory=list)
    _breaks: set[int] = field(default_factory=set)  # places of parts that break the line of a page, as `br` does

    def text(self, text: str | None, *, muted: bool) -> None:
        """Take the text that stands here, and step over its line breaks."""
        if not text:
            return
        if not muted:
            self._parts.append((text, self.line))
        self.line += text.count("\n")

    def mark(self, text: str) -> None:
        """Put in what a tag stands for: a space, a line break, the caret of a power."""
        if text == "\n":
            self._breaks.add(len(self._parts))
        self._parts.append((text, self.line))

    def at(self, line: int | None) -> None:
        """Take over the parser's line. It counts to 65,535 only; behind that the line breaks met are counted on."""
        if line and line < 65_535:
            self.line = line

    @property
    def ends_in_word(self) -> bool:
        """Whether a letter or digit was taken last."""
        return bool(self._parts) and self._parts[-1][0][-1:].isalnum()

    def take_lines(self) -> list[tuple[str, int]]:
        """The lines of prose, a sentence each, white space collapsed, with the number of the source line where it
        begins: where the source breaks a line says nothing, only `br` does."""
        lines: list[list[tuple[str, int]]] = [[]]
        for place, part in enumerate(self._parts):
            if place in self._breaks:
                lines.append([])
            else:
                lines[-1].append(part)
        self._parts, self._breaks = [], set()
        return [found for parts in lines for found in _sentences(parts)]

    def take_line(self) -> tuple[str, int]:
        """All of it as one line, and the number of its first."""
        lines = self.take_lines()
        return " ".join(text for text, _ in lines), lines[0][1] if lines else self.line

    def take_code(self) -> list[tuple[str, int]]:
        """The lines of code, indentation kept, without blank ones at both ends and more than one in a row."""
        lines = [(text.replace("\u00a0", " ").rstrip(), number) for text, number in self._raw()]
        lines = [("", 0), *lines]
        kept = [line for before, line in pairwise(lines) if line[0] or before[0]]
        return kept[:-1] if kept and not kept[-1][0] else kept

    def _raw(self) -> list[tuple[str, int]]:
        """Text lines with the number of the source line where each one's first word stands."""
        lines: list[tuple[list[str], int]] = [([], 0)]
        blank = True  # the line being put together
        for text, start in self._parts:
            for offset, piece in enumerate(text.split("\n")):
                if offset:
                    lines.append(([], 0))
                    blank = True
                pieces, number = lines[-1]
                pieces.append(piece)
                lines[-1] = (pieces, start + offset if blank else number)
                blank = blank and not piece.strip()
        self._parts, self._breaks = [], set()
        return [(INVISIBLE.sub("", "".join(pieces)), number) for pieces, number in lines]


def _sentences(parts: Sequence[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """The sentences of these fragments, which stand in one line of the page, each with its line of the source. A very
    long one, which may be none, goes on in the lines of the source."""
    pieces: list[list[str]] = []  # of each word
    numbers: list[int] = []  # of each word, its line
    open_ = False  # the last word may go on
    for text, start in parts:
        for offset, piece in enumerate(INVISIBLE.sub("", text).split("\n")):
            found = piece.split()
            if found and open_ and not offset and not piece[0].isspace():
                pieces[-1].append(found.pop(0))
            pieces += [[word] for word in found]
            numbers += [start + offset] * len(found)
            open_ = bool(piece) and not piece[-1].isspace() if piece or offset else open_
    words = ["".join(word) for word in pieces]
    at = list(accumulate((len(word) + 1 for word in words), initial=0))
    text = " ".join(words)
    begins = [bisect_left(at, start) for start, _ in sentences_in(text, 0, len(text))[1:]]
    for first, end in pairwise([0, *begins, len(words)]):
        for _, group in groupby(range(first, end), key=lambda i: numbers[i] if end - first > LONGEST_SENTENCE else 0):
            places = list(group)
            yield text[at[places[0]] : at[places[-1] + 1] - 1], numbers[places[0]]
