"""Cells of a table: a value of another row, or of another column, than that which the claim names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.checks.frame import said_elsewhere
from gate.judges.lexicon import listed
from gate.judges.reading import CUES, Reading, read
from gate.text import Number, same, sentences
from gate.text_rows import cells

KIND = "other value"
_FEWEST = 2  # rows or columns that can be taken for each other
_LONGEST = 60  # characters of a name or a value
# What is compared, reckoned or denied may be said with the value of another row.
_COMPARED = CUES | listed(
    "than unlike instead except compared while whereas but more less fewer only both all every each any either total "
    "altogether together twice half difference cheaper dearer faster slower longer shorter higher lower upgrade "
    "upgrading downgrade switch switching change changing"
)
_NUMBER = re.compile(r"\d{1,5}")
_RECKONED = re.compile(r"\?|=|\b(?:com(?:e|es|ing) to|mak(?:es?|ing)|adds? up)\b", re.IGNORECASE)  # and asked


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of the evidence: the cells of its header (none if it stands elsewhere) and of its rows, read, with the
    place of each row among the sentences."""

    header: tuple[Reading, ...]
    rows: tuple[tuple[Reading, ...], ...]
    places: tuple[int, ...]


def check_tables(alignment: Alignment) -> list[Finding]:
    """At most one finding: the claim names one row, or one column, and has a value of another in place of its own."""
    claim = alignment.claim
    if claim.words & _COMPARED or _RECKONED.search(claim.plain) or len(sentences(claim.plain)) > 1:
        return []  # of two sentences, one may speak of another row
    for grid in _grids(alignment):
        found = _crossed(claim, grid) or _crossed(claim, _turned(grid), kinds=True)
        if found and not said_elsewhere(alignment, grid.places):
            place, told = found
            return [Finding(KIND, 0.9, told, True, place)]
    return []


def _grids(alignment: Alignment) -> Iterator[Grid]:
    """The tables that have a sentence of the window."""
    header: tuple[Reading, ...] = ()
    rows: list[tuple[Reading, ...]] = []
    places: list[int] = []
    passage = -1
    for place, sentence in enumerate(alignment.sentences):
        heads = sentence.told == "" and "---" not in sentence.reading.text
        if places and (not sentence.told or sentence.passage != passage):
            yield from _near(alignment, Grid(header, tuple(rows), tuple(places)))
            rows, places = [], []
        if sentence.passage != passage or sentence.told is None:
            header = ()
        passage = sentence.passage
        if heads:
            header = _cells(sentence.reading.text)
        elif sentence.told:
            rows.append(_cells(sentence.reading.text))
            places.append(place)
    if places:
        yield from _near(alignment, Grid(header, tuple(rows), tuple(places)))


def _near(alignment: Alignment, grid: Grid) -> Iterator[Grid]:
    if any(alignment.first <= place < alignment.last for place in grid.places):
        yield grid


@lru_cache(maxsize=1 << 10)
def _cells(row: str) -> tuple[Reading, ...]:
    return tuple(read(cell) for cell in cells(row))


def _turned(grid: Grid) -> Grid:
    """The table with its columns as rows: their names are the header's, which a table without one does not have."""
    if not grid.header or any(len(row) != len(grid.header) for row in grid.rows):
        return Grid((), (), ())
    columns = tuple(zip(grid.header, *grid.rows, strict=True))[1:]
    names = tuple(row[0] for row in grid.rows)
    return Grid((grid.header[0], *names), columns, tuple(grid.places[0] for _ in columns))


