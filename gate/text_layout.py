"""Lines that their neighbours explain: fenced code, literal blocks of reStructuredText, rows of a table without bars
at its edges, and lines of tildes under a title."""

from __future__ import annotations

import re

from gate.text_markup import CODE, DIRECTIVE

FENCE = re.compile(r"[ \t]{0,12}(```+|~~~+)")
_RULER = re.compile(r"[ \t>]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)+$")  # a row of dashes that a bar parts
_OPTION = re.compile(r"[ \t]*:[\w-]{1,40}:(?:[ \t]|$)")
_FLAG = re.compile(r"[ \t]*-{1,2}[A-Za-z][\w-]{0,40}(?:[ ,=]|$)")
_DEEPER = 4  # columns that a description stands behind its option
_SHORTEST = 4  # tildes under a title

Kinds = list[tuple[int, str]]  # for each line where its words begin, and what it is
_Lines = list[tuple[int, int]]


def laid_out(text: str, lines: _Lines, kinds: Kinds) -> Kinds:
    """The kinds of lines that were looked at one by one, once more by what stands around them."""
    kinds = _fenced(text, lines, kinds)
    kinds = _literal(text, lines, kinds) if "::" in text else kinds
    kinds = _described(text, lines, kinds) if "-" in text else kinds
    return _rows(text, lines, kinds) if "|" in text else kinds


def _fenced(text: str, lines: _Lines, kinds: Kinds) -> Kinds:
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
    found = FENCE.search(text, *line)
    words = text[found.end() : line[1]].split() if found else []
    return (found.end(), "text") if found and len(words) > 2 else (line[0], "rule")


def _fence(text: str, line: tuple[int, int]) -> tuple[str, bool]:
    """The mark of a fence, and whether it stands alone, as a closing one does."""
    found = FENCE.search(text, *line)
    return (found[1], not text[found.end() : line[1]].strip()) if found else ("", False)


def _literal(text: str, lines: _Lines, kinds: Kinds) -> Kinds:
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
            options = options and _OPTION.match(text, *lines[at]) is not None
            says = not options and any(c.isalnum() for c in text[slice(*lines[at])])
            kinds[at] = (lines[at][0], "code" if says else "rule")
            at += 1
    return kinds


def _described(text: str, lines: _Lines, kinds: Kinds) -> Kinds:
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
    shown = text[slice(*line)]
    return len(shown[: len(shown) - len(shown.lstrip())].expandtabs(4))


def _rows(text: str, lines: _Lines, kinds: Kinds) -> Kinds:
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


def _parted(text: str, lines: _Lines, kinds: Kinds, at: int) -> bool:
    return kinds[at][1] in ("text", "row") and text.find("|", *lines[at]) >= 0
