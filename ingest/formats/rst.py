"""reStructuredText and plain text: their lines as they stand, less comments, targets and directives without words."""

from __future__ import annotations

import csv
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from gate.text_markup import FORMULAS
from ingest.blocks import Block, Kind
from ingest.formats.lines import SAYS, Builder, Line, bare_title, decode, numbered
from ingest.formats.tables import Row, as_lines

ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}$")
DIRECTIVE = re.compile(r"\s*\.\. (?:\|[^|]*\| )?([\w:+.-]+)::(?:\s|$)")
FOOTNOTE = re.compile(r"\s*\.\. \[(?:#?[\w.-]+|#|\*)\](?:\s|$)")
OPTION = re.compile(r"\s+:([\w-]+):(?:\s|$)")
CODE = {"code", "code-block", "sourcecode", "parsed-literal", "literalinclude", "doctest", "testcode", "prompt", "math"}
SILENT = {  # they say nothing, or nothing about the subject
    "image", "index", "meta", "raw", "highlight", "toctree", "contents", "currentmodule", "default-role",
    "replace", "unicode", "include", "sectionauthor", "moduleauthor", "codeauthor", "testsetup", "testcleanup",
    "graphviz", "digraph", "mermaid", "uml", "role", "py:currentmodule", "sectnum", "target-notes",
}  # fmt: skip
AROUND = {"only", "ifconfig", "container", "class", "rst-class", "figure"}  # what they hold is text, but not their name
TABLES = {"list-table", "csv-table"}


@dataclass(slots=True)
class _Ranks:
    """Which adornment is which level: the first one met is the highest."""

    seen: list[str] = field(default_factory=list)

    def level(self, style: str) -> int:
        if style not in self.seen:
            self.seen.append(style)
        return min(self.seen.index(style) + 1, 6)


def read_rst(data: bytes) -> list[Block]:
    """The blocks of a reStructuredText file. Raises SourceError if it is not text."""
    builder = Builder(indented=Kind.PROSE)
    read_lines(builder, numbered(decode(data)))
    return builder.blocks


def read_lines(builder: Builder, lines: Sequence[Line]) -> None:
    """Read these lines of reStructuredText into a builder, which is closed then."""
    ranks, at = _Ranks(), 0
    ends = [i for i, line in enumerate(lines) if is_border(line) and (i + 1 == len(lines) or lines[i + 1].blank)]
    while at < len(lines):
        at = (
            _heading(builder, ranks, lines, at)
            or _explicit(builder, lines, at)
            or _table(builder, lines, at, ends)
            or _plain(builder, lines, at)
        )
    builder.close()


def read_text(data: bytes) -> list[Block]:
    """The blocks of a plain text: paragraphs, and underlined headings. Raises SourceError if it is not text."""
    lines = numbered(decode(data))
    builder, ranks, at = Builder(), _Ranks(), 0
    while at < len(lines):
        taken = _heading(builder, ranks, lines, at)
        if not taken:
            builder.add(lines[at])
        at = taken or at + 1
    builder.close()
    return builder.blocks


def _heading(builder: Builder, ranks: _Ranks, lines: Sequence[Line], at: int) -> int:
    """Read a heading at `at`: a title underlined at its full width, maybe overlined. 0 if there is none."""
    if builder.open or lines[at].blank:
        return 0
    over = ADORNMENT.match(lines[at].text)
    title = at + 1 if over else at
    if title + 1 >= len(lines) or lines[title].blank:
        return 0
    under, text = lines[title + 1].text, lines[title].text.strip()
    if not ADORNMENT.match(under) or len(under) < len(text) or (over and under != lines[at].text):
        return 0
    if not over and (lines[title].indent or ADORNMENT.match(lines[title].text)):
        return 0
    builder.heading(ranks.level(("over" if over else "") + under[0]), bare_title(text), list(lines[at : title + 2]))
    return title + 2


def _explicit(builder: Builder, lines: Sequence[Line], at: int) -> int:
    """Read what begins with two dots: a directive, a target or a comment. 0 if there is none."""
    if not (lines[at].text.lstrip() + " ").startswith(".. "):
        return 0
    builder.close()
    found = DIRECTIVE.match(lines[at].text)
    name = found[1].lower() if found else ""
    body = _behind_options(lines, at)
    words = lines[at].text[found.end() :] if found else ""
    if name in AROUND and not (name == "class" and re.search(r"[A-Z.(]", words)):
        return body  # Sphinx describes a class of Python by the same name
    if FOOTNOTE.match(lines[at].text) or (name and name not in SILENT | CODE | TABLES):
        builder.add(lines[at])  # a footnote; or note, versionadded, function, ...: the words behind it are text
        for line in lines[at + 1 : body] if name else ():
            if (option := OPTION.match(line.text)) and option[1] in SAYS:
                builder.add(line)  # `:type: int`, `:released: 2013-01-11`
        return body if name else at + 1
    end = _body_end(lines, at)
    if name in TABLES:
        read_table(builder, name, lines[at : max(end, body)], words)
    elif name in CODE and (any(not line.blank for line in lines[body:end]) or (name in FORMULAS and words)):
        builder.block(Kind.CODE, [lines[at], *lines[body:end]])
    return max(end, body)


