"""What a sentence says of a part: `100 seats, of which 20 are free` tells of 100 seats, and of 20 of them."""

from __future__ import annotations

from gate.extraction.grammar import clause, imperative
from gate.extraction.lexicon import ADVERBS, AUX, BASE, CONDITIONS, DETERMINERS, PAST, PREPOSITIONS, RELATIVES, THIRD
from gate.extraction.pieces import Piece
from gate.extraction.tokens import Tokens, tokenise
from gate.extraction.verbs import finite
from gate.text import numbers

_VERBS = AUX | THIRD | BASE | PAST
_OF = (["of", "which"], ["of", "whom"])
_FORMS = THIRD | BASE | PAST  # of verbs, which name things too: 5 seats, 5 paid weeks
_WHOLE_WORDS = 5  # of the name of what a part is taken from
_MAX_TOKENS = 400
_KNOWN = frozenset({"the", "its", "their", "his", "her", "our", "your", "my", "these", "those", "this", "that", "all"})
_BEFORE_NAME = (
    PREPOSITIONS
    | AUX
    | CONDITIONS
    | RELATIVES
    | THIRD
    | ADVERBS
    | BASE
    | PAST
    | {"and", "or", "not", "be", "been", "to"}
)


def shares(text: str, piece: Piece) -> list[Piece]:
    """The clause `piece` of `text` cut before `, of which`; uncut if more stands behind the share."""
    tokens = tokenise(text, piece.start, piece.end)
    if not 6 < len(tokens) <= _MAX_TOKENS:
        return [piece]
    for comma in (i for i, token in enumerate(tokens) if token.text == "," and i):
        stop = next((j for j in range(comma + 1, len(tokens)) if tokens[j].text in (",", ";")), len(tokens))
        share = _share(text, tokens, comma, stop)
        if share and (finite(tokens, 0, comma) >= 0 or imperative(tokens, 0, comma)) and stop == len(tokens):
            return [
                Piece(piece.prefix, piece.start, tokens[comma - 1].end),
                Piece(share.prefix, share.start, piece.end),
            ]
        if share:
            return [piece, share]
    return [piece]


def _share(text: str, tokens: Tokens, comma: int, stop: int) -> Piece | None:
    """What is said of the part behind the comma, up to the token `stop`."""
    said = [token.text for token in tokens[comma + 1 : comma + 4]]
    whole = _whole(text, tokens, comma) if "which" in said or "whom" in said else ""
    if whole and said[:2] in _OF and clause(tokens, comma + 3, stop):
        prefix, first = f"Of {whole}, ", comma + 3
    elif whole and said[1:] in _OF and stop > comma + 5 and tokens[comma + 4].text in _VERBS:
        prefix, first = f"{text[tokens[comma + 1].start : tokens[comma + 2].end]} {whole} ", comma + 4
    else:
        return None
    return Piece(prefix, tokens[first].start, tokens[stop - 1].end)


def _whole(text: str, tokens: Tokens, comma: int) -> str:
    """What the part is of: what was counted last before the comma, else the words before it, back to their article;
    empty where they are no name."""
    begin = tokens[0].start
    counted = [begin + number.start for number in numbers(text[begin : tokens[comma].start]) if number.value > 1]
    if counted:
        first = last = next(i for i, token in enumerate(tokens) if token.end > counted[-1])
        while last + 1 < comma and (_named(tokens, last + 1) or (last == first and tokens[last + 1].text in _FORMS)):
            last += 1
        return f"the {text[counted[-1] : tokens[last].end]}"
    first = comma - 1
    while first > max(0, comma - _WHOLE_WORDS) and not _begins(tokens[first].text) and _named(tokens, first - 1):
        first -= 1
    name = text[tokens[first].start : tokens[comma - 1].end]
    return "" if not _named(tokens, comma - 1) else name if tokens[first].text in _KNOWN else f"the {name}"


def _begins(word: str) -> bool:
    return word in DETERMINERS or word[:1].isdigit()


def _named(tokens: Tokens, i: int) -> bool:
    return tokens[i].kind in ("word", "code") and tokens[i].text not in _BEFORE_NAME