def _crossed(claim: Reading, grid: Grid, kinds: bool = False) -> tuple[int, str] | None:
    """The place of the row that the claim names, and what to say, where the claim has a value of another row and none
    of this one; with `kinds` only amounts of one kind are taken for each other."""
    if len(grid.rows) < _FEWEST:
        return None
    units = _units(claim)
    known = (i for i, row in enumerate(grid.rows) if row and not kinds and _numbered(claim, row, grid.header))
    named = list(known) or [i for i, row in enumerate(grid.rows) if row and _names(claim, row[0], units)]
    named = [i for i in named if not any(_within(grid.rows[i][0], grid.rows[j][0]) for j in named if j != i)]
    if len(named) != 1:
        return None
    mine = grid.rows[named[0]]
    crossing = any(_names(claim, name, units) for name in grid.header[1:])
    if any(_says(claim, cell) for cell in mine[1:]) or (crossing and not _proper(claim, mine[0])):
        return None  # of a row and a column that are both named, the one with a name of its own is spoken of
    for other in (row for i, row in enumerate(grid.rows) if i != named[0]):
        for column, cell in enumerate(other[1:], 1):
            own = mine[column] if column < len(mine) else None
            if own and kinds and not _alike(own, cell):
                continue
            if own and _says(claim, cell) and not _shares(cell, mine, grid.header) and own.plain.strip():
                said, there = cell.plain.strip(), own.plain.strip()
                return grid.places[named[0]], f"the document says '{there}' of '{mine[0].plain.strip()}', not '{said}'"
    return None


def _alike(one: Reading, other: Reading) -> bool:
    """Whether two cells are amounts of the same units."""
    units = [sorted(number.unit for number in cell.numbers) for cell in (one, other)]
    return bool(units[0]) and units[0] == units[1]


def _units(claim: Reading) -> frozenset[str]:
    """The words of the amounts of a claim: `six days` does not name the row `Day`."""
    said = " ".join(claim.plain[number.start : number.end] for number in claim.numbers)
    return read(said).keys


def _names(claim: Reading, name: Reading, units: frozenset[str]) -> bool:
    """Whether a claim has all words of a name, and not as those of an amount."""
    wanted = _content(name)
    known = bool(wanted) and len(name.plain) <= _LONGEST and not name.numbers and wanted <= claim.keys
    return known and not wanted <= units


def _numbered(claim: Reading, row: Sequence[Reading], header: Sequence[Reading]) -> bool:
    """Whether a claim names a row by its number, behind what the header calls it (`exit code 3`), and has no word of
    what the row says."""
    number = row[0].plain.strip()
    if not header or not _NUMBER.fullmatch(number) or any(_content(cell) & claim.keys for cell in row[1:]):
        return False
    called = header[0].plain.lower().split()[-1:]
    return any(re.search(rf"\b{re.escape(word)} {number}(?![\w.%])", claim.plain.lower()) for word in called)


def _within(name: Reading, other: Reading) -> bool:
    """Whether all words of a name stand in a longer one."""
    return name.keys < other.keys


def _proper(claim: Reading, name: Reading) -> bool:
    """Whether a name is written as one inside the claim: with a capital, a figure or as code."""
    first = name.plain.split()[0]
    return first in claim.plain[1:] and (not first.islower() or first in claim.spans)


def _says(claim: Reading, cell: Reading) -> bool:
    """Whether a claim has all words and all amounts of a cell."""
    wanted = _content(cell)
    if not (wanted or cell.numbers) or len(cell.plain) > _LONGEST:
        return False
    amounts = all(any(_equal(a, b) for a in claim.numbers) for b in cell.numbers)
    return amounts and wanted <= claim.keys


def _equal(a: Number, b: Number) -> bool:
    return same(a, b) or (not b.unit and a.value == b.value)


def _shares(cell: Reading, mine: Sequence[Reading], header: Sequence[Reading]) -> bool:
    """Whether the words of a value stand in the row of the claim or in the header too: then they tell no other row."""
    known = frozenset[str]().union(*(reading.keys for reading in (*mine, *header)))
    return not cell.numbers and _content(cell) <= known


def _content(reading: Reading) -> set[str]:
    """The keys of the words with content; amounts are compared by value."""
    return {term.key for term in reading.terms if term.weight > 0}