def _behind_options(lines: Sequence[Line], at: int) -> int:
    """The index behind a directive and the options below it (`:class: wide`), which are no words of the text."""
    end = at + 1
    while end < len(lines) and lines[end].indent > lines[at].indent and OPTION.match(lines[end].text):
        end += 1
    return end


def read_table(builder: Builder, name: str, lines: Sequence[Line], title: str) -> None:
    """A table that is written as a directive, with its title; as it stands where it is not understood."""
    builder.add(Line(lines[0].number, title.strip()))
    builder.close()
    options, count = options_of(lines[1:])
    rows = written(name, options, lines[1 + count :])
    builder.block(Kind.TABLE, [Line(number, text) for text, number in rows] or list(lines[1 + count :]))


def _table(builder: Builder, lines: Sequence[Line], at: int, ends: Sequence[int]) -> int:
    """Read a table that is drawn; 0 if there is none. `ends`: the lines where a simple one can end."""
    if builder.open:
        return 0
    place = bisect_right(ends, at)
    found = drawn(lines, at, ends[place] if place < len(ends) else at)
    if not found:
        return 0
    builder.block(Kind.TABLE, [Line(number, text) for text, number in found[0]])
    return found[1]


def _plain(builder: Builder, lines: Sequence[Line], at: int) -> int:
    """Read one line of text, and the literal block that a paragraph ending in two colons announces."""
    line = lines[at]
    announced = line.blank and bool(builder.open) and builder.open[-1].text.endswith("::")
    owner = builder.open[0] if announced else line
    builder.add(line)
    if not announced:
        return at + 1
    end = _body_end(lines, at, owner.indent)
    builder.block(Kind.CODE, list(lines[at:end]))
    return max(end, at + 1)


def _body_end(lines: Sequence[Line], at: int, indent: int | None = None) -> int:
    """The index behind the lines that are indented deeper than line `at` (or than `indent`), which belong to it."""
    depth = lines[at].indent if indent is None else indent
    end = at + 1
    for next_at in range(at + 1, len(lines)):
        line = lines[next_at]
        if not line.blank and line.indent <= depth:
            break
        if not line.blank:
            end = next_at + 1
    return end


_BORDER = re.compile(r"=+(?: +=+)+$")
_GRID = re.compile(r"\+(?:[-=]+\+){2,}$")
_BOLD = re.compile(r"\*\*[^*]+\*\*$")
_OPTION = re.compile(r":([\w-]+):(?:\s+(.*))?$")
_ITEM = re.compile(r"(\s*)([*+-])(?:\s+(.*))?$")
_FEWEST = 2  # columns
_BORDERS = 3  # of a simple table with a header
Lines = Sequence[Line]
Table = list[tuple[str, int]]


def is_border(line: Line) -> bool:
    """`=====  =====`, above and below a simple table and under its header."""
    return line.text[-1:] == "=" and _BORDER.match(line.text.strip()) is not None


def drawn(lines: Lines, at: int, end: int) -> tuple[Table, int] | None:
    """The table that begins at line `at`, and where it ends; `end` is the next line that may close a simple one."""
    if is_border(lines[at]):
        rows = _simple(lines[at : end + 1]) if at < end else None
        return (rows, end + 1) if rows else None
    if _GRID.match(lines[at].text.strip()):
        end = next((i for i in range(at, len(lines)) if lines[i].text.lstrip()[:1] not in ("+", "|")), len(lines))
        rows = _grid(lines[at:end])
        return (rows, end) if rows else None
    return None


def written(name: str, options: dict[str, str], body: Lines) -> Table:
    """The table of a directive, `list-table` or `csv-table`; empty where it is in another file, or not understood."""
    rows = _items(body) if name == "list-table" else _values(options, body)
    heads = options.get("header-rows", "0").strip()
    first = 1 if name == "csv-table" and "header" in options else 0
    return _made(rows, first + (int(heads) if heads.isdecimal() and len(heads) < 3 else 0))


def options_of(lines: Lines) -> tuple[dict[str, str], int]:
    """The options at the beginning of what a directive holds, and how many lines they take."""
    found: dict[str, str] = {}
    for count, line in enumerate(lines):
        option = _OPTION.match(line.text.strip())
        if not option:
            return found, count
        found[option[1]] = option[2] or ""
    return found, len(lines)


def _made(rows: Sequence[Row], heads: int) -> Table:
    """The lines of a table; none where its rows differ in length."""
    widths = {len(row.cells) for row in rows}
    return as_lines(rows, heads) if len(widths) == 1 and max(widths) >= _FEWEST else []


