"""Coordinated facts apart: a sentence is cut where both sides are clauses, never inside a list of nouns."""

from __future__ import annotations

from dataclasses import dataclass

from gate.extraction.carry import MANY, Cut, carried, governs
from gate.extraction.grammar import after_condition, imperative
from gate.extraction.lexicon import (
    ADVERBS,
    AUX,
    BASE,
    CONDITIONS,
    PAST,
    PREPOSITIONS,
    RELATIVES,
    THIRD,
)
from gate.extraction.tokens import Tokens, tokenise
from gate.extraction.verbs import finite

_JOINERS = frozenset({"and", "but", "while", "whereas", "yet", "or", "then"})
_PAIRED = frozenset({"either", "between", "whether", "neither", "both", "otherwise"})
_DASHES = frozenset({"—", "–"})
_TIED = frozenset({"if", "unless", "when", "whenever", "until", "once"})
_INVERTED = frozenset({"should", "had", "were"})  # `Should it fail, ...` is a condition too
_OPENERS = CONDITIONS | PREPOSITIONS | PAST | _INVERTED
_MAX_TOKENS = 400  # longer sentences are machine output; they stay whole


@dataclass(frozen=True, slots=True)
class Piece:
    """A clause: `prefix` is the shared condition or subject that was said earlier, the rest is text[start:end]."""

    prefix: str
    start: int
    end: int


def split(text: str, start: int, end: int) -> list[Piece]:
    """The clauses of the sentence text[start:end], in order; one piece where it cannot be cut safely.

    A condition in front is repeated for every clause that it governs, a shared subject for a verb that lost it.
    """
    tokens = tokenise(text, start, end)
    if not tokens or len(tokens) > _MAX_TOKENS:
        return [Piece("", start, end)]
    first = next((i for i, token in enumerate(tokens) if token.text not in ADVERBS), 0)
    body = after_condition(tokens, first, len(tokens)) if tokens[first].text in _OPENERS else 0
    scoped = tokens[first].text in CONDITIONS | _INVERTED
    condition = text[start : tokens[body].start] if body else ""
    pieces: list[Piece] = []
    low, prefix, begin, subject_said = body, "", start, ""
    for cut in _cuts(tokens, body):
        if cut.left <= low or not _sides(tokens, low, cut):
            continue
        taken = carried(text, tokens, low, cut) if not _chained(tokens, low, cut, subject_said) else subject_said
        if taken is None:
            continue
        subject_said = taken
        pieces.append(Piece(prefix, begin, tokens[cut.left - 1].end))
        low, begin = cut.right, tokens[cut.right].start
        # A semicolon or a contrast begins a statement of its own; the condition does not reach there. `In Oslo, ...`
        # reaches as far as the subject does.
        prefix = (condition if cut.joiner in ("and", "then") and (scoped or taken) else "") + taken
        prefix = prefix if prefix.endswith(" ") or not prefix else prefix + " "
    return [*pieces, Piece(prefix, begin, end)]


def _cuts(tokens: Tokens, body: int) -> list[Cut]:
    found, i = [], body + 1
    while i < len(tokens) - 1:
        cut = _cut_at(tokens, i)
        if cut and cut.right < len(tokens):
            found.append(cut)
            i = cut.right
        else:
            i += 1
    return found


def _cut_at(tokens: Tokens, i: int) -> Cut | None:
    token = tokens[i]
    if token.text == ";" or (token.kind == "mark" and token.text in _DASHES):
        right = i + 1
        while right < len(tokens) - 1 and tokens[right].text in ("and", "but", "so", "however", ","):
            right += 1
        return Cut(i, right, token.text, comma=True)
    comma = token.text == ","
    at = i + 1 if comma else i
    word = tokens[at].text
    if comma and word in THIRD | AUX | PAST:
        return Cut(i, at, "and", comma)  # "adds a, removes b, and renames c"
    if word not in _JOINERS or tokens[at].kind != "word" or (not comma and word not in ("and", "but")):
        return None
    right = at + 1
    if right < len(tokens) and tokens[at].text in ("and", "but") and tokens[right].text in ("then", "so"):
        right += 1
    return Cut(i, right, tokens[at].text, comma)


def _sides(tokens: Tokens, low: int, cut: Cut) -> bool:
    """Whether the left side says something and does not hold the right one back (`both`, `whether`, `when ... and`)."""
    left = tokens[low : cut.left]
    if tokens[cut.right].text in ("otherwise", "else"):
        return False  # it says nothing without what it is the other case of
    if cut.joiner == ";":
        return all(
            any(token.text in BASE for token in side) or finite(side) >= 0 for side in (left, tokens[cut.right :])
        )
    if [token.text for token in left[:2]] == ["not", "only"]:
        return False
    began = left[0].text in THIRD | PAST and cut.joiner == "and"  # a verb whose subject was carried to it
    if (finite(left) < 0 and not imperative(left) and not began) or _enumerates(left, cut):
        return False
    if any(token.text in _PAIRED for token in left):
        return cut.comma and cut.joiner != "and"
    if cut.comma:
        return True
    tail = tokens[cut.right :]
    held = any(token.text in (CONDITIONS - {"as"}) | RELATIVES for token in left)
    return not held and not any(token.text in _TIED for token in tail)


def _chained(tokens: Tokens, low: int, cut: Cut, subject_said: str) -> bool:
    """Whether the right side is a third verb of a subject that was carried already: `a does x, does y and does z`."""
    verb = tokens[cut.right].text
    first = tokens[low].text
    begins = verb in THIRD | AUX or (verb in PAST and first in PAST) or (verb in BASE and first in BASE | MANY)
    return bool(subject_said) and cut.joiner in ("and", "but") and begins and governs(tokens, cut.right + 1)


def _enumerates(left: Tokens, cut: Cut) -> bool:
    """Whether `and` ends a list: `A, B and C are`."""
    tail = [token.text for token in left[-4:]]
    return not cut.comma and "," in tail and finite(left[len(left) - 4 + tail.index(",") + 1 :]) < 0
