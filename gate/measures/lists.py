"""Enumerations in a sentence: their items, and which of them another text does not name."""

from __future__ import annotations

import re

from gate.text import STOPWORDS, normalise, stem, tokens

LEAST, MOST = 3, 60  # items of a list
WORDS = 6  # of an item; what is longer is a clause
_BEFORE = frozenset(
    ["in", "on", "with", "for", "by", "at", "if", "when", "as", "from", "after", "before", "unlike", "to"]
)
_SPLIT = re.compile(r",\s+(?:and |or |und |oder |et |ou |y |o )?|\s+(?:and|or|und|oder|et|ou)\s+|;\s+")


def items(sentence: str) -> tuple[str, ...]:
    """The items of `a, b and c`, without what leads to the first; none where there are fewer than LEAST."""
    clean = " ".join(normalise(sentence[:4000]).split()).rstrip(" .!")
    pieces = [piece.strip(" `*\"'") for piece in _SPLIT.split(clean)]
    if pieces[0].split(" ")[0].lower() in _BEFORE:
        pieces = ["", *pieces[1:]]  # "In the cloud, ..." leads to what follows
    if "," not in clean or not LEAST <= len(pieces) - (not pieces[0]) <= MOST:
        return ()
    lead, *rest = pieces
    if any(not 0 < len(tokens(piece)) <= WORDS for piece in rest):
        return ()
    usual = max(len(tokens(piece)) for piece in rest)
    return tuple(item for item in (" ".join(lead.split()[-usual:]), *rest) if item)


def lacking(sentence: str, text: str) -> tuple[tuple[str, ...], int]:
    """(the items of the sentence that `text` does not name, how many items there are)."""
    found = items(sentence)
    stems = {stem(word) for word in tokens(normalise(text))}
    return tuple(item for item in found if not _named(item, stems)), len(found)


def _named(item: str, stems: set[str]) -> bool:
    """By any of its words with content: a text may speak of an item with other words around it."""
    words = [word for word in tokens(item) if word not in STOPWORDS] or tokens(item)
    return any(stem(word) in stems for word in words)
