"""Blocks to chunks: at most 500 words, 50 of them shared with the chunk before, cut where the document has a joint."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import accumulate

from gate.records import Chunk
from ingest.base import Kind, SourceBlock

WORDS = 500  # of a chunk, at most
OVERLAP = 50  # words that a chunk shares with the one before, at most
SECTION_WORDS = 300  # a chunk of so many words ends where a main section begins
LEAST_WORDS = 100  # no chunk but the last of a document is smaller, whatever joint tempts

ATOM_WORDS = 50  # of an atom, at most: so an overlap is always possible
SECTION_LEVEL = 2  # headings down to this level open a main section
# A word is a run of letters without white space. Scripts that write none are counted by two characters, and a run of
# over 40 characters as several words, or a file without a space would be one word.
WORD = re.compile(
    "[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]{1,2}|[^\\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]{1,40}"
)
SENTENCE_END = re.compile("(?:[.!?…:][\"'”’)\\]*_`]{0,3}|[。！？])$")


class Joint(float, Enum):
    """What an atom begins; the value is what a cut there is worth, in shares of a full chunk: before a heading a chunk
    may stay 40 % short of 500 words."""

    SECTION = 0.45
    HEADING = 0.40
    BLOCK = 0.30
    SENTENCE = 0.15
    LINE = 0.05
    WORD = 0.0
    BOUND = -0.35  # no good place: inside of code or a table, behind a heading, a term or words that announce something


@dataclass(frozen=True, slots=True)
class Atom:
    """A piece of one source line, at most ATOM_WORDS long; `glue` is what stands between it and the atom before."""

    text: str
    line: int
    heading: tuple[str, ...]
    words: int
    glue: str
    joint: Joint


def chunk(blocks: Sequence[SourceBlock], source: str, tags: tuple[str, ...] = ()) -> list[Chunk]:
    """The chunks of a document, in order. Every word of it is in one; the same blocks give the same chunks."""
    atoms = atoms_of(blocks)
    upto = [0, *accumulate(atom.words for atom in atoms)]
    return [replace(_chunk(atoms[start:end], source), tags=tags) for start, end in _spans(atoms, upto)]


def _spans(atoms: Sequence[Atom], upto: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first atom of each chunk and the one behind its last; `upto[i]` counts the words in front of atom i."""
    start, done = 0, 0
    while done < len(atoms):
        end = _cut(atoms, upto, start, done)
        yield start, end
        done = end
        start = _overlap(atoms, upto, end)


def _cut(atoms: Sequence[Atom], upto: Sequence[int], start: int, done: int) -> int:
    """Where the chunk that begins at `start` ends: behind `done`, at the best joint of those that are not too far."""
    best, best_worth = done + 1, float("-inf")
    for end in range(done + 1, len(atoms) + 1):
        words = upto[end] - upto[start]
        if words > WORDS:
            return best
        if end == len(atoms):
            return end
        joint = atoms[end].joint
        if joint is Joint.SECTION and words >= SECTION_WORDS:
            return end
        worth = words / WORDS + joint - (1 if words < LEAST_WORDS else 0)
        if worth >= best_worth:
            best, best_worth = end, worth
    return best


def _overlap(atoms: Sequence[Atom], upto: Sequence[int], end: int) -> int:
    """Where the chunk behind `end` begins: as far back as OVERLAP allows, at the best kind of joint there is.

    A new section begins without overlap: what stands above its heading belongs to another subject.
    """
    if end == len(atoms) or atoms[end].joint in (Joint.SECTION, Joint.HEADING):
        return end
    best = end
    for start in range(end - 1, -1, -1):
        if upto[end] - upto[start] > OVERLAP:
            break
        if best == end or atoms[start].joint >= min(atoms[best].joint, Joint.SENTENCE):
            best = start
    torn = atoms[best].joint is Joint.BOUND and atoms[end].joint is not Joint.BOUND
    return end if torn else best  # the tail of a code block in front of other text helps nobody


def _chunk(atoms: Sequence[Atom], source: str) -> Chunk:
    """Put the atoms together again, as they stood."""
    parts, lines = [atoms[0].text], [atoms[0].line]
    turns: list[tuple[int, str]] = []
    for before, atom in zip(atoms, atoms[1:], strict=False):
        parts.append(atom.glue + atom.text)
        breaks = atom.glue.count("\n")
        if breaks == 2:
            lines.append(min(before.line + 1, atom.line))  # the blank line between two blocks
        if breaks:
            lines.append(atom.line)
        if atom.heading != before.heading:
            turns.append((len(lines) - 1, _path(atom)))
    text = "".join(parts)
    name = hashlib.sha256(text.encode("utf-8")).hexdigest()
    return Chunk(name, text, source, _path(atoms[0]), tuple(lines), tuple(turns))


def _path(atom: Atom) -> str:
    return " > ".join(atom.heading)


def atoms_of(blocks: Sequence[SourceBlock]) -> list[Atom]:
    """All atoms of a document, in order."""
    atoms: list[Atom] = []
    before: SourceBlock | None = None
    for block in blocks:
        glue, joint = _seam(before, block)
        for text, number in zip(block.text.split("\n"), block.lines, strict=True):
            if text.strip():
                atoms.extend(_line(text, number, block, glue, joint))
                glue, joint = "\n", _inner(block, text)
            else:
                glue = "\n\n"
                joint = joint if joint is not Joint.BOUND or block.kind is not Kind.CODE else Joint.LINE
        before = block
    return atoms


def _line(text: str, number: int, block: SourceBlock, glue: str, joint: Joint) -> Iterator[Atom]:
    """The atoms of one line: the line itself, or where it is long its sentences, or pieces of these."""
    words = [found.span() for found in WORD.finditer(text)]
    prose = block.kind not in (Kind.CODE, Kind.TABLE)
    first, begin = 0, 0
    for at in range(1, len(words) + 1):
        end = words[at][0] if at < len(words) else len(text)
        gap = text[words[at - 1][1] : end]
        sentence = prose and bool(gap) and SENTENCE_END.search(text, max(begin, words[at - 1][1] - 5), words[at - 1][1])
        if at < len(words) and at - first < ATOM_WORDS and not sentence:
            continue
        stop = words[at - 1][1]
        yield Atom(text[begin:stop], number, block.heading, at - first, glue, joint)
        first, begin, glue = at, end, gap
        joint = Joint.SENTENCE if sentence else Joint.WORD


def _seam(before: SourceBlock | None, block: SourceBlock) -> tuple[str, Joint]:
    """What stands between two blocks, and how good a place for a cut that is."""
    if before is None:
        return "", Joint.BLOCK
    close = before.kind is Kind.TERM or (before.kind is Kind.LIST and block.kind is Kind.LIST)
    glue = "\n" if close else "\n\n"
    if before.kind in (Kind.HEADING, Kind.TERM):
        return glue, Joint.BOUND
    if block.kind is Kind.HEADING:
        return glue, Joint.SECTION if block.level <= SECTION_LEVEL else Joint.HEADING
    announced = before.text.endswith(":") and block.kind in (Kind.CODE, Kind.TABLE, Kind.LIST)
    return glue, Joint.BOUND if announced else Joint.BLOCK


def _inner(block: SourceBlock, line: str) -> Joint:
    """How good a place for a cut the end of a line inside of a block is."""
    if block.kind in (Kind.CODE, Kind.TABLE, Kind.HEADING, Kind.TERM):
        return Joint.BOUND
    return Joint.SENTENCE if SENTENCE_END.search(line, max(0, len(line) - 5)) else Joint.LINE
