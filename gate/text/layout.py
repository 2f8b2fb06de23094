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

_Kinds = list[tuple[int, str]]  # for each line where its words begin, and what it is
_Lines = list[tuple[int, int]]
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
    lines = _lines(text)
    open_block: Block | None = None
    width = 0
    kinds = _in_context(text, lines, [_classify(text, *line) for line in lines])
    for (start, end), (begin, kind) in zip(lines, kinds, strict=True):
        if open_block and kind == "text" and not _deliberate(text, (open_block, width), (begin, end)):
            open_block = Block(open_block.kind, open_block.start, end, open_block.level)
            width = max(width, end - start)
            continue
        if kind == "more" and found:
            found[-1] = Block(found[-1].kind, found[-1].start, end)
            continue
        found += [open_block] if open_block else []
        kind = "text" if kind == "note" else kind
        block = Block(kind, begin, end, _column(text, start, begin) if kind == "item" else 0)
        open_block = block if kind in ("text", "item") else None
        found += [block] if kind in ("row", "code", "heading") else []
        width = end - start
    return [*found, open_block] if open_block else found


def _column(text: str, start: int, begin: int) -> int:
    mark = text[start:begin].replace("\t", "    ")
    return len(mark) - len(mark.lstrip())


def _lines(text: str) -> list[tuple[int, int]]:
    spans, at = [], 0
    for line in text.splitlines(keepends=True):
        spans += _items(text, at, at + len(line.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029")))
        at += len(line)
    return spans


def _items(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A line, cut before the bullets inside it if a bullet or a colon stands before the first."""
    breaks = list(_BULLET_INSIDE.finditer(text, start, end)) if text.find("|", start, end) < 0 else []
    if not breaks or not (
        text[start:end].lstrip()[:1] in "•‣▪" or text[start : breaks[0].start()].endswith((":", ":**"))
    ):
        return [(start, end)]
    return list(
        zip([start, *(found.end() for found in breaks)], [*(found.start() for found in breaks), end], strict=True)
    )


def _classify(text: str, start: int, end: int) -> tuple[int, str]:
    """Where the words of a line begin, and what it is: text, note, item, heading, row, fence or rule (nothing)."""
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


def _deliberate(text: str, above: tuple[Block, int], line: tuple[int, int]) -> bool:
    """Whether the line break was meant: the next word would have fitted, and it looks like a beginning."""
    block, width = above
    last = text.rfind("\n", block.start, block.end) + 1 or block.start
    if (
        text[line[0]].islower()
        or text[line[0]] in " \t"
        or text[last : block.end].rstrip()[-1:] in (",", ";", "-", "(")
        or text.count("`", last, block.end) % 2  # in the middle of a name or a link
    ):
        return False
    word = text[line[0] : line[0] + 60].split(None, 1)[0]
    return block.end - last + 1 + len(word) <= max(width, line[1] - line[0], 60)


def _in_context(text: str, lines: _Lines, kinds: _Kinds) -> _Kinds:
    """The kinds of lines, corrected by what stands around them."""
    kinds = _fenced(text, lines, kinds)
    kinds = _literal(text, lines, kinds) if "::" in text else kinds
    kinds = _described(text, lines, kinds) if "-" in text else kinds
    return _rows(text, lines, kinds) if "|" in text else kinds


def _fenced(text: str, lines: _Lines, kinds: _Kinds) -> _Kinds:
    """The lines between two fences are code."""
    fences = [(i, *_fence(text, lines[i])) for i, (_, kind) in enumerate(kinds) if kind == "fence"]
    after = 0
    for n, (i, mark, bare) in enumerate(fences):
        if i < after:
            continue
        if bare and _underlines(text, lines, i, mark):
            kinds[i] = (lines[i][0], "rule")
            continue
        closing = next((j for j, other, bare in fences[n + 1 : n + 50] if bare and other.startswith(mark)), i)
        for k in range(i, closing + 1):
            inside = i < k < closing and any(c.isalnum() for c in text[slice(*lines[k])])
            kinds[k] = (lines[k][0], "code") if inside else _edge(text, lines[k])
        after = closing + 1
    return kinds


def _underlines(text: str, lines: _Lines, at: int, mark: str) -> bool:
    """Whether tildes are the line under a title of reStructuredText: as long as it, at the margin, with nothing
    above it."""
    start, end = lines[at]
    title = text[slice(*lines[at - 1])] if at else ""
    alone = at < 2 or not text[slice(*lines[at - 2])].strip() or text.startswith(mark, lines[at - 2][0])
    return (
        text[start:end].rstrip() == mark == "~" * len(mark)
        and len(mark) >= max(_SHORTEST, len(title.rstrip()))
        and title[:1].strip() != ""
        and alone
    )


def _edge(text: str, line: tuple[int, int]) -> tuple[int, str]:
    """The line of a fence says nothing, unless more than the name of a language stands behind the mark."""
    found = _FENCE.search(text, *line)
    words = text[found.end() : line[1]].split() if found else []
    return (found.end(), "text") if found and len(words) > 2 else (line[0], "rule")


def _fence(text: str, line: tuple[int, int]) -> tuple[str, bool]:
    """The mark of a fence, and whether it stands alone, as a closing one does."""
    found = _FENCE.search(text, *line)
    return (found[1], not text[found.end() : line[1]].strip()) if found else ("", False)


def _literal(text: str, lines: _Lines, kinds: _Kinds) -> _Kinds:
    """What is indented below `.. code-block::`, or below a paragraph that ends in two colons, is code."""
    at = 0
    while at < len(lines):
        begin, kind = kinds[at]
        named = DIRECTIVE.match(text, *lines[at]) if kind == "rule" else None
        announced = kind in ("text", "item", "note") and text[begin : lines[at][1]].rstrip().endswith("::")
        at += 1
        if not ((named and named[1] in CODE) or (announced and at < len(lines) and _blank(text, lines[at]))):
            continue
        start = lines[at - 1][0]
        margin = _indent(text, (start, lines[at - 1][1])) if named or not text[start:begin].strip() else begin - start
        options = named is not None
        while at < len(lines) and (_blank(text, lines[at]) or _indent(text, lines[at]) > margin):
            options = options and _DIRECTIVE_OPTION.match(text, *lines[at]) is not None
            says = not options and any(c.isalnum() for c in text[slice(*lines[at])])
            kinds[at] = (lines[at][0], "code" if says else "rule")
            at += 1
    return kinds


def _described(text: str, lines: _Lines, kinds: _Kinds) -> _Kinds:
    """In code, what is indented below `--name TEXT` goes on with it, as programs print what their options do."""
    margin = -1  # of the option above
    for at, (begin, kind) in enumerate(kinds):
        indent = _indent(text, lines[at])
        if kind != "code":
            margin = -1
        elif _FLAG.match(text, *lines[at]):
            margin = indent
        elif 0 <= margin <= indent - _DEEPER:
            kinds[at] = (begin, "more")
        else:
            margin = -1
    return kinds


def _blank(text: str, line: tuple[int, int]) -> bool:
    return not text[slice(*line)].strip()


def _indent(text: str, line: tuple[int, int]) -> int:
    written = text[slice(*line)]
    return len(written[: len(written) - len(written.lstrip())].expandtabs(4))


def _rows(text: str, lines: _Lines, kinds: _Kinds) -> _Kinds:
    """Above and below a ruler, lines that a bar parts are rows."""
    for at, (_, kind) in enumerate(kinds):
        if at == 0 or kind != "rule" or not _RULER.match(text, *lines[at]) or not _parted(text, lines, kinds, at - 1):
            continue
        kinds[at - 1] = (kinds[at - 1][0], "row")
        below = at + 1
        while below < len(lines) and _parted(text, lines, kinds, below):
            kinds[below] = (kinds[below][0], "row")
            below += 1
    return kinds


def _parted(text: str, lines: _Lines, kinds: _Kinds, at: int) -> bool:
    return kinds[at][1] in ("text", "row") and text.find("|", *lines[at]) >= 0


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
    if not cells(text[start : _line_end(text, start)]):
        return ""
    begin = text.rfind("\n", 0, start) + 1
    below = False
    while begin > 0:
        before = text.rfind("\n", 0, begin - 1) + 1
        line = text[before : begin - 1].strip()
        if below:
            return line if cells(line) else ""
        below = bool(_RULER_LINE.match("\n" + line))
        if not below and not cells(line):
            return ""
        begin = before
    return ""


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _joins(text: str, last: int, start: int) -> bool:
    """Whether nothing but a line break, or a ruler, stands between two rows."""
    between = text[last:start]
    return _LINE_BREAK.fullmatch(between) is not None or _RULER_LINE.fullmatch(between) is not None
