"""A page that is drawn: pieces of text with their places, put in the order in which they are read. Pure.

Columns of prose are read one after another, the rows of a table across. What spans the columns ends them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ingest.formats.tables import Cell, Table

GAP = 0.7  # of a line's height: a wider one stands between columns or cells, and is no blank
BAND = 1.2  # of a line's height: columns do not go on across an empty band of it
PROSE_WORDS, PROSE_LINES, FILLED = 4, 2, 0.7  # of a column of prose: words a line, lines, share of its width
MOST_WORDS = 0.6  # of a column of prose stand in such lines
APART = 1.4  # of the usual distance of lines: a wider one stands between paragraphs
FEWEST_ROWS, HEAD_WORDS = 3, 3  # of a table with a header: rows, words of a cell of the header
DEEPEST = 8  # columns within columns
MOST_COLUMNS = 50  # more are none
BESIDE = 50  # runs that are looked at for one beside it


@dataclass(frozen=True, slots=True)
class PageRun:
    """Text without a wide gap in it: `left` to `right`, `bottom` to `top` in points, y upwards."""

    text: str
    left: float
    right: float
    bottom: float
    top: float


def reading_order(runs: Sequence[PageRun], deep: int = 0) -> list[str]:
    """The lines of a page, "" between paragraphs. No word is lost."""
    if not runs:
        return []
    ordered = sorted(runs, key=lambda run: (-run.top, run.left))
    height = median([run.top - run.bottom for run in runs])
    steps = [above[0].bottom - below[0].bottom for above, below in pairwise(_rows(ordered))]
    wide = APART * min(max(median(steps or [0]), height), 2 * height)
    found: list[str] = []
    low = ordered[0].bottom
    for group in _groups(ordered, height):
        rows = _rows(group)
        found += [""] if found and low - rows[0][0].bottom > wide else []
        low = min(run.bottom for run in group)
        columns = _columns(group, height)
        if len(columns) > 1 and deep < DEEPEST and all(_is_prose(column) for column in columns):
            found += [line for column in columns for line in reading_order(column, deep + 1)]
        elif len(columns) > 1:
            found += _table(rows, columns, height)
        else:
            found += _paragraphs(rows, wide)
    return found


def _groups(runs: Sequence[PageRun], height: float) -> Iterator[list[PageRun]]:
    """Neighbouring runs, from the top, that leave the same gaps free. Another group begins with a run that closes one,
    and with a row whose gap is closed above it."""
    gaps = _gaps(runs, height)
    group: list[PageRun] = []
    taken: list[tuple[float, float]] = []
    low = 0.0
    for run, gap in zip(runs, gaps, strict=True):
        joined = _joined(taken, run, height)
        closed = gap is not None and len(taken) == 1 and any(one.left < gap[1] and one.right > gap[0] for one in group)
        if group and (closed or len(joined) < len(taken) or low - run.top > BAND * height):
            yield group
            group, joined, low = [], [(run.left, run.right)], run.bottom
        low = min(low, run.bottom) if group else run.bottom
        group.append(run)
        taken = joined
    if group:
        yield group


def _gaps(runs: Sequence[PageRun], height: float) -> list[tuple[float, float] | None]:
    """The gap between each run and the nearest one beside it."""
    found: list[tuple[float, float] | None] = [None] * len(runs)
    for at, run in enumerate(runs):
        for other in range(at + 1, min(at + BESIDE, len(runs))):
            beside = runs[other]
            if beside.top < run.bottom + 0.3 * height:
                break
            gap = (min(run.right, beside.right), max(run.left, beside.left))
            if gap[1] - gap[0] >= GAP * height:
                for place in (at, other):
                    known = found[place]
                    found[place] = gap if known is None or gap[1] - gap[0] < known[1] - known[0] else known
    return found


def _joined(taken: Sequence[tuple[float, float]], run: PageRun, height: float) -> list[tuple[float, float]]:
    """The intervals with one more run, in order; those closer than GAP are one."""
    left, right = run.left, run.right
    apart = []
    for interval in taken:
        if interval[0] - right < GAP * height and left - interval[1] < GAP * height:
            left, right = min(left, interval[0]), max(right, interval[1])
        else:
            apart.append(interval)
    found = sorted([*apart, (left, right)])
    return found if len(found) <= MOST_COLUMNS else [(found[0][0], max(one[1] for one in found))]


def _columns(group: Sequence[PageRun], height: float) -> list[list[PageRun]]:
    taken: list[tuple[float, float]] = []
    for run in group:
        taken = _joined(taken, run, height)
    return [[run for run in group if left <= run.left <= right] for left, right in taken]


def _is_prose(column: Sequence[PageRun]) -> bool:
    """Whether most words stand in lines that fill the column; those in the cells of a table seldom do."""
    width = max(run.right for run in column) - min(run.left for run in column)
    words = [len(run.text.split()) for run in column]
    lines = [(run, count) for run, count in zip(column, words, strict=True) if count >= PROSE_WORDS]
    if len(lines) < PROSE_LINES or sum(count for _, count in lines) < MOST_WORDS * sum(words):
        return False
    return median([run.right - run.left for run, _ in lines]) >= FILLED * width


def _rows(group: Sequence[PageRun]) -> list[list[PageRun]]:
    """Runs side by side, from the top; each row from the left."""
    rows: list[list[PageRun]] = []
    for run in group:
        first = rows[-1][0] if rows else None
        shared = min(first.top, run.top) - max(first.bottom, run.bottom) if first else 0.0
        if first and shared > 0.5 * min(first.top - first.bottom, run.top - run.bottom):
            rows[-1].append(run)
        else:
            rows.append([run])
    return [sorted(row, key=lambda run: run.left) for row in rows]


def _paragraphs(rows: Sequence[Sequence[PageRun]], wide: float) -> list[str]:
    found = [_text(rows[0])]
    for above, row in pairwise(rows):
        found += [""] if above[0].bottom - row[0].bottom > wide else []
        found.append(_text(row))
    return found


def _table(rows: Sequence[Sequence[PageRun]], columns: Sequence[Sequence[PageRun]], height: float) -> list[str]:
    """The rows as Markdown if the first one names the columns, else as lines."""
    place = {id(run): at for at, column in enumerate(columns) for run in column}
    cells: list[list[str]] = []
    for above, row in zip([None, *rows], rows, strict=False):
        filled = [_text([run for run in row if place[id(run)] == at]) for at in range(len(columns))]
        near = above is not None and above[0].bottom - row[0].top < (APART - 1) * height
        if near and not filled[0] and sum(map(bool, filled)) == 1:  # a cell goes on
            cells[-1] = [f"{one} {more}".strip() for one, more in zip(cells[-1], filled, strict=True)]
        else:
            cells.append(filled)
    if not _names_columns(cells):
        return [_text(row) for row in rows]
    made = [[Cell(text, 0, heads=not at) for text in row] for at, row in enumerate(cells)]
    return ["", *(text for text, _ in Table(made).lines), ""]


def _names_columns(cells: Sequence[Sequence[str]]) -> bool:
    """Whether the first row does: short words, over numbers in some column."""
    heads = all(text[:1].isalpha() and len(text.split()) <= HEAD_WORDS for text in cells[0])
    if not heads or len(cells) < FEWEST_ROWS or any(_has_digit(text) for text in cells[0]):
        return False
    return any(all(_has_digit(text) for text in column[1:]) for column in zip(*cells, strict=True))


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)


def _text(row: Sequence[PageRun]) -> str:
    return " ".join(run.text.strip() for run in row)
