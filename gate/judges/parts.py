"""A claim that is longer than a reader sees, in parts that it sees whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from gate.text import sentences

Fits = Callable[[str], bool]

SHORTEST = 24  # characters: what is shorter is not taken apart, whatever a reader says of it
_JOINED = "and|but|or|nor|so|yet|while|whereas|which|who|because|unless|if|when|where"
_CLAUSE = re.compile(rf"(?:[;:]|,(?= (?:{_JOINED})\b))\s")
_COMMA = re.compile(r"[,)](?!\d)\s?|[，、]\s?")
_SPACE = re.compile(r"\s")


def parts(text: str, fits: Fits) -> list[str]:
    """The text itself where it `fits`; else its sentences, clauses, words, whatever is needed, as many together as fit.
    No letter and no digit is lost; what has neither is left out, or a row of dots would hide what stands behind it."""
    return [piece.strip() for piece in _cut(text, fits) if _readable(piece)] if not fits(text) else [text]


def _cut(text: str, fits: Fits) -> list[str]:
    if len(text) <= SHORTEST or fits(text):
        return [text]
    for ends in (_sentence_ends, _clause_ends, _comma_ends, _word_ends, _halves):
        pieces = list(_between(text, ends(text)))
        if len(pieces) > 1:
            return [small for piece in _together(pieces, fits) for small in _cut(piece, fits)]
    return [text]


def _between(text: str, ends: Iterable[int]) -> Iterator[str]:
    start = 0
    for end in [*ends, len(text)]:
        if text[start:end].strip():
            yield text[start:end]
            start = end


def _together(pieces: list[str], fits: Fits) -> list[str]:
    """Neighbours joined as long as they fit. Half of all, where all would fit but do not: so each is shorter."""
    found: list[str] = []
    for piece in pieces:
        if found and fits(found[-1] + piece):
            found[-1] += piece
        else:
            found.append(piece)
    return found if len(found) > 1 else ["".join(pieces[: len(pieces) // 2]), "".join(pieces[len(pieces) // 2 :])]


def _sentence_ends(text: str) -> list[int]:
    return [start for start, _ in sentences(text)][1:]


def _clause_ends(text: str) -> list[int]:
    return [mark.end() for mark in _CLAUSE.finditer(text)]


def _comma_ends(text: str) -> list[int]:
    return [mark.end() for mark in _COMMA.finditer(text)]


def _word_ends(text: str) -> list[int]:
    return [mark.end() for mark in _SPACE.finditer(text)]


def _halves(text: str) -> list[int]:
    return [len(text) // 2]


def _readable(text: str) -> bool:
    return any(character.isalnum() for character in text)
