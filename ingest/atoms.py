"""The smallest pieces that a chunk is made of: lines, sentences of long lines, and pieces of what has neither."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from ingest.blocks import Block, Kind

ATOM_WORDS = 50  # of an atom, at most: so an overlap is always possible
SECTION_LEVEL = 2  # headings down to this level open a main section

# A word is a run of letters without white space. Scripts that write none are counted by two characters, and a run of
# over 40 characters as several words, or a file without a space would be one word.
WORD = re.compile(
    "[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]{1,2}|[^\\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]{1,40}"
)
SENTENCE_END = re.compile("(?:[.!?…:][\"'”’)\\]*_`]{0,3}|[。！？])$")


class Joint(IntEnum):
    """What an atom begins, the best place for a cut first."""

    SECTION = 0
    HEADING = 1
    BLOCK = 2
    SENTENCE = 3
    LINE = 4
    WORD = 5
    BOUND = 6  # no good place: inside of code or a table, behind a heading, a term or words that announce something


@dataclass(frozen=True, slots=True)
class Atom:
    """A piece of one source line, at most ATOM_WORDS long; `glue` is what stands between it and the atom before."""

    text: str
    line: int
    heading: tuple[str, ...]
    words: int
    glue: str
    joint: Joint


def atoms_of(blocks: Sequence[Block]) -> list[Atom]:
    """All atoms of a document, in order."""
    atoms: list[Atom] = []
    before: Block | None = None
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


def _line(text: str, number: int, block: Block, glue: str, joint: Joint) -> Iterator[Atom]:
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


def _seam(before: Block | None, block: Block) -> tuple[str, Joint]:
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


def _inner(block: Block, line: str) -> Joint:
    """How good a place for a cut the end of a line inside of a block is."""
    if block.kind in (Kind.CODE, Kind.TABLE, Kind.HEADING, Kind.TERM):
        return Joint.BOUND
    return Joint.SENTENCE if SENTENCE_END.search(line, max(0, len(line) - 5)) else Joint.LINE
