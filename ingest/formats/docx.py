"""Word files: paragraphs under their headings, lists, tables and footnotes; a line is the number of a paragraph.

Deleted and hidden text, comments, heads and feet are left out.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gate.errors import SourceError
from ingest.base import Kind, SourceBlock, shorten
from ingest.formats.lines import Builder, SourceLine
from ingest.formats.tables import Cell, Table

if TYPE_CHECKING:
    from lxml.etree import _Element

XML_BYTES = 50 * 2**20  # of a part, unpacked: a small archive can hold any size
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_VAL = f"{_W}val"
_TITLES = re.compile(r"(?:heading ?([1-9])|title)$", re.IGNORECASE)
_SKIPPED = {f"{_W}{name}" for name in ("del", "moveFrom", "pPr", "tblPr", "sectPr")} | {
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"  # says again what stands in front of it
}
_MARKS = {f"{_W}tab": " ", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-"}


def read_docx(data: bytes) -> list[SourceBlock]:
    """The blocks of a Word file. Raises SourceError: no such file, damaged, or too large when it is unpacked."""
    from lxml import etree

    faults = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = [_part(archive, f"word/{name}.xml") for name in ("document", "styles", "footnotes", "endnotes")]
    except (*faults, etree.XMLSyntaxError) as error:
        why = shorten(str(error))
        raise SourceError(f"cannot be read as .docx ({why})", "open it and save it again, or convert it") from None
    body, styles, *notes = parts
    if body is None:
        raise SourceError("is not a Word file: it has no word/document.xml", "save it as .docx")
    levels, builder = _levels(styles), Builder(indented=Kind.PROSE)
    number = 0
    for part in (body, *notes):
        for element in _children(part):
            number += 1
            if element.tag == f"{_W}tbl":
                number = _table(builder, element, number)
            else:
                _paragraph(builder, element, number, levels)
    return builder.blocks


def _part(archive: zipfile.ZipFile, name: str) -> _Element | None:
    from lxml import etree

    if name not in archive.namelist():
        return None
    with archive.open(name) as file:
        text = file.read(XML_BYTES + 1)
    if len(text) > XML_BYTES:
        raise SourceError(f"is too large: {name} has more than {XML_BYTES >> 20} MB", "split it")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)
    root = etree.fromstring(text, parser)
    if root.getroottree().docinfo.internalDTD is not None:  # its entities stay closed: the text would lack them
        raise SourceError(f"is not a Word file: {name} has a document type", "open it and save it again, or convert it")
    return root


def _levels(styles: _Element | None) -> dict[str, int]:
    """Id of a style -> level of its headings. The names are English in every language of the program."""
    found = {}
    for style in styles.iter(f"{_W}style") if styles is not None else ():
        name = style.find(f"{_W}name")
        if name is not None and (title := _TITLES.match(name.get(_VAL) or "")):
            found[style.get(f"{_W}styleId") or ""] = min(int(title[1] or 1), 6)
    return found


def _walk(root: _Element | None, ends: frozenset[str] = frozenset()) -> Iterator[_Element]:
    """The elements below `root` in order, not into what is skipped, nor into those of `ends`; no recursion."""
    waiting = [] if root is None else list(reversed(root))
    while waiting:
        element = waiting.pop()
        if element.tag in _SKIPPED or not isinstance(element.tag, str):
            continue
        yield element
        if element.tag not in ends:
            waiting.extend(reversed(element))


def _children(root: _Element | None, *names: str) -> Iterator[_Element]:
    """The outermost elements of these names: paragraphs and tables, or rows, or cells."""
    wanted = frozenset(f"{_W}{name}" for name in names or ("p", "tbl"))
    return (element for element in _walk(root, wanted) if element.tag in wanted)


def _text(element: _Element) -> str:
    """The words of a paragraph or a cell, hidden ones left out."""
    parts = []
    for node in _walk(element):
        run = node.getparent()
        if run is not None and run.find(f"{_W}rPr/{_W}vanish") is not None:
            continue
        parts += [node.text or ""] if node.tag == f"{_W}t" else [_MARKS.get(str(node.tag), "")]
        parts += [" "] if node.tag == f"{_W}p" and parts else []
    return "".join(parts).strip()


def _paragraph(builder: Builder, element: _Element, number: int, levels: dict[str, int]) -> None:
    lines = [SourceLine(number, " ".join(line.split())) for line in _text(element).split("\n")]
    lines = [line for line in lines if not line.blank]
    style = element.find(f"{_W}pPr/{_W}pStyle")
    level = levels.get(style.get(_VAL) or "") if style is not None else None
    listed = element.find(f"{_W}pPr/{_W}numPr") is not None
    if lines and level is not None:
        builder.heading(level, " ".join(line.text for line in lines), lines)
    elif lines:
        marked = [line._replace(text=f"{'  ' if at else '- '}{line.text}") for at, line in enumerate(lines)]
        builder.block(Kind.LIST if listed else Kind.PROSE, marked if listed else lines)


def _table(builder: Builder, table: _Element, number: int) -> int:
    """A block of the rows, the first of which names the columns; the number of its last paragraph."""
    made = Table()
    for row in _children(table, "tr"):
        cells: list[Cell] = []
        for cell in _children(row, "tc"):
            text = " ".join(_text(cell).split())
            span, merged = cell.find(f"{_W}tcPr/{_W}gridSpan"), cell.find(f"{_W}tcPr/{_W}vMerge")
            right = int(span.get(_VAL) or 1) if span is not None and (span.get(_VAL) or "").isdecimal() else 1
            if merged is not None and merged.get(_VAL) != "restart" and made.rows:  # it goes on from above
                above = made.rows[-1]
                text = above[len(cells)].text if len(cells) < len(above) else text
            cells.append(Cell(text, number, heads=not made.rows, right=min(right, 100)))
            number += sum(1 for _ in _children(cell, "p"))
        if any(cell.text for cell in cells):
            made.rows.append(cells)
    builder.block(Kind.TABLE, [SourceLine(line, text) for text, line in made.lines])
    return max(number - 1, 1)
