"""HTML: the text of a page without its chrome; headings, lists, tables and code keep their form and their lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gate.errors import SourceError
from ingest.blocks import Block, Kind, shorten
from ingest.formats.decode import decode_html
from ingest.formats.html_blocks import Writer
from ingest.formats.html_chrome import BLOCK_TAGS, has_main, is_chrome, is_layout, is_main
from ingest.formats.html_table import Table

if TYPE_CHECKING:
    from lxml.etree import _Element


def read_html(data: bytes) -> list[Block]:
    """The blocks of a page; none for one that only sends the reader elsewhere. Raises SourceError."""
    root = _parse(decode_html(data))
    page = _Page(bounded=has_main(root))
    if next(root.iter("h1"), None) is None:
        page.writer.outline.push(0, "".join(next(root.iter("title"), root).itertext("title")))
    page.walk(root)
    redirects = any((meta.get("http-equiv") or "").lower() == "refresh" for meta in root.iter("meta"))
    if not page.writer.blocks and not redirects:
        raise SourceError("has no text outside of navigation and scripts", "is it a page that a script fills in?")
    return page.writer.blocks


def _parse(text: str) -> _Element:
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True)
    try:
        root = etree.fromstring(text.encode("utf-8"), parser)
    except etree.XMLSyntaxError as error:
        raise SourceError(f"cannot be read as HTML: {shorten(str(error))}") from None
    if fatal := [entry for entry in parser.error_log if entry.level_name == "FATAL"]:
        why = fatal[0].message.split(", use")[0]  # the rest advises on an option of the library
        raise SourceError(f"cannot be read as HTML: {shorten(why)}", "the parser gave up inside of it")
    if root is None:
        raise SourceError("has no text")
    return root


@dataclass(slots=True)
class _Page:
    """A walk over the tree, from tag to tag: no recursion, so that no nesting is too deep."""

    bounded: bool  # only what stands in the main part counts
    writer: Writer = field(default_factory=Writer)
    muted: int = 0  # how deep in an element that is not text
    main: int = 0  # open elements that are the main part
    articles: int = 0
    code: int = 0  # open `pre` elements
    table: Table | None = None
    tables: int = 0  # how deep in the table that is being read

    def walk(self, root: _Element) -> None:
        """Read everything below `root`."""
        from lxml import etree

        fragments = self.writer.fragments
        for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
            if event != "end":
                fragments.at(element.sourceline)
            if event == "start":
                self._enter(element)
                fragments.text(element.text, muted=self._silent)
                continue
            if event == "end":
                self._leave(element)
            fragments.text(element.tail, muted=self._silent)
        self.writer.flush()

    @property
    def _silent(self) -> bool:
        """Whether text that stands here is dropped."""
        return self.muted > 0 or (self.bounded and self.main == 0)

    def _enter(self, element: _Element) -> None:
        if self.muted or is_chrome(element, inside=self.main + self.articles > 0):
            self.muted += 1
            return
        tag = str(element.tag)
        self.main += is_main(element)  # also inside of a table that never ended
        self.articles += tag == "article"
        if self.table is not None:
            self._enter_cell(element, self.table)
            return
        self._break(tag)
        self.code += tag == "pre"
        if tag == "table" and not is_layout(element):
            self.table, self.tables = Table(), 1
        elif tag in {"ul", "ol", "menu"}:
            self.writer.begin_list(_first_number(element) if tag == "ol" else 0)
        elif tag == "dl":
            self.writer.begin_terms()
        elif tag == "li":
            self.writer.begin_item()
        else:
            self._inline(tag)

    def _leave(self, element: _Element) -> None:
        if self.muted:
            self.muted -= 1
            return
        tag = str(element.tag)
        if self.table is not None:
            self._leave_cell(tag, self.table)
        else:
            self.code -= tag == "pre"
            self._break(tag, tag)
            self.writer.end(tag)
        self.main -= is_main(element)
        self.articles -= tag == "article"

    def _break(self, tag: str, closing: str = "") -> None:
        """A tag that begins or ends a block does so; inside of code it is a highlighter's way to mark a line."""
        if tag not in BLOCK_TAGS:
            return
        if self.code:
            self.writer.fragments.mark("\n")
        else:
            self.writer.flush(closing)

    def _enter_cell(self, element: _Element, table: Table) -> None:
        tag = str(element.tag)
        self.tables += tag == "table"
        if tag in {"tr", "td", "th", "caption"}:
            table.cell(self.writer.fragments)
        if tag == "tr":
            table.row()
        elif tag in {"td", "th"}:
            table.begin(element.get("rowspan"), element.get("colspan"))
        elif tag in BLOCK_TAGS:
            self.writer.fragments.mark(" ")
        else:
            self._inline(tag)

    def _leave_cell(self, tag: str, table: Table) -> None:
        self.tables -= tag == "table"
        table_ends = tag == "table" and self.tables == 0
        if tag in {"td", "th"}:
            table.cell(self.writer.fragments, closed=True, heads=tag == "th")
        elif tag in {"tr", "caption"} or table_ends:
            table.cell(self.writer.fragments)
            table.row()
        elif tag in BLOCK_TAGS:
            self.writer.fragments.mark(" ")
        if table_ends:
            self.writer.emit(table.lines, Kind.TABLE)
            self.table = None

    def _inline(self, tag: str) -> None:
        if tag == "br":
            self.writer.fragments.mark("\n")
        elif tag == "sup" and self.writer.fragments.ends_in_word:
            self.writer.fragments.mark("^")  # 2<sup>10</sup> is not 210


def _first_number(element: _Element) -> int:
    start = element.get("start") or ""
    return int(start) if start.isascii() and start.isdigit() and len(start) < 7 and int(start) else 1
