"""Under which heading a line, or a piece, of a chunk stands: one chunk often holds several sections."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterable

from gate.records import Chunk, Evidence, Turns


def heading_at(piece: Chunk | Evidence, row: int) -> str:
    """The path of headings above line `row` (from 0) of the text; the line of a heading stands under that heading."""
    before = bisect(piece.turns, row, key=lambda turn: turn[0])
    return piece.turns[before - 1][1] if before else piece.heading


def heading_of(piece: Chunk | Evidence, start: int, end: int) -> str:
    """The path of headings over most of `text[start:end]`, of equal ones the first.

    Not that of its first line: a passage grows to both sides of what a claim found, so that it often begins with the
    last words of another section than the one that it is about.
    """
    if not piece.turns:
        return piece.heading
    sizes: Counter[str] = Counter()
    for row, line in enumerate(piece.text[start:end].split("\n"), piece.text.count("\n", 0, start)):
        sizes[heading_at(piece, row)] += len(line.strip())
    return max(sizes, key=lambda heading: sizes[heading])


def innermost(path: str) -> str:
    """The last heading of a path."""
    return path.rpartition(" > ")[2].strip()


def turns_of(pairs: Iterable[tuple[object, object]]) -> Turns:
    """Turns as they were stored. Errors: ValueError, TypeError where they are none."""
    made: list[tuple[int, str]] = []
    for row, heading in pairs:
        if type(row) is not int or not isinstance(heading, str) or row <= (made[-1][0] if made else 0):
            raise ValueError("turns that are none")
        made.append((row, heading))
    return tuple(made)
