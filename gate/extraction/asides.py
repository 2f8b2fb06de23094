"""What a sentence states on the side: `X, which does a, does b` and `because c` tell a and c, and each can be wrong."""

from __future__ import annotations

import re

from gate.extraction.grammar import after_condition, clause
from gate.extraction.lexicon import ADVERBS, CONDITIONS, RELATIVES, SUBJECTS
from gate.extraction.pieces import Piece
from gate.extraction.tokens import Tokens, tokenise
from gate.extraction.verbs import finite

_GRANTED = frozenset({"because", "since", "although", "though", "whereas"})  # what follows them is said to be so
_MADE_UP = frozenset({"not", "as", "than"})  # what stands before a reason that is none
_WHO = frozenset({"which", "who"})
_NAME_TOKENS = 8  # of what a relative clause is about
_MAX_TOKENS = 400
_APART = re.compile(r"[(\[]([^()\[\]]{1,400})|(?:…|\.{2,}|\s/)\s+((?:(?!…|\.\.|\s/\s)[^()\[\]]){1,400})")
_BETWEEN = ADVERBS - {"not"}
_WHETHER = CONDITIONS - _GRANTED - {"as"}


def asides(text: str, start: int, end: int) -> list[Piece]:
    """The statements inside the clause text[start:end] that its main verb does not make; none where that is unsure.

    They come beside the whole clause, which a reason or a remark that is wrong would otherwise ride on unseen.
    """
    tokens = tokenise(text, start, end)
    if not 4 < len(tokens) <= _MAX_TOKENS:
        return []
    found = [_granted(tokens, i) for i, token in enumerate(tokens) if token.text in _GRANTED]
    found += [_relative(text, tokens, i) for i, token in enumerate(tokens[:_NAME_TOKENS]) if token.text == ","]
    return [piece for piece in found if piece]


def set_apart(text: str) -> list[str]:
    """The clauses in brackets, behind an ellipsis or a slash: they can state what the sentence around them does not."""
    pieces = [(found[1] or found[2]).strip() for found in _APART.finditer(text)]
    return [piece for piece in pieces if clause(tokenise(piece, 0, len(piece)), 0)]


def _granted(tokens: Tokens, i: int) -> Piece | None:
    """The clause behind `because` and its like, up to the comma where the sentence goes on."""
    stop = after_condition(tokens, i, len(tokens)) - 1
    if stop < 0 and i == 0:
        return None  # `Since it is wet we stay`: where the reason ends is not sure
    stop = stop if stop > 0 else len(tokens)
    stop = next((j for j in range(i + 1, stop) if tokens[j].text in (";", ":", "—", "–")), stop)
    if stop - i < 4 or tokens[i + 1].text in ("of", "otherwise", "else") or not clause(tokens, i + 1, stop):
        return None
    if _mere_time(tokens, i) or _not_granted(tokens, i):
        return None
    return Piece("", tokens[i + 1].start, tokens[stop - 1].end)


def _not_granted(tokens: Tokens, i: int) -> bool:
    """Whether a reason is denied, made up or only one of a condition: `not because it rained`, `as though it were dry`,
    `once 90 days have gone by since it rained`."""
    before = i - 1 - (i > 1 and tokens[i - 1].text in _BETWEEN)
    if i and (tokens[before].text in _MADE_UP or tokens[i - 1].text == "never" or tokens[before].text.endswith("n't")):
        return True
    opened = next((j + 1 for j in range(i - 1, -1, -1) if tokens[j].kind == "mark"), 0)
    return i > opened and tokens[opened].text in _WHETHER


def _mere_time(tokens: Tokens, i: int) -> bool:
    """Whether `since` tells a time only, and the clause behind it is not its own: `since v3.2 it resumes`, `files that
    have changed since the push are kept`."""
    verb = finite(tokens, i + 1)
    if tokens[i].text != "since":
        return False
    opened = next((k for k in range(i) if tokens[k].text in RELATIVES), -1)
    inside = opened >= 0 and finite(tokens, 0, opened) < 0 and not any(t.text == "," for t in tokens[:i])
    return inside or any(tokens[k].text in SUBJECTS for k in range(i + 2, verb))


def _relative(text: str, tokens: Tokens, comma: int) -> Piece | None:
    """The remark between two commas about the subject that the sentence begins with."""
    if comma + 4 > len(tokens):
        return None
    verb = comma + 2
    while verb < len(tokens) - 1 and tokens[verb].text in ADVERBS:
        verb += 1
    stop = next((j for j in range(comma + 1, len(tokens)) if tokens[j].text == ","), 0)
    told = comma > 0 and tokens[comma + 1].text in _WHO and finite(tokens, 0, comma) < 0
    if not told or stop - verb < 2 or finite(tokens, comma + 1, stop) != verb:
        return None
    return Piece(text[tokens[0].start : tokens[comma - 1].end] + " ", tokens[comma + 2].start, tokens[stop - 1].end)
