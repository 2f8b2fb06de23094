"""Blocks to chunks: at most 500 words, 50 of them shared with the chunk before, cut where the document has a joint."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import accumulate

from gate.records import Chunk
from ingest.atoms import Atom, Joint, atoms_of
from ingest.blocks import Block

WORDS = 500  # of a chunk, at most
OVERLAP = 50  # words that a chunk shares with the one before, at most
SECTION_WORDS = 300  # a chunk of so many words ends where a main section begins
LEAST_WORDS = 100  # no chunk but the last of a document is smaller, whatever joint tempts

# What a cut at a joint is worth, in shares of a full chunk: before a heading a chunk may stay 45 % short of 500 words.
WORTH = {
    Joint.SECTION: 0.45,
    Joint.HEADING: 0.40,
    Joint.BLOCK: 0.30,
    Joint.SENTENCE: 0.15,
    Joint.LINE: 0.05,
    Joint.WORD: 0.0,
    Joint.BOUND: -0.35,
}


def chunk(blocks: Sequence[Block], source: str) -> list[Chunk]:
    """The chunks of a document, in order. Every word of it is in one; the same blocks give the same chunks."""
    atoms = atoms_of(blocks)
    upto = [0, *accumulate(atom.words for atom in atoms)]
    return [_chunk(atoms[start:end], source) for start, end in _spans(atoms, upto)]


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
        worth = words / WORDS + WORTH[joint] - (1 if words < LEAST_WORDS else 0)
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
        if best == end or WORTH[atoms[start].joint] >= min(WORTH[atoms[best].joint], WORTH[Joint.SENTENCE]):
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