@dataclass(slots=True)
class _Open:
    """Rows while they are read: a cell grows line by line."""

    rows: list[tuple[list[list[str]], int]] = field(default_factory=list)

    def begin(self, cells: Sequence[str], line: int) -> None:
        self.rows.append(([[cell] for cell in cells], line))

    def go_on(self, cells: Sequence[str]) -> None:
        for parts, more in zip(self.rows[-1][0], cells, strict=True):
            parts.append(more)

    @property
    def closed(self) -> list[Row]:
        """What was read; `| ` in front of a line only says that it ends there."""
        return [
            Row([" ".join(part.removeprefix("| ") for part in parts if part) for parts in cells], line)
            for cells, line in self.rows
        ]


def _simple(lines: Lines) -> Table:
    """A table between borders of equals signs, of which it has two, or three with a header."""
    borders = [i for i, line in enumerate(lines) if i == 0 or is_border(line)]
    top = lines[0].text
    if len(borders) > _BORDERS or any(lines[i].text != top for i in borders):
        return []
    starts = [found.start() for found in re.finditer("=+", top)]
    found, heads = _Open(), 0
    for i, line in enumerate(lines):
        cells = _cut(line.text, starts, top)
        if cells is None:
            return []
        if i in borders:
            heads = len(found.rows) if len(borders) == _BORDERS and i == borders[1] else heads
        elif cells[0] or not found.rows:
            found.begin(cells, line.number)
        else:
            found.go_on(cells)
    return _made(found.closed, heads)


def _cut(text: str, starts: Sequence[int], top: str) -> list[str] | None:
    """The cells of a line between the columns of a simple table; None where one goes over its edge."""
    if text.strip() and not text.strip("- "):
        return None  # dashes: a cell of several columns
    if text[: starts[0]].strip() or any(text[i : i + 1].strip() for i, char in enumerate(top) if char == " "):
        return None
    ends = [*starts[1:], len(text) + 1]
    return [text[a:b].strip() for a, b in zip(starts, ends, strict=True)]


def _grid(lines: Lines) -> Table:
    """A table with borders between all cells, those of the header of equals signs or with its words in bold."""
    top = lines[0].text
    edges = [i for i, char in enumerate(top) if char == "+"]
    found, heads, above = _Open(), 0, ""
    for line in lines:
        text, before, above = line.text, above, line.text[edges[0] : edges[0] + 1]
        if len(text) != len(top) or text[: edges[0]].strip() or any(text[i] not in "+|" for i in edges):
            return []  # a cell of several columns
        if above == "+":
            if text.replace("=", "-") != top.replace("=", "-"):
                return []
            heads = len(found.rows) if "=" in text and not heads else heads
            continue
        if any(text[i] == "+" for i in edges):
            return []  # one of several rows
        cells = [text[a + 1 : b].strip() for a, b in pairwise(edges)]
        if before == "+":
            found.begin(cells, line.number)
        else:
            found.go_on(cells)
    rows = found.closed
    bold = bool(rows) and all(_BOLD.match(cell) for cell in rows[0].cells)
    return _made(rows, heads or int(bold))


def _items(lines: Lines) -> list[Row]:
    """The rows of a list of lists; none where a line does not fit."""
    found: list[tuple[list[list[str]], int]] = []
    outer = inner = -1
    for line in lines:
        item = _ITEM.match(line.text)
        column = line.indent
        nested = _ITEM.match(item[3] or "") if item and outer in (-1, column) else None
        if item and nested:
            outer, inner = column, len(line.text) - len((item[3] or "").lstrip())
            found.append(([[nested[3] or ""]], line.number))
        elif item and found and column == inner:
            found[-1][0].append([item[3] or ""])
        elif found and (line.blank or column > inner):
            found[-1][0][-1].append(line.text.strip())
        elif not line.blank:
            return []
    return [Row([" ".join(filter(None, parts)) for parts in cells], number) for cells, number in found]


def _values(options: dict[str, str], lines: Lines) -> list[Row]:
    """The rows of comma-separated values."""
    if options.keys() & {"file", "url", "delim", "escape", "quote"}:
        return []
    kept = [line for line in lines if not line.blank]
    texts, numbers = [line.text.strip() + "\n" for line in kept], [line.number for line in kept]
    if kept and "header" in options:  # which stands above the first line, among the options
        texts.insert(0, options["header"])
        numbers.insert(0, lines[0].number - len(options) + list(options).index("header"))
    rows, at = [], 0
    reader = csv.reader(texts, skipinitialspace=True, strict=True)
    try:
        for cells in reader:
            rows.append(Row([" ".join(cell.split()) for cell in cells], numbers[at]))
            at = reader.line_num
    except csv.Error:
        return []
    return rows
