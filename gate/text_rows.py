"""Rows of Markdown tables in words: each cell under its header, as a reader of the table takes it."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PIPE = re.compile(r"(?<!\\)\|")
_RULER = re.compile(r"\s*\n(?=[^\n]{0,2000}\|)[ \t>]*\|?[ \t]*:?-[-:| \t]*(?:\n|\Z)")  # a dash alone is none
_NEXT = re.compile(r"[ \t]*\r?\n[ \t>]*\Z")
_FEWEST = 2  # cells of a row


def cells(row: str) -> list[str]:
    """The cells of a Markdown row, trimmed; none where the line is no row. A pipe behind a backslash stays in its
    cell. `a | b` is one in a table alone: its neighbours tell."""
    line = row.strip()
    if not line.startswith("|") and " | " not in line:
        return []
    found = [cell.strip().replace("\\|", "|") for cell in _PIPE.split(line.removeprefix("|").removesuffix("|"))]
    return found if len(found) >= _FEWEST else []


def told(row: Sequence[str], header: Sequence[str]) -> str:
    """`Plan Flex: Price €149; Deposit €100` for the cells of a row and those of its header."""
    names = [*header, *("" for _ in row[len(header) :])]
    rest = [f"{name} {cell}".strip() for name, cell in zip(names[1:], row[1:], strict=False) if cell]
    first = f"{names[0]} {row[0]}".strip()
    return f"{first}: {'; '.join(rest)}" if first and rest else first or "; ".join(rest)


def in_words(text: str, spans: Sequence[tuple[int, int]], header: str = "") -> list[str | None]:
    """For each line or sentence of a text its row in words, empty for the header of a table and its ruler, None
    for what is no row or has no header. `header` is that of the table which `text` begins in the middle of."""
    found: list[str | None] = []
    above, last = cells(header), 0
    for start, end in spans:
        if _RULER.fullmatch(f"\n{text[start:end]}"):
            found.append("")
            continue
        row = cells(text[start:end])
        if not row or not (_joins(text, last, start) or not found):
            above = above if row and not found else []
        heads = bool(row) and _RULER.match(text, end) is not None
        above = row if heads else above
        found.append("" if heads else told(row, above) if row and above else None)
        last = end
    return found


def header_of(text: str, start: int) -> str:
    """The header, verbatim, of the table that the line at `start` is a row of; empty for any other line, and for the
    header itself."""
    if not cells(text[start : _end(text, start)]):
        return ""
    begin = text.rfind("\n", 0, start) + 1
    below = False
    while begin > 0:
        before = text.rfind("\n", 0, begin - 1) + 1
        line = text[before : begin - 1].strip()
        if below:
            return line if cells(line) else ""
        below = bool(_RULER.match("\n" + line))
        if not below and not cells(line):
            return ""
        begin = before
    return ""


def _end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _joins(text: str, last: int, start: int) -> bool:
    """Whether nothing but a line break, or a ruler, stands between two rows."""
    between = text[last:start]
    return _NEXT.fullmatch(between) is not None or _RULER.fullmatch(between) is not None
