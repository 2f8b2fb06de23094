"""Tables, of Markdown and of HTML: where they stand, their rows, and the cells of a row."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gate.extraction.wording import one_line
from gate.text import code_spans

_TABLE = re.compile(r"<table\b[^<>]{0,300}>", re.IGNORECASE)
_END = re.compile(r"</table>", re.IGNORECASE)
_ROW = re.compile(r"<tr\b", re.IGNORECASE)
_CELL = re.compile(r"<t([hd])\b[^<>]{0,300}>", re.IGNORECASE)
_CLOSED = re.compile(r"</t(?:[hdr]|head|body|foot|able)\s{0,9}>|<t(?:body|foot)\b[^<>]{0,300}>", re.IGNORECASE)
_TAG = re.compile(r"</?(?:t(?:able|head|body|foot|[rdh])|colgroup|col)\b[^<>]{0,300}>", re.IGNORECASE)
_PIPE = re.compile(r"(?<!\\)\|")
_STRONG = re.compile(r"(\*\*|__).+\1$")
_FEWEST = 2  # columns of a table with a header
_HEADER_WORDS = 4  # of a cell of it
_COLUMN_LIST = (
    "plan price cost fee rate amount value limit default description detail duration time period size quantity type "
    "statu count number storage support date deadline availability name feature item option product model category "
    "weight region country unit parameter field column key meaning example note frequency coverage requirement "
    "version tier seat user function method action step topic aspect criterion criteria pro con advantage purpose use "
    "discount refund tool setting"
)
_COLUMNS = frozenset(_COLUMN_LIST.split())  # what columns hold, without the s of the plural
_SAYS = re.compile(r"what (?:it|this|that|they) (?:means?|says?|is|are)", re.IGNORECASE)  # over what says it itself
_SIDES = (
    re.compile(
        r"(?:what(?:['’]s| is) )?(?:covered|included|allowed|permitted|supported|do|dos|do['’]s|yes)", re.IGNORECASE
    ),
    re.compile(
        r"(?:(?:what(?:['’]s| is) )?(?:not|never) \w+|what isn['’]t \w+|excluded|exclusions|forbidden|prohibited|"
        r"don['’]?t['’]?s?|do not|no|avoid)",
        re.IGNORECASE,
    ),
)
_BAR = "\u2502"  # for a pipe that belongs to its cell while the markup comes off
_TICKS = ("✅", "✓", "✔", "✔️")
_CROSSES = ("❌", "✗", "✘", "✖", "✖️")


def tables(text: str) -> list[tuple[int, int]]:
    """Spans of the HTML tables in `text` that are closed and say everything in the cells of their rows; those shown as
    code are none."""
    codes = code_spans(text) if _TABLE.search(text) else []
    found: list[tuple[int, int]] = []
    for begin in _TABLE.finditer(text):
        if found and begin.start() < found[-1][1]:
            continue
        end = _END.search(text, begin.end())
        if end is None:
            break
        shown = any(start < begin.start() < stop for start, stop in codes)
        if not shown and _in_cells(text[begin.end() : end.start()]):
            found.append((begin.start(), end.end()))
    return found


def _in_cells(inner: str) -> bool:
    """Whether what stands inside a table has cells, all of them in rows, and no words outside them."""
    row, cell = _ROW.search(inner), _CELL.search(inner)
    if not row or not cell or cell.start() < row.start():
        return False
    outside = [inner[: cell.start()], *(text for part in _parts(inner) for text in part[1:])]
    return not any(c.isalnum() for c in _TAG.sub("", " ".join(outside)))


def rows(text: str, start: int, end: int) -> tuple[str, list[tuple[int, int]]]:
    """The header of the HTML table text[start:end], empty without one, and the spans of the rows under it."""
    begins = [match.start() for match in _ROW.finditer(text, start, end)]
    ends = [*begins[1:], end - len("</table>")]
    spans = [(a, a + len(text[a:b].rstrip())) for a, b in zip(begins, ends, strict=True) if _CELL.search(text, a, b)]
    headed = len(spans) > 1 and {match[1].lower() for match in _CELL.finditer(text, *spans[0])} == {"h"}
    return (text[slice(*spans[0])], spans[1:]) if headed else ("", spans)


def cells(row: str) -> list[str]:
    """The cells of a row, without markup; a pipe behind a backslash stays in its cell, a tick means yes."""
    raw = [part[0] for part in _parts(row)] if _ROW.match(row) else _raw(row)
    shown = [one_line(cell.replace("\\|", _BAR)).replace(_BAR, "|") for cell in raw]
    return ["yes" if cell in _TICKS else "no" if cell in _CROSSES else cell for cell in shown]


def heads(lines: Sequence[str]) -> bool:
    """Whether the first of some rows is the header of the others, though no ruler is under it: it has no figures and
    is bold, or names what columns hold, or stands over a column of figures. Two columns may be names and values."""
    first, *others = (cells(line) for line in lines)
    if len(first) < _FEWEST or not others or not all(first[1:]) or any(c.isdigit() for c in "".join(first)):
        return False
    if any(len(cell.split()) > _HEADER_WORDS for cell in first):
        return False
    bold = [all(_STRONG.match(cell.strip()) for cell in _raw(line) if cell.strip()) for line in lines]
    named = sum(cell.lower().split()[-1].removesuffix("s") in _COLUMNS for cell in first if cell)
    columns = [[row[i] for row in others if i < len(row)] for i in range(1, len(first))]
    figures = any(column and all(any(c.isdigit() for c in cell) for cell in column) for column in columns)
    return (bold[0] and not any(bold[1:])) or named > 1 or (figures and len(first) > _FEWEST)


def _raw(row: str) -> list[str]:
    return _PIPE.split(row.strip().removeprefix("|").removesuffix("|"))


def told(row: str, header: str) -> str:
    """A row as `first cell: header second cell; header third cell`; empty where it says nothing."""
    values, names = cells(row), cells(header) if header else []
    if not any(c.isalnum() for c in "".join(values)):
        return ""
    rest = [
        f"{names[i]} {value}".strip()
        if i < len(names) and names[i] != value and not _SAYS.fullmatch(names[i])
        else value
        for i, value in enumerate(values)
        if i and any(c.isalnum() for c in value)
    ]
    figure = values[0] and not any(c.isalpha() for c in values[0]) and any(c.isalpha() for c in "".join(names[:1]))
    first = f"{names[0]} {values[0]}" if figure else values[0]  # `Exit code 2`
    if len(names) == len(values) == _FEWEST and all(values) and _opposed(*names):
        return f"{names[0]}: {values[0]}; {names[1]}: {values[1]}"
    return f"{first}: {'; '.join(rest)}" if rest and first else "; ".join(rest) or first


def _opposed(left: str, right: str) -> bool:
    """Whether two columns list what is so and what is not: `Covered` and `Not covered`, `Do` and `Don't`."""
    return any(yes.fullmatch(left) and no.fullmatch(right) for yes, no in (_SIDES, _SIDES[::-1]))


def _parts(inner: str) -> list[list[str]]:
    """For each cell its text, and what stands between its end and the next cell if it has an end."""
    begins = list(_CELL.finditer(inner))
    ends = [*(match.start() for match in begins[1:]), len(inner)]
    return [_CLOSED.split(inner[m.end() : end], maxsplit=1) for m, end in zip(begins, ends, strict=True)]
