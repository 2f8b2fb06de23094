"""reStructuredText and plain text: their lines as they stand, less comments, targets and directives without words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ingest.blocks import Block, Kind
from ingest.formats.decode import decode
from ingest.formats.lines import Builder, Line, numbered

ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}$")
DIRECTIVE = re.compile(r"\s*\.\. (?:\|[^|]*\| )?([\w:+.-]+)::(?:\s|$)")
CODE = {"code", "code-block", "sourcecode", "parsed-literal", "literalinclude", "doctest", "testcode", "prompt", "math"}
SILENT = {  # they say nothing, or nothing about the subject
    "image", "figure", "index", "meta", "raw", "highlight", "toctree", "contents", "currentmodule", "default-role",
    "replace", "unicode", "include", "sectionauthor", "moduleauthor", "codeauthor", "only", "testsetup", "testcleanup",
    "container", "class",
}  # fmt: skip


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
    lines = numbered(decode(data))
    builder, ranks, at = Builder(indented=Kind.PROSE), _Ranks(), 0
    while at < len(lines):
        at = _heading(builder, ranks, lines, at) or _explicit(builder, lines, at) or _plain(builder, lines, at)
    builder.close()
    return builder.blocks


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
    builder.heading(
        ranks.level(("over" if over else "") + under[0]), text.replace("``", ""), list(lines[at : title + 2])
    )
    return title + 2


def _explicit(builder: Builder, lines: Sequence[Line], at: int) -> int:
    """Read what begins with two dots: a directive, a target or a comment. 0 if there is none."""
    if not (lines[at].text.lstrip() + " ").startswith(".. "):
        return 0
    builder.close()
    found = DIRECTIVE.match(lines[at].text)
    name = found[1] if found else ""
    if re.match(r"\s*\.\. \[", lines[at].text) or (name and name not in SILENT | CODE):
        builder.add(lines[at])  # a footnote; or note, versionadded, function, ...: the words behind it are text
        return at + 1
    end = _body_end(lines, at)
    if name in CODE:
        builder.block(Kind.CODE, list(lines[at:end]))
    return end


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
