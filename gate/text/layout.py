"""Blocks of prose and Markdown, and rows of tables in words; in linear time.

A line is classified by itself, then once more by its neighbours: fences, literal blocks, options, tables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gate.text.markup import CODE, DIRECTIVE, FOOTNOTE, FORMULAS, SINCE

_MARK = re.compile(
    r"[ \t]*(?:(?:[-*+•‣▪–]|\(?\d{1,3}[.)]|\(?[A-Za-z]\)|[a-z]\.(?=[ \t]+\S))[ \t]+(?:\[[ xX]\][ \t]+)?)"
)
_SIGN = re.compile(r"[ \t]*(?=[✅❌☑✔✘✗✖✓🚫👉➡🔹🔸▶►📌⚠]\ufe0f?[ \t]+\S)")  # stays with its item: it may say yes or no
_NOTE = re.compile(r"[ \t]{0,3}\[\^[\w-]{1,40}\]:[ \t]+(?!<?https?://)")  # a footnote; an address stays with its mark
_DEFINED = re.compile(r"[ \t]{0,3}:[ \t]+(?=\S)")  # the line above is what is defined
_BULLET_INSIDE = re.compile(r"(?<=\S)[ \t]+(?=[•‣▪][ \t]+\S)")  # `• rye • oats`
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_QUOTE = re.compile(r"[ \t]{0,3}>(?![=\d])[ \t]?")  # `>= 3`, `>5` are amounts
_ASIDE = re.compile(r"`[^`]*`|\{[^{}]*\}")  # where a bar parts no cells
# Of reStructuredText: `:param name: ..`, and `-n, --name NAME  ..` as a program lists its options.
_FIELD = re.compile(r"[ \t]*(?=:[A-Za-z*][\w*., -]{0,60}:[ \t]+\S)")
_OPTION = re.compile(r"[ \t]*(?=-{1,2}[A-Za-z][\w-]{0,40}(?:(?:, |[ =,])[^\s,]{1,40}){0,4}[ \t]{2,}\S)")
_MARKED = (
    (_HEADING, "heading"), (_NOTE, "note"), (FOOTNOTE, "note"), (_DEFINED, "item"), (_MARK, "item"), (_SIGN, "item"),
    (_FIELD, "item"), (_OPTION, "item"),
)  # fmt: skip
# Where a link of the text leads to: `[guide]: ../guide.md "Title"`.
_TARGET = re.compile(
    r"\[[^\]^\n][^\]\n]{0,200}\]:\s+<?(?:https?://|mailto:|[./#]|[\w-]+\.\w|[\w./-]+/)\S*(?:\s+[\"'(].*)?$"
)
_ALERT = re.compile(r"\[!\w{3,12}\]\s*$")  # `> [!NOTE]`
_FENCE = re.compile(r"[ \t]{0,12}(```+|~~~+)")
_RULER = re.compile(r"[ \t>]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)+$")  # a row of dashes that a bar parts
_DIRECTIVE_OPTION = re.compile(r"[ \t]*:[\w-]{1,40}:(?:[ \t]|$)")
_FLAG = re.compile(r"[ \t]*-{1,2}[A-Za-z][\w-]{0,40}(?:[ ,=]|$)")
_DEEPER = 4  # columns that a description stands behind its option
_SHORTEST = 4  # tildes under a title
_PIPE = re.compile(r"(?<!\\)\|")
_RULER_LINE = re.compile(r"\s*\n(?=[^\n]{0,2000}\|)[ \t>]*\|?[ \t]*:?-[-:| \t]*(?:\n|\Z)")  # a dash alone is none
_LINE_BREAK = re.compile(r"[ \t]*\r?\n[ \t>]*\Z")
_FEWEST = 2  # cells of a row


@dataclass(frozen=True, slots=True)
class Block:
    """text[start:end] without its marker; `kind` is text, item, heading, row or code (a line each of the last two; of
    code the option of a program with all that describes it).

    `level` is the column of an item's marker, 0 otherwise.
    """

    kind: str
    start: int
    end: int
    level: int = 0


def parse_blocks(text: str) -> list[Block]:
    """The blocks of `text` in order. Hard-wrapped lines are joined; a fence that is never closed does not make code."""
    found: list[Block] = []
    goes_on, width = False, 0  # of the last block
    for line in _lines(text):
        if line.kind == "more" or (goes_on and line.kind == "text" and not _deliberate(text, (found[-1], width), line)):
            found[-1] = Block(found[-1].kind, found[-1].start, line.end, found[-1].level)
            width = max(width, len(line.text))
            continue
        kind = "text" if line.kind == "note" else line.kind
        if kind != "rule":
            found.append(Block(kind, line.begin, line.end, line.indent if kind == "item" else 0))
        goes_on, width = kind in ("text", "item"), len(line.text)
    return found


@dataclass(slots=True)
class _Line:
    """A line, or an item inside of one: where it begins, where its words do, and what it is: text, note, item,
    heading, row, code, fence, rule (nothing), more (of the code above)."""

    start: int
    text: str
    begin: int
    kind: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def blank(self) -> bool:
        return not self.text.strip()

    @property
    def says(self) -> bool:
        return any(c.isalnum() for c in self.text)

    @property
    def indent(self) -> int:
        """Columns of white space in front."""
        return len(self.text[: len(self.text) - len(self.text.lstrip())].expandtabs(4))

    @property
    def words(self) -> str:
        return self.text[self.begin - self.start :]


def _lines(text: str) -> list[_Line]:
    """The lines, each looked at alone and then once more with those around it."""
    lines: list[_Line] = []
    at = 0
    for bare, whole in zip(text.splitlines(), text.splitlines(keepends=True), strict=True):
        for start, end in _items(bare):
            begin, kind = _classify(bare, start, end)
            lines.append(_Line(at + start, bare[start:end], at + begin, kind))
        at += len(whole)
    _fence_off(lines)
    if "::" in text:
        _find_literal(lines)
    if "-" in text:
        _find_options(lines)
    if "|" in text:
        _find_rows(lines)
    return lines


def _items(line: str) -> list[tuple[int, int]]:
    """A line, cut before the bullets inside it if a bullet or a colon stands before the first."""
    breaks = list(_BULLET_INSIDE.finditer(line)) if "|" not in line else []
    if not breaks or not (line.lstrip()[:1] in "•‣▪" or line[: breaks[0].start()].endswith((":", ":**"))):
        return [(0, len(line))]
    starts, ends = [found.end() for found in breaks], [found.start() for found in breaks]
    return list(zip([0, *starts], [*ends, len(line)], strict=True))


def _classify(text: str, start: int, end: int) -> tuple[int, str]:
    """Where the words of a line begin, and what it is by itself."""
    quoted = False
    while (quote := _QUOTE.match(text, start, end)) and quote.end() > start:
        start, quoted = quote.end(), True
    if directive := DIRECTIVE.match(text, start, end):
        return _directive(directive, end)
    if (fence := _FENCE.match(text, start, end)) and ("~" in fence[1] or "`" not in text[fence.end() : end]):
        return start, "fence"
    for pattern, kind in _MARKED:
        if found := pattern.match(text, start, end):
            return found.end(), kind
    line = text[start:end].strip()
    if not any(c.isalnum() for c in line) or _ALERT.match(line) or _TARGET.match(line):
        return start, "rule"
    if line.startswith("|") or (line.count(" | ") >= 2 and _ASIDE.sub("", line).count(" | ") >= 2):
        return start, "row"
    return start, "text" if not quoted or text[start:end].strip() else "rule"


def _directive(found: re.Match[str], end: int) -> tuple[int, str]:
    """The words behind the mark of a directive, if there are any; the mark stays where it says since when."""
    if found[1] in CODE - FORMULAS or found.end() >= end:
        return found.start(), "rule"
    return found.start() if found[1] in SINCE else found.end(), "note"


def _deliberate(text: str, above: tuple[Block, int], line: _Line) -> bool:
    """Whether the line break was meant: the next word would have fitted, and it looks like a beginning."""
    block, width = above
    last = text.rfind("\n", block.start, block.end) + 1 or block.start
    if (
        text[line.begin].islower()
        or text[line.begin] in " \t"
        or text[last : block.end].rstrip()[-1:] in (",", ";", "-", "(")
        or text.count("`", last, block.end) % 2  # in the middle of a name or a link
    ):
        return False
    word = text[line.begin : line.begin + 60].split(None, 1)[0]
    return block.end - last + 1 + len(word) <= max(width, line.end - line.begin, 60)


def _fence_off(lines: Sequence[_Line]) -> None:
    """The lines between two fences are code. A fence says nothing, unless more than a language stands behind it."""
    fences = [(at, *_fence(line)) for at, line in enumerate(lines) if line.kind == "fence"]
    after = 0
    for n, (at, mark, behind) in enumerate(fences):
        if at < after:
            continue
        closing = next((k for k, other, more in fences[n + 1 : n + 50] if not more and other.startswith(mark)), at)
        if not behind and _underlines(lines, at, mark):
            closing = at
        for line in lines[at + 1 : closing + 1]:
            line.begin, line.kind = line.start, "code" if line.says else "rule"
        lines[at].kind = "text" if len(behind) > 2 else "rule"
        lines[at].begin = lines[at].text.index(mark) + len(mark) + lines[at].start
        after = closing + 1


def _fence(line: _Line) -> tuple[str, list[str]]:
    """The mark of a fence, and the words behind it."""
    words = line.words.strip()
    mark = words[: len(words) - len(words.lstrip(words[0]))]
    return mark, words[len(mark) :].split()


def _underlines(lines: Sequence[_Line], at: int, mark: str) -> bool:
    """Whether tildes are the line under a title of reStructuredText: as long as it, at the margin, with nothing
    above it."""
    title = lines[at - 1].text if at else ""
    return (
        lines[at].text.rstrip() == mark == "~" * len(mark)
        and len(mark) >= max(_SHORTEST, len(title.rstrip()))
        and title[:1].strip() != ""
        and (at < 2 or lines[at - 2].blank or lines[at - 2].text.startswith(mark))
    )


def _find_literal(lines: Sequence[_Line]) -> None:
    """What is indented below `.. code-block::`, or below a paragraph that ends in two colons, is code."""
    at = 0
    while at < len(lines):
        line = lines[at]
        named = DIRECTIVE.match(line.text) if line.kind == "rule" else None
        announced = line.kind in ("text", "item", "note") and line.words.rstrip().endswith("::")
        at += 1
        if not ((named and named[1] in CODE) or (announced and at < len(lines) and lines[at].blank)):
            continue
        marker = "" if named else line.text[: line.begin - line.start]
        margin = len(marker) if marker.strip() else line.indent
        options = named is not None
        while at < len(lines) and (lines[at].blank or lines[at].indent > margin):
            options = options and _DIRECTIVE_OPTION.match(lines[at].text) is not None
            lines[at].begin, lines[at].kind = lines[at].start, "code" if lines[at].says and not options else "rule"
            at += 1


def _find_options(lines: Sequence[_Line]) -> None:
    """In code, what is indented below `--name TEXT` goes on with it, as programs print what their options do."""
    margin = -1  # of the option above
    for line in lines:
        if line.kind == "code" and _FLAG.match(line.text):
            margin = line.indent
        elif line.kind == "code" and 0 <= margin <= line.indent - _DEEPER:
            line.kind = "more"
        else:
            margin = -1


def _find_rows(lines: Sequence[_Line]) -> None:
    """Above and below a ruler, lines that a bar parts are rows."""
    for at, line in enumerate(lines):
        if at == 0 or line.kind != "rule" or not _RULER.match(line.text) or not _parted(lines[at - 1]):
            continue
        lines[at - 1].kind = "row"
        below = at + 1
        while below < len(lines) and _parted(lines[below]):
            lines[below].kind = "row"
            below += 1


def _parted(line: _Line) -> bool:
    return line.kind in ("text", "row") and "|" in line.text


def cells(row: str) -> list[str]:
    """The cells of a Markdown row, trimmed; none where the line is no row. A pipe behind a backslash stays in its
    cell. `a | b` is a row only within a table, which its neighbours decide."""
    line = row.strip()
    if not line.startswith("|") and " | " not in line:
        return []
    found = [cell.strip().replace("\\|", "|") for cell in _PIPE.split(line.removeprefix("|").removesuffix("|"))]
    return found if len(found) >= _FEWEST else []


def row_in_words(row: Sequence[str], header: Sequence[str]) -> str:
    """Each cell of a row behind that of its header: `Plan Flex: Price €149; Deposit €100`."""
    names = [*header, *("" for _ in row[len(header) :])]
    rest = [f"{name} {cell}".strip() for name, cell in zip(names[1:], row[1:], strict=False) if cell]
    first = f"{names[0]} {row[0]}".strip()
    return f"{first}: {'; '.join(rest)}" if first and rest else first or "; ".join(rest)


def rows_in_words(text: str, spans: Sequence[tuple[int, int]], header: str = "") -> list[str | None]:
    """For each line or sentence of a text its row in words, empty for the header of a table and its ruler, None
    for what is no row or has no header. `header` is that of the table which `text` begins in the middle of."""
    found: list[str | None] = []
    above, last = cells(header), 0
    for start, end in spans:
        if _RULER_LINE.fullmatch(f"\n{text[start:end]}"):
            found.append("")
            continue
        row = cells(text[start:end])
        if not row or not (_joins(text, last, start) or not found):
            above = above if row and not found else []
        heads = bool(row) and _RULER_LINE.match(text, end) is not None
        above = row if heads else above
        found.append("" if heads else row_in_words(row, above) if row and above else None)
        last = end
    return found


def header_of(text: str, start: int) -> str:
    """The header, verbatim, of the table that the line at `start` is a row of; empty for any other line, and for the
    header itself."""
    begin, end = text.rfind("\n", 0, start), text.find("\n", start)
    if begin < 0 or not cells(text[start : end if end >= 0 else len(text)]):
        return ""
    below = False  # the line below is a ruler
    for line in map(str.strip, reversed(text[:begin].split("\n"))):
        if below:
            return line if cells(line) else ""
        below = bool(_RULER_LINE.match("\n" + line))
        if not below and not cells(line):
            return ""
    return ""


def _joins(text: str, last: int, start: int) -> bool:
    """Whether nothing but a line break, or a ruler, stands between two rows."""
    between = text[last:start]
    return _LINE_BREAK.fullmatch(between) is not None or _RULER_LINE.fullmatch(between) is not None
