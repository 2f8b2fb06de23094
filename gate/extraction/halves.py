"""Halves that lean on the one before: that one is told alone, and in front of the half that needs it."""

from __future__ import annotations

import re

from gate.extraction import context
from gate.extraction.frames import behind_colon, unparted
from gate.extraction.grammar import after_condition, imperative, timed
from gate.extraction.leaning import half, later, leans
from gate.extraction.lexicon import AUX, CLITICS, CONDITIONS, DETERMINERS, PREPOSITIONS
from gate.extraction.nonclaims import abstains
from gate.extraction.pieces import Piece
from gate.extraction.tokens import Tokens, tokenise
from gate.extraction.verbs import finite
from gate.text import words

_AGAIN = frozenset({"it", "they", "its", "their"})
_UNSURE_LIST = "not probably maybe perhaps possibly presumably only neither either"
_UNSURE = frozenset(_UNSURE_LIST.split())  # what begins so is no fact of its own
_NOT = re.compile(r"\b(?:not|cannot|no)\b|n['’]t\b", re.IGNORECASE)
_IT_IS = frozenset({"it's", "they're", "it'll", "they'll"})
_COUNTED = re.compile(r"there(?:['’]s| is| are)(?: [\w-]+){1,2}\W*", re.IGNORECASE)  # `There are two ways`
_POINTS = re.compile(
    r"\b(?:for|of|like|to|with|above|below) (?:that|this|these|those)$|\blike (?:this|that)\b|\bin the meantime$",
    re.IGNORECASE,
)
_FAINT = frozenset({"need", "take", "use", "go", "see", "make", "run", "choose", "have", "nothing", "everything"})
_ALL = re.compile(r"(?:all|each|no|none|nothing|nobody|both|every\w*|any\w*)\b", re.IGNORECASE)
_CONTRAST = re.compile(r"\b(?:but|yet|while|whereas)\b|;", re.IGNORECASE)
_THOUGHT = re.compile(  # `You might think that it is free, but it costs 5 euros`
    r"\b(?:you|people|many|some|one)(?: \w+)? (?:may|might|could|would|used to) (?:\w+ly )?(?:think|expect|assume|"
    r"believe|guess|suppose)\b",
    re.IGNORECASE,
)
_SO = re.compile(r"\bso\b", re.IGNORECASE)
_BUT = re.compile(r"\b(?:but|yet)\b", re.IGNORECASE)
_OPENS = CONDITIONS | PREPOSITIONS


def told(text: str, pieces: list[Piece]) -> list[Piece]:
    """The pieces of a sentence with the one before in front of each that leans on it or follows from it. The one
    before stays a piece of its own, if it states something alone."""
    found, follows = pieces[:1], False
    for piece in pieces[1:]:
        before = found[-1]
        joint = text[before.end : piece.start]
        follows = _follows(text, joint, piece, follows=follows)
        if abstains(before.of(text)) or not (follows or _needs(text, before, piece)):
            found.append(piece)
        elif stands(before.of(text)) and not _taken_back(before.of(text), joint, text[piece.start : piece.end]):
            found.append(Piece(before.up_to(text, piece.start), piece.start, piece.end))
        else:
            found[-1] = Piece(before.prefix, before.start, piece.end)
    return found


def _follows(text: str, joint: str, piece: Piece, *, follows: bool) -> bool:
    """Whether a piece is a conclusion, or a second verb or order of one; not if it has the condition in front."""
    if _SO.search(joint):
        return not (piece.prefix and "and" in joint.lower())
    second = bool(piece.prefix) and "," not in joint
    return follows and (second or imperative(tokenise(text, piece.start, piece.end)))


def _taken_back(left: str, joint: str, right: str) -> bool:
    """Whether the second half corrects the first: `It is not dry, but it drips`, `All are open; only mine isn't`."""
    if _BUT.search(joint) and (_NOT.search(left) or _THOUGHT.search(left)):
        return True
    return bool(_ALL.match(left) and _CONTRAST.search(joint)) and half(right)


def _needs(text: str, before: Piece, piece: Piece) -> bool:
    """Whether a piece says nothing without the one before."""
    bare, right = text[piece.start : piece.end], piece.of(text)
    return half(bare) or later(bare) or (leans(right) and not _settled(before.of(text), right))


def _settled(left: str, right: str) -> bool:
    """Whether the pronoun that `right` begins with stands for the subject of `left`, or for what begins both."""
    resolved = context.resolve(right, context.subject_of(left))
    first = right.split(maxsplit=1)[0].lower()
    again = first in _AGAIN and left.lower().startswith(f"{first} ") and not half(right)
    return again or (resolved != right and not leans(resolved))


def stands(text: str) -> bool:
    """Whether the first half of a sentence states something alone: no mere condition, no `There are two ways`, no name
    behind a colon that more is said of, and more than one word that carries content."""
    tokens = tokenise(text, 0, len(text))
    start = behind_colon(tokens, 0, len(tokens)) if tokens else 0
    if len(tokens) - start < 3 or _vague(tokens[start:]) or half(text):
        return False
    said = {word for word in words(text) if word not in _FAINT and "'" not in word}
    alone = not _COUNTED.fullmatch(text) and not _POINTS.search(text)
    return alone and len(said) > 1 and states(tokens, start)


def _vague(tokens: Tokens) -> bool:
    """Whether a clause names no subject or is not sure of it: `Most are open`, `Maybe`, `Left alone it is red`."""
    if tokens[0].text in _UNSURE or tokens[1].text in CLITICS:
        return True
    if tokens[0].text in _OPENS:
        return False
    verb = finite(tokens)
    late = (verb > 1 and tokens[verb - 1].text in ("it", "they")) or (verb > 0 and tokens[verb].text in _IT_IS)
    return late or (tokens[0].text in DETERMINERS and tokens[1].text in AUX)


def states(tokens: Tokens, start: int = 0) -> bool:
    """Whether tokens[start:] have a main clause, be it behind a condition."""
    end = len(tokens)
    if start >= end:
        return False
    opened = tokens[start].text in CONDITIONS and not unparted(tokens, start, end)
    placed = tokens[start].text in PREPOSITIONS and any(token.text == "," for token in tokens[start:])
    if opened or placed:
        return after_condition(tokens, start, end) > 0 or (not placed and timed(tokens, start, end))
    return imperative(tokens, start) or finite(tokens, start) >= 0
