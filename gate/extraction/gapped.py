"""Two amounts behind one verb: `the excess is 350 on Basic and 90 on Plus` tells two facts, and each can be wrong."""

from __future__ import annotations

from gate.extraction.grammar import imperative
from gate.extraction.lexicon import AUX, CONDITIONS, DETERMINERS, PREPOSITIONS, RELATIVES
from gate.extraction.pieces import Piece
from gate.extraction.tokens import Tokens, tokenise
from gate.extraction.verbs import finite
from gate.text import numbers

_TOGETHER = frozenset({"between", "from", "both", "either", "neither", "whether", "sum", "total", "together"})
_PLACED = PREPOSITIONS - _TOGETHER - {"of"}
_CLAUSES = CONDITIONS | RELATIVES | AUX | {",", ";", ":", "and", "or"}
_ARTICLES = frozenset({"a", "an"})
_MAX_TOKENS = 60
_UNIT = 2  # words of what is counted: `working days`


def gapped(text: str, piece: Piece) -> list[Piece]:
    """The clause `piece` of `text` as two, the second with the subject and the verb of the first; uncut where what
    stands behind `and` is not plainly the like of what stands before it."""
    tokens = tokenise(text, piece.start, piece.end)
    verb = finite(tokens) if len(tokens) <= _MAX_TOKENS else -1
    verb = 0 if verb < 0 and imperative(tokens) else verb
    joins = [i for i, token in enumerate(tokens) if token.text == "and"] if verb >= 0 else []
    if len(joins) != 1 or not verb < joins[0] < len(tokens) - 2:
        return [piece]
    first = _first(text, tokens, verb, joins[0])
    if not first:
        return [piece]
    shared = piece.prefix + text[piece.start : tokens[first].start]
    begin = joins[0] + 1
    rest = Piece(shared, tokens[begin].start, piece.end)
    if unit := _unit(text, tokens, first, begin):
        rest = Piece(f"{shared}{tokens[begin].text}{unit}", tokens[begin + 1].start, piece.end)
    return [Piece(piece.prefix, piece.start, tokens[joins[0] - 1].end), rest]


def _unit(text: str, tokens: Tokens, first: int, begin: int) -> str:
    """What the first amount counts, with the blanks about it, where the second is a bare figure: `3 weeks for a
    bachelor's thesis and 6 for a master's`; empty where it is not."""
    stop = next((i for i in range(first + 1, begin) if tokens[i].text in _PLACED), 0)
    named = 0 < stop - first - 1 <= _UNIT and all(token.kind == "word" for token in tokens[first + 1 : stop])
    bare = tokens[begin].text.isdigit() and tokens[begin + 1].text in _PLACED
    return text[tokens[first].end : tokens[stop].start] if named and bare else ""


def _first(text: str, tokens: Tokens, verb: int, join: int) -> int:
    """Where the first of two likes begins, the second behind the `and` at `join`; 0 where they are none."""
    end = len(tokens) - (tokens[-1].kind == "mark")
    found = numbers(text[tokens[0].start : tokens[-1].end])
    periods = {number.start + tokens[0].start: number.per for number in found}
    counts = [token.start in periods for token in tokens]
    if any(token.text in _TOGETHER for token in tokens[verb:join]):
        return 0
    begin = join + 1
    if counts[begin]:
        at = next((i for i in range(verb + 1, join) if counts[i]), 0)
        rates = at and periods[tokens[at].start] and periods[tokens[begin].start]  # `12 a month and 120 a year`
        alike = at and (rates or _where(tokens, at, join) and _where(tokens, at, join) == _where(tokens, begin, end))
    else:
        at = next((i for i in range(verb + 1, join) if tokens[i].text in DETERMINERS), 0)
        opened = tokens[begin].text in _ARTICLES and tokens[at].text in _ARTICLES
        alike = at and opened and _of_amount(tokens, counts, at, join) and _of_amount(tokens, counts, begin, end)
    apart = not any(token.text in _CLAUSES for token in (*tokens[at:join], *tokens[begin:end]))
    return at if alike and apart else 0


def _where(tokens: Tokens, start: int, end: int) -> str:
    """The first preposition of tokens[start:end], which tells for what an amount holds; `of` tells only what it is."""
    found = (token.text for token in tokens[start:end] if token.text in _PLACED)
    return next(found, "")


def _of_amount(tokens: Tokens, counts: list[bool], start: int, end: int) -> bool:
    """Whether tokens[start:end] name a thing and its amount: `a grant of 350 euros`."""
    return any(tokens[i].text == "of" and counts[i + 1] for i in range(start + 1, end - 1))
