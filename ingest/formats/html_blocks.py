"""The blocks of a page while it is read: text becomes a paragraph, list item, term, heading or code by what ends it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ingest.blocks import Block, Kind, Outline, shorten
from ingest.formats.html_text import Fragments

_TICKS = re.compile(r"`{3,}")
_WORD = re.compile(r"(?<!\S)[A-Za-z]{2,}[,.;:]?(?!\S)")
_LONG = 6  # words of a line of text
_MOST = 0.4  # of the lines of code may be as long
HEADINGS = {f"h{level}": level for level in range(1, 7)}


@dataclass(slots=True)
class Writer:
    """Takes text through `fragments` and makes a block of it whenever one ends."""

    blocks: list[Block] = field(default_factory=list)
    outline: Outline = field(default_factory=Outline)
    fragments: Fragments = field(default_factory=Fragments)
    _numbers: list[int] = field(default_factory=list)  # open lists: the next item's number, 0 for bullets
    _item: str = ""  # the mark that the next block of the list gets
    _terms: list[str] = field(default_factory=list)  # open definition lists: the term being defined

    def begin_list(self, first: int) -> None:
        """A list, numbered from `first` or with bullets (0)."""
        self._numbers.append(first)

    def begin_item(self) -> None:
        """An item of the innermost list."""
        number = self._numbers[-1] if self._numbers else 0
        self._item = "  " * max(len(self._numbers) - 1, 0) + (f"{number}. " if number else "- ")
        if number:
            self._numbers[-1] += 1

    def begin_terms(self) -> None:
        """A list of terms and their definitions."""
        self._terms.append("")

    def end(self, tag: str) -> None:
        """A list, an item or a list of terms is over."""
        if tag in {"ul", "ol", "menu"} and self._numbers:
            self._numbers.pop()
        elif tag == "dl" and self._terms:
            self._terms.pop()
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
            path = (*self.outline.path, *(term for term in self._terms if term))
            text = "\n".join(text for text, _ in lines)
            self.blocks.append(Block(text, tuple(line for _, line in lines), path, kind, level))

    def _heading(self, level: int) -> None:
        text, line = self.fragments.take_line()
        if not text:
            return
        if self.outline.stack[:1] != [(0, shorten(text))]:  # a page's first heading often says its title again
            self.outline.push(level, text)
        self.emit([(text, line)], Kind.HEADING, level)

    def _term(self) -> None:
        text, line = self.fragments.take_line()
        if not text:
            return
        if self._terms:
            self._terms[-1] = ""
        self.emit([(text, line)], Kind.TERM)
        if self._terms:
            self._terms[-1] = shorten(text)

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
    mark = "`" * (1 + max((len(run) for text, _ in lines for run in _TICKS.findall(text)), default=2))
    return [(mark, lines[0][1]), *lines, (mark, lines[-1][1])]
