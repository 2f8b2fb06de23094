"""AsciiDoc, plainly: its lines as they stand, less what is no text. Headings, code, tables and terms are known."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ingest.base import Kind, SourceBlock
from ingest.formats.lines import Builder, SourceLine, decode, fence_around, numbered, put_in
from ingest.formats.tables import Cell, Table

_HEADING = re.compile(r"(={1,6}|#{1,6})\s+(\S.*?)(?:\s+\1)?$")
_ATTRIBUTE = re.compile(r":(!?[\w-]{1,60}!?):(?:\s+(.*))?$")
_USED = re.compile(r"\{([\w-]{1,60})\}")
_SAYS_NOTHING = re.compile(
    r"(?:\[[^\[\]]*\]|\[\[.*\]\]|(?:include|image|video|audio|toc|ifdef|ifndef|ifeval|endif)::.*|'{3,}|<{3,}|\+)$"
)
_FENCE = re.compile(r"(-{4,}|\.{4,}|`{3,}.*|/{4,}|\+{4,})$")
_AROUND = re.compile(r"(={4,}|\*{4,}|_{4,}|--)$")  # what stands between them is text
_TITLE = re.compile(r"\.(?=[^\s.])(.+)$")
_ITEM = re.compile(r"\s{0,40}(?:\*{1,5}|\.{1,5}|-)\s+(?=\S)")
_DEFINED = re.compile(r"\s{0,40}(\S.{0,200}?):{2,4}(?:\s+(.*))?$")
_CELL = re.compile(r"(?:^|\s)(?:\d{1,2}(?:\.\d{1,2})?[+*])?[<^>.]{0,4}[aehlmsv]?\|")


def read_asciidoc(data: bytes) -> list[SourceBlock]:
    """The blocks of an AsciiDoc file. Raises SourceError if it is not text."""
    lines = numbered(decode(data))
    builder, at, known = Builder(indented=Kind.CODE), 0, dict[str, str]()
    while at < len(lines):
        line = lines[at]
        if fence := _FENCE.match(line.text):
            end = _end(lines, at, "```" if fence[1].startswith("`") else line.text)
            builder.close()
            if not line.text.startswith("/"):
                builder.block(Kind.CODE, fenced(line, lines[at + 1 : end], lines[min(end, len(lines) - 1)]))
            at = end
        elif line.text.startswith("|==="):
            end = _end(lines, at, line.text)
            builder.close()
            builder.block(Kind.TABLE, _rows([_put_in(one, known) for one in lines[at + 1 : end]]))
            at = end
        else:
            _text(builder, line, known)
        at += 1
    builder.close()
    return builder.blocks


def fenced(first: SourceLine, lines: Sequence[SourceLine], last: SourceLine) -> list[SourceLine]:
    """The lines of code as Markdown has them, between marks in the places of `first` and `last`."""
    mark = fence_around(line.text for line in lines)
    return [first._replace(text=mark), *lines, last._replace(text=mark)] if lines else []


def _end(lines: Sequence[SourceLine], at: int, mark: str) -> int:
    """The index of the closing mark; behind the last line where there is none."""
    return next((end for end in range(at + 1, len(lines)) if lines[end].text == mark), len(lines))


def _text(builder: Builder, line: SourceLine, known: dict[str, str]) -> None:
    """A heading, an attribute, noise, or a line of a paragraph."""
    text = line.text
    if attribute := _ATTRIBUTE.match(text):
        known[attribute[1].lower()] = (attribute[2] or "")[:500]
    elif text.startswith("//"):
        pass
    elif heading := _HEADING.match(text):
        made = _put_in(line, known)
        builder.heading(len(heading[1]), _put_in(line._replace(text=heading[2]), known).text, [made])
    elif _SAYS_NOTHING.match(text) or _AROUND.match(text):
        builder.close()
    elif title := _TITLE.match(text):
        builder.close()
        builder.add(_put_in(line._replace(text=title[1]), known))
        builder.close()
    elif defined := _DEFINED.match(text):
        builder.close()
        builder.block(Kind.TERM, [_put_in(line._replace(text=f"{defined[1]}:"), known)])
        builder.add(_put_in(line._replace(text=defined[2] or ""), known))
    elif item := _ITEM.match(text):
        builder.add(_put_in(line._replace(text=f"- {text[item.end() :]}"), known))
    else:
        builder.add(_put_in(line, known))


def _put_in(line: SourceLine, known: Mapping[str, str]) -> SourceLine:
    """The line with the values of its attributes, and those of itself alone."""
    return line._replace(text=put_in(line.text, _USED, known))


def _rows(lines: Sequence[SourceLine]) -> list[SourceLine]:
    """The rows of a table: as many cells as its first line has, which is the header if a blank line follows it or if
    every row stands in one line."""
    cells: list[Cell] = []
    first = next((line for line in lines if not line.blank), None)
    width = 0
    for line in lines:
        pieces = _CELL.split(line.text)
        if cells and pieces[0].strip():
            last = cells.pop()
            cells.append(Cell(f"{last.text} {pieces[0].strip()}".strip(), last.line, last.heads))
        cells += [Cell(piece.strip(), line.number, heads=line is first) for piece in pieces[1:]]
        width = width or len(cells)
    table = Table([cells[at : at + width] for at in range(0, len(cells), width)] if width else [])
    rows = [row for row in table.rows if any(cell.text for cell in row)]
    return [SourceLine(number, text) for text, number in Table(rows).lines]
