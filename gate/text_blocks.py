"""The blocks of prose and Markdown: paragraphs, list items, headings, table rows, lines of code; in linear time."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARK = re.compile(
    r"[ \t]*(?:(?:[-*+•‣▪–]|\(?\d{1,3}[.)]|\(?[A-Za-z]\)|[a-z]\.(?=[ \t]+\S))[ \t]+(?:\[[ xX]\][ \t]+)?)"
)
_SIGN = re.compile(r"[ \t]*(?=[✅❌☑✔✘✗✖✓🚫👉➡🔹🔸▶►📌⚠]\ufe0f?[ \t]+\S)")  # stays with its item: it may say yes or no
_NOTE = re.compile(r"[ \t]{0,3}\[\^[\w-]{1,40}\]:[ \t]+(?!<?https?://)")  # a footnote; an address stays with its mark
_DEFINED = re.compile(r"[ \t]{0,3}:[ \t]+(?=\S)")  # the line above is what is defined
_INLINE = re.compile(r"(?<=\S)[ \t]+(?=[•‣▪][ \t]+\S)")  # `• rye • oats`
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_QUOTE = re.compile(r"[ \t]{0,3}>[ \t]?")
_FENCE = re.compile(r"[ \t]{0,12}(```+|~~~+)")
_MARKED = ((_HEADING, "heading"), (_NOTE, "note"), (_DEFINED, "item"), (_MARK, "item"), (_SIGN, "item"))


@dataclass(frozen=True, slots=True)
class Block:
    """text[start:end] without its marker; `kind` is text, item, heading, row or code (one line each of the last two).

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
    for (start, end), (begin, kind) in zip(lines, _kinds(text, lines), strict=True):
        if open_block and kind == "text" and not _deliberate(text, (open_block, width), (begin, end)):
            open_block = Block(open_block.kind, open_block.start, end, open_block.level)
            width = max(width, end - start)
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
    if (fence := _FENCE.match(text, start, end)) and ("~" in fence[1] or "`" not in text[fence.end() : end]):
        return start, "fence"
    for pattern, kind in _MARKED:
        if found := pattern.match(text, start, end):
            return found.end(), kind
    line = text[start:end].strip()
    if not any(c.isalnum() for c in line):
        return start, "rule"
    if line.startswith("|") or line.count(" | ") >= 2:
        return start, "row"
    return start, "text" if not quoted or text[start:end].strip() else "rule"


def _kinds(text: str, lines: list[tuple[int, int]]) -> list[tuple[int, str]]:
    """_classify for every line, with the lines between two fences as code."""
    kinds = [_classify(text, *line) for line in lines]
    fences = [(i, *_fence(text, lines[i])) for i, (_, kind) in enumerate(kinds) if kind == "fence"]
    after = 0
    for n, (i, mark, _) in enumerate(fences):
        if i < after:
            continue
        closing = next((j for j, other, bare in fences[n + 1 : n + 50] if bare and other.startswith(mark)), i)
        for k in range(i, closing + 1):
            inside = i < k < closing and any(c.isalnum() for c in text[slice(*lines[k])])
            kinds[k] = (lines[k][0], "code") if inside else _edge(text, lines[k])
        after = closing + 1
    return kinds


def _edge(text: str, line: tuple[int, int]) -> tuple[int, str]:
    """The line of a fence says nothing, unless more than the name of a language stands behind the mark."""
    found = _FENCE.search(text, *line)
    words = text[found.end() : line[1]].split() if found else []
    return (found.end(), "text") if found and len(words) > 2 else (line[0], "rule")


def _fence(text: str, line: tuple[int, int]) -> tuple[str, bool]:
    """The mark of a fence, and whether it stands alone, as a closing one does."""
    found = _FENCE.search(text, *line)
    return (found[1], not text[found.end() : line[1]].strip()) if found else ("", False)


def _deliberate(text: str, above: tuple[Block, int], line: tuple[int, int]) -> bool:
    """Whether the line break was meant: the next word would have fitted, and it looks like a beginning."""
    block, width = above
    last = text.rfind("\n", block.start, block.end) + 1 or block.start
    if (
        text[line[0]].islower()
        or text[line[0]] in " \t"
        or text[last : block.end].rstrip()[-1:] in (",", ";", "-", "(")
    ):
        return False
    word = text[line[0] : line[0] + 60].split(None, 1)[0]
    return block.end - last + 1 + len(word) <= max(width, line[1] - line[0], 60)
