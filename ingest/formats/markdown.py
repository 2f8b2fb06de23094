"""Markdown: its lines as they stand, less front matter, comments, badges and bare tags."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from gate.errors import SourceError
from ingest.base import Kind, SourceBlock
from ingest.formats.flavours import FENCE, unfolded
from ingest.formats.html import read_html
from ingest.formats.lines import Builder, SourceLine, decode, numbered
from ingest.formats.rst import read_lines, read_table

ATX = re.compile(r" {0,3}(#{1,6})(?:\s+(.*))?$")
SETEXT = re.compile(r" {0,3}(=+|-+)$")
RULE = re.compile(r" {0,3}([-*_])(?:\s*\1){2,}$")
TARGET = re.compile(r"\([\w.:-]+\)=$")  # MyST: a name to link to
IMAGE = r"!\[[^\[\]]*\]\([^()]*(?:\([^()]*\)[^()]*)?\)"
BADGES = re.compile(rf"(?:(?:\[\s*{IMAGE}\s*\](?:\([^()]*\)|\[[^\[\]]*\])|{IMAGE})\s*)+$")
TAG_NAMES = (
    "a|article|b|br|center|details|div|em|figure|font|h[1-6]|hr|i|img|picture|p|section|source|span|strong|summary|sub|sup"
    "|table|tbody|td|th|thead|tr|video"
)
TAGS = re.compile(rf"(?:</?(?:{TAG_NAMES})(?:\s[^<>]*|/)?>\s*)+$", re.IGNORECASE)
FRONT_MATTER_LINES = 200
HEADING_MARKUP = 1000  # characters of a heading that are looked at


def read_markdown(data: bytes) -> list[SourceBlock]:
    """The blocks of a Markdown file. Raises SourceError if it is not text."""
    builder = Builder()
    source = numbered(decode(data))
    lines, at = unfolded(source[_after_front_matter(source) :]), 0
    tables = _tables(lines)
    ends = [place for place, line in enumerate(lines) if "-->" in line.text]
    while at < len(lines):
        at = _step(builder, lines, (ends, tables), at)
    builder.close()
    return builder.blocks


def plain(markup: str) -> str:
    """The text of a heading without links, code marks, emphasis and attributes."""
    text = re.sub(r"(?:^|\s)#+$", "", markup[:HEADING_MARKUP].strip())
    text = re.sub(r"\{[^{}]*\}$", "", text.rstrip())
    text = re.sub(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])", r"\1", text)
    text = re.sub(r"</?[A-Za-z][^<>]*>", "", text)
    return re.sub(r"[`*]|(?<!\w)_+|_+(?!\w)|\\(?=\W)", "", text).strip()


def _step(builder: Builder, lines: Sequence[SourceLine], known: tuple[Sequence[int], dict[int, int]], at: int) -> int:
    """Read what begins at line `at`; return where the next thing begins. `known`: the lines where comments can end, and
    the first and last ones of tables in HTML."""
    line, (ends, tables) = lines[at], known
    if fence := FENCE.match(line.text):
        end = _fence_end(lines, at, fence[1])
        builder.close()
        _code(builder, lines[at:end], line.text[fence.end() :].strip())
        return end
    if at in tables and (end := _table(builder, lines, at, tables[at])):
        return end
    if line.text.lstrip().startswith("<!--") and ends and at <= ends[-1]:  # without an end it is text
        end = ends[bisect_left(ends, at)]
        rest = lines[end].text.partition("-->")[2]
        builder.add(SourceLine(lines[end].number, _without_comments(rest).strip()))
        return end + 1
    if heading := ATX.match(line.text):
        builder.heading(len(heading[1]), plain(heading[2] or ""), [line])
    elif builder.open and SETEXT.match(line.text) and not _is_list_or_table(builder):
        above, builder.open = builder.open, []
        builder.heading(1 if "=" in line.text else 2, plain(" ".join(part.text for part in above)), [*above, line])
    elif _is_noise(line.text):
        if RULE.match(line.text):
            builder.close()
    else:
        builder.add(SourceLine(line.number, _without_comments(line.text)))
    return at + 1


def _code(builder: Builder, lines: Sequence[SourceLine], info: str) -> None:
    """A block of code; `info` stands behind the mark of its fence. In MyST it may hold reStructuredText."""
    name, _, title = info.partition("}")
    inside = lines[1 : len(lines) - (not lines[-1].text.strip("`~ "))]
    if name == "{eval-rst":
        kept, builder.indented = builder.indented, Kind.PROSE
        read_lines(builder, inside)
        builder.indented = kept
    elif name in ("{list-table", "{csv-table"):
        read_table(builder, name[1:], [lines[0], *inside], title)
    else:
        builder.block(Kind.CODE, list(lines))


def _tables(lines: Sequence[SourceLine]) -> dict[int, int]:
    """Where tables begin that are written in HTML and have no other inside, and where they end."""
    found, start = {}, -1
    for at, line in enumerate(lines):
        text = line.text.strip().lower() if "<" in line.text else ""
        start = at if text.startswith("<table") else start
        if text.endswith("</table>") and start >= 0:
            found[start] = at
            start = -1
    return found


def _table(builder: Builder, lines: Sequence[SourceLine], at: int, end: int) -> int:
    """Read a table that is written in HTML; 0 if it does not name its columns."""
    try:
        blocks = read_html("\n".join(line.text for line in lines[at : end + 1]).encode())
    except SourceError:  # without words
        return 0
    if [block.kind for block in blocks] != [Kind.TABLE] or "| --- |" not in blocks[0].text:
        return 0
    rows = zip(blocks[0].lines, blocks[0].text.split("\n"), strict=True)
    builder.close()
    builder.block(Kind.TABLE, [SourceLine(lines[at + number - 1].number, text) for number, text in rows])
    return end + 1


def _is_list_or_table(builder: Builder) -> bool:
    """Dashes under a list or a table row are no heading."""
    first = builder.open[0].text.lstrip()
    return first.startswith(("- ", "* ", "+ ", "|", ">")) or len(builder.open) > 3


def _is_noise(text: str) -> bool:
    bare = text.strip()
    return bool(bare) and any(pattern.match(bare) for pattern in (RULE, BADGES, TAGS, TARGET))


def _without_comments(text: str) -> str:
    """The line without comments; code marks may hold a comment as an example, so such a line stays as it is."""
    start = -1 if "`" in text else text.find("<!--")
    while start >= 0 and (end := text.find("-->", start)) >= 0:
        text = text[:start] + text[end + 3 :]
        start = text.find("<!--", start)
    return text.rstrip()


def _fence_end(lines: Sequence[SourceLine], start: int, mark: str) -> int:
    """The index behind the closing fence; without one the code goes to the end, as every renderer shows it."""
    close = re.compile(rf"[\s>]{{0,40}}{re.escape(mark[0])}{{{len(mark)},}}$")
    for at in range(start + 1, len(lines)):
        if close.match(lines[at].text):
            return at + 1
    return len(lines)


def _after_front_matter(lines: Sequence[SourceLine]) -> int:
    """The index behind YAML (`---`) or TOML (`+++`) metadata at the top, 0 if there is none."""
    mark = lines[0].text
    if mark not in {"---", "+++"}:
        return 0
    body = _until(lines[1:FRONT_MATTER_LINES], {mark, "..."} if mark == "---" else {mark})
    if body is None or not any(re.match(r"[\w.\"'-]+\s*[:=]", line.text) for line in body):
        return 0
    return len(body) + 2


def _until(lines: Sequence[SourceLine], marks: set[str]) -> list[SourceLine] | None:
    """The lines in front of the first mark, None if there is no mark."""
    taken: list[SourceLine] = []
    for line in lines:
        if line.text in marks:
            return taken
        taken.append(line)
    return None
