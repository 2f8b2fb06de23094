"""reStructuredText and plain text: their lines as they stand, less comments, targets and directives without words."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from gate.text_markup import FORMULAS
from ingest.blocks import Block, Kind
from ingest.formats.decode import decode
from ingest.formats.lines import SAYS, Builder, Line, bare_title, numbered
from ingest.formats.rst_table import drawn, is_border, options_of, written

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
