"""HTML: the text of a page without its chrome; headings, lists, tables and code keep their form and their lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gate.errors import SourceError
from ingest.base import Kind, Outline, SourceBlock, shorten
from ingest.formats.lines import Fragments, decode_html, fence_around
from ingest.formats.tables import Table

if TYPE_CHECKING:
    from lxml.etree import _Element
_WORD = re.compile(r"(?<!\S)[A-Za-z]{2,}[,.;:]?(?!\S)")
_UNSEEN = re.compile(r"(?:^|;)\s{0,9}(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden)\b", re.IGNORECASE)
_LONG = 6  # words of a line of text
_MOST = 0.4  # of the lines of code may be as long
HEADINGS = {f"h{level}": level for level in range(1, 7)}
LISTS = {"ul", "ol", "menu"}
PERMALINKS = {"¶", "§", "#", "🔗"}


def read_html(data: bytes) -> list[SourceBlock]:
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
class Writer:
    """Takes text through `fragments` and makes a block of it whenever one ends."""

    blocks: list[SourceBlock] = field(default_factory=list)
    outline: Outline = field(default_factory=Outline)
    fragments: Fragments = field(default_factory=Fragments)
    _numbers: list[int] = field(default_factory=list)  # open lists: the next item's number, 0 for bullets
    _item: str = ""  # the mark that the next block of the list gets

    def begin(self, tag: str, first: int) -> None:
        """A list, an item or a list of terms begins; `first` is the number of a list's first item, 0 for bullets."""
        if tag in LISTS:
            self._numbers.append(first)
        elif tag == "dl":
            self.outline.enter("")  # for the term being defined
        elif tag == "li":
            number = self._numbers[-1] if self._numbers else 0
            self._item = "  " * max(len(self._numbers) - 1, 0) + (f"{number}. " if number else "- ")
            if number:
                self._numbers[-1] += 1

    def end(self, tag: str) -> None:
        """A list, an item or a list of terms is over."""
        if tag in LISTS and self._numbers:
            self._numbers.pop()
        elif tag == "dl" and self.outline.bases:
            self.outline.leave()
        elif tag == "li":
            self._item = ""

    def flush(self, closing: str = "") -> None:
        """Make a block of the text read since the last one; `closing` is the tag that ends here."""
        if closing in HEADINGS:
            self._heading(HEADINGS[closing])
        elif closing == "pre":
            self.emit(_fenced(self.fragments.take_code()), Kind.CODE)
        elif closing == "dt":
            self._term()
        elif self._numbers:
            self._list_lines()
        else:
            self.emit(self.fragments.take_lines(), Kind.PROSE)

    def emit(self, lines: list[tuple[str, int]], kind: Kind, level: int = 0) -> None:
        """A block of these lines, each with its source line; none if there are no lines."""
        if lines:
            text, numbers = "\n".join(text for text, _ in lines), tuple(line for _, line in lines)
            self.blocks.append(SourceBlock(text, numbers, self.outline.path, kind, level))

    def _heading(self, level: int) -> None:
        text, line = self.fragments.take_line()
        if not text:
            return
        if self.outline.stack[:1] != [(0, shorten(text))]:  # a page's first heading often says its title again
            self.outline.push(level, text)
        self.emit([(text, line)], Kind.HEADING, level)

    def _term(self) -> None:
        text, line = self.fragments.take_line()
        if text:
            listed = bool(self.outline.bases)
            if listed:
                self.outline.leave()
            self.emit([(text, line)], Kind.TERM)
            if listed:
                self.outline.enter(text)

    def _list_lines(self) -> None:
        lines = self.fragments.take_lines()
        indent = " " * (len(self._item) or 2 * len(self._numbers))
        marks = [self._item or indent] + [indent] * len(lines)
        self.emit([(mark + text, line) for mark, (text, line) in zip(marks, lines, strict=False)], Kind.LIST)
        if lines:
            self._item = ""


def _fenced(lines: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Code between two fences, as in Markdown: what looks like a heading or an item in it is none. Text that was
    broken into lines by hand, as in a mail or an old manual, stays text."""
    long = sum(len(_WORD.findall(text)) >= _LONG for text, _ in lines)
    if not lines or long > _MOST * sum(bool(text) for text, _ in lines):
        return lines
    mark = fence_around(text for text, _ in lines)
    return [(mark, lines[0][1]), *lines, (mark, lines[-1][1])]


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
        else:
            self.writer.begin(tag, _first_number(element) if tag == "ol" else 0)
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


def _names(*texts: str) -> frozenset[str]:
    return frozenset(name for text in texts for name in text.split())


MUTE_TAGS = _names(
    "script style nav template svg head iframe object canvas audio video input button select textarea noscript",
    "dialog map del s strike",  # what is struck out is not said any more
)
MUTE_ROLES = _names("navigation banner contentinfo search complementary menu menubar toolbar")
MUTE_CLASSES = _names(
    "navheader navfooter sphinxsidebar headerlink header-anchor anchor-link breadcrumb breadcrumbs navbar pagination",
    "prev-next-area skip-link skiplink edit-page-link copybtn linenos linenodiv lineno sr-only visually-hidden",
    "cookie-banner md-source mobile-nav inline-search",
)
# These may be text inside of an article (a side note, the title in its header) but are chrome around it.
OUTER_TAGS = _names("header footer aside")
OUTER_CLASSES = _names("sidebar footer header menu nav related site-header site-footer page-footer")
BLOCK_TAGS = _names(
    "html body address article aside blockquote caption center dd details div dl dt fieldset figcaption figure footer",
    "form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu ol option p pre section summary table tbody td tfoot",
    "th thead tr ul",
)


def is_chrome(element: _Element, *, inside: bool) -> bool:
    """Whether this element and all in it is not text; `inside`: it stands in the page's main part."""
    tag = element.tag
    if tag in MUTE_TAGS or is_hidden(element) or element.get("role") in MUTE_ROLES:
        return True
    if tag == "a" and len(element) == 0 and (element.text or "").strip() in PERMALINKS:
        return True
    classes = set((element.get("class") or "").split())
    if classes & MUTE_CLASSES:
        return True
    return not inside and (tag in OUTER_TAGS or bool(classes & OUTER_CLASSES))


def is_hidden(element: _Element) -> bool:
    """Whether a browser or a screen reader leaves it out. What only waits to be found or to be unfolded is text."""
    if element.get("hidden", "until-found").lower() != "until-found" or element.get("aria-hidden") == "true":
        return True
    return _UNSEEN.search(element.get("style") or "") is not None


def is_main(element: _Element) -> bool:
    """Whether the page says that its text stands in here."""
    return element.tag == "main" or element.get("role") == "main"


def has_main(root: _Element) -> bool:
    """Whether some main part has words; if so, what is around it is chrome."""
    inside = 0  # elements to come that stand in a main part without words
    for element in root.iter("*"):
        if inside:
            inside -= 1
        elif is_main(element):
            if any(text.strip() for text in element.itertext()):
                return True
            inside = sum(1 for _ in element.iterdescendants("*"))
    return False


def is_layout(table: _Element) -> bool:
    """Whether a table only places things: it holds headings, other tables, or nothing but one row of code."""
    if table.get("role") in {"presentation", "none"}:
        return True
    if next(table.iterdescendants("table", "h1", "h2", "h3", "h4", "h5", "h6"), None) is not None:
        return True
    one_row = len(list(table.iterdescendants("tr"))) <= 1
    return one_row and next(table.iterdescendants("pre"), None) is not None
