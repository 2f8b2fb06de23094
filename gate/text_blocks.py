"""The blocks of prose and Markdown: paragraphs, list items, headings, table rows, lines of code; in linear time."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gate.text_layout import FENCE, laid_out
from gate.text_markup import CODE, DIRECTIVE, FOOTNOTE, FORMULAS, SINCE

_MARK = re.compile(
    r"[ \t]*(?:(?:[-*+•‣▪–]|\(?\d{1,3}[.)]|\(?[A-Za-z]\)|[a-z]\.(?=[ \t]+\S))[ \t]+(?:\[[ xX]\][ \t]+)?)"
)
_SIGN = re.compile(r"[ \t]*(?=[✅❌☑✔✘✗✖✓🚫👉➡🔹🔸▶►📌⚠]\ufe0f?[ \t]+\S)")  # stays with its item: it may say yes or no
_NOTE = re.compile(r"[ \t]{0,3}\[\^[\w-]{1,40}\]:[ \t]+(?!<?https?://)")  # a footnote; an address stays with its mark
_DEFINED = re.compile(r"[ \t]{0,3}:[ \t]+(?=\S)")  # the line above is what is defined
_INLINE = re.compile(r"(?<=\S)[ \t]+(?=[•‣▪][ \t]+\S)")  # `• rye • oats`
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


def structure(text: str) -> list[Block]:
    """The blocks of `text` in order. Hard-wrapped lines are joined; a fence that is never closed does not make code."""
    found: list[Block] = []
    lines = _lines(text)
    open_block: Block | None = None
    width = 0
    kinds = laid_out(text, lines, [_classify(text, *line) for line in lines])
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


def blocks(text: str) -> list[tuple[int, int]]:
    """The spans of structure(text)."""
    return [(block.start, block.end) for block in structure(text)]


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
    breaks = list(_INLINE.finditer(text, start, end)) if text.find("|", start, end) < 0 else []
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
    if (fence := FENCE.match(text, start, end)) and ("~" in fence[1] or "`" not in text[fence.end() : end]):
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
