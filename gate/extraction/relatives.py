"""What a relative clause behind a comma adds: `a tank, which holds oil` tells of the tank that it holds oil."""

from __future__ import annotations

import re

from gate.extraction.halves import stands, states
from gate.extraction.leaning import pronoun
from gate.extraction.lexicon import (
    ADVERBS,
    AUX,
    BASE,
    CLITICS,
    CONDITIONS,
    DETERMINERS,
    PAST,
    PREPOSITIONS,
    RELATIVES,
    THIRD,
)
from gate.extraction.pieces import Piece
from gate.extraction.tokens import Token, Tokens, tokenise
from gate.extraction.verbs import finite
from gate.text_stem import ends_plural

_VERBS = THIRD | AUX | BASE | PAST
_PRESENT = THIRD | AUX
_FORMS = AUX | PAST | BASE
_GOES_ON = _VERBS | {"and", "or", "but"}
_WHO = frozenset({"which", "who"})
_OPENERS = _WHO | {"where"}
_ONE = THIRD | {"is", "was", "isn't", "wasn't", "has", "hasn't", "does", "doesn't"}
_MANY = BASE | {"are", "were", "aren't", "weren't", "have", "haven't", "do", "don't"}
_PLURAL = frozenset({"people", "children", "staff", "police"})
_ARTICLES = frozenset({"a", "an", "another", "each", "every"})
_UNKNOWN_LIST = "any some no most many several it they we you i everything nothing everyone anyone nobody there both"
_NO_NAME = frozenset(_UNKNOWN_LIST.split())
_UNIT_LIST = "second minute hour day night week month quarter year time moment case way euro dollar percent person"
_UNITS = frozenset(_UNIT_LIST.split())  # what is counted is seldom what is told of
_HAPPENS_LIST = "means meant happens happened counts leads lead results makes make saves save allows keeps ensures"
_HAPPENS = frozenset(_HAPPENS_LIST.split())  # what a whole clause may do
_TAKES = frozenset({"takes", "take", "took", "adds", "add", "costs", "gives", "lets", "helps", "requires"})
_JUDGED_LIST = (
    "why how when where what free fine normal possible allowed permitted not so enough important true good usual"
)
_JUDGED = frozenset(_JUDGED_LIST.split())  # `which is free` may be said of the whole clause
_NO_HEADS = frozenset({"ready", "available", "free", "open", "full", "online", "ahead", "abroad", "alone", "again"})
_LETS = frozenset({"let", "lets", "make", "makes", "help", "helps", "see", "watch", "have", "has"})
_NO_CODE = PAST | ADVERBS | {"is", "are", "be", "as", "to", "becomes", "was", "stays", "shows", "default"}
_BETWEEN = PREPOSITIONS | AUX | CONDITIONS | RELATIVES | THIRD | ADVERBS | {"and", "or", "to", "but", "not", "there"}
_UNSURE = frozenset({"of", "for", "on"})  # behind them the other noun may be meant
_OWNER = re.compile(r"(?:its|their)\b", re.IGNORECASE)
_NAME_TOKENS = 5
_MAX_TOKENS = 400
_NO_ENDS = (_BETWEEN - THIRD) | _NO_HEADS


def relatives(text: str, piece: Piece) -> list[Piece]:
    """The clause `piece` of `text` cut before the relative clause that ends it: what that tells follows with the noun
    that it surely tells of, else with the whole clause in front."""
    tokens = tokenise(text, piece.start, piece.end)
    if not 6 < len(tokens) <= _MAX_TOKENS:
        return [piece]
    comma = next((i for i in range(2, len(tokens) - 3) if _opens(tokens, i)), 0)
    if not comma or _resumes(tokens, comma + 2):
        return [piece]
    main = Piece(piece.prefix, piece.start, tokens[comma - 1].end)
    said = main.of(text)
    if not states(tokenise(said, 0, len(said))):
        return [piece]
    alone = stands(said)
    name = _name(text, tokens, comma)
    if name:
        return [main if alone else piece, Piece(name + " ", tokens[comma + 2].start, piece.end)]
    if not alone:
        return [piece]
    which = tokens[comma + 1].start
    return [main, Piece(piece.up_to(text, which), which, piece.end)]


def noun(text: str, tokens: Tokens, comma: int) -> str:
    """The noun before the comma as the subject of `, which ..` behind it, where nothing else is told that this may be
    about, as in a question; empty where it does not fit."""
    first = _first(tokens, comma - 1)
    fits = first >= 0 and _verb(tokens, comma + 2) and _agrees(tokens[comma - 1], tokens[comma + 2])
    return _said(text, tokens, first, comma - 1) if fits else ""


def _opens(tokens: Tokens, comma: int) -> bool:
    return tokens[comma].text == "," and tokens[comma + 1].text in _OPENERS


def _resumes(tokens: Tokens, start: int) -> bool:
    """Whether the main clause may go on behind the relative one that begins before tokens[start:]."""
    for i in range(start, len(tokens) - 1):
        if tokens[i].text in (":", ";"):
            return True
        behind = next((j for j in range(i + 1, len(tokens)) if tokens[j].text not in ADVERBS), i)
        if tokens[i].text == "," and (tokens[behind].text in _GOES_ON):
            return True
    return False


def _name(text: str, tokens: Tokens, comma: int) -> str:
    """The noun before the comma as the subject of the clause behind it; empty where that may tell of something else."""
    verb = next((i for i in range(comma + 2, len(tokens)) if tokens[i].text not in ADVERBS), comma + 2)
    if tokens[comma + 1].text not in _WHO or not _verb(tokens, verb):
        return ""
    at = pronoun(text[tokens[comma + 2].start : tokens[-1].end])
    if at >= 0 and not _OWNER.match(text, tokens[comma + 2].start + at):
        return ""
    first = _first(tokens, comma - 1)
    first = first if first >= 0 else _bare(tokens, comma - 1)
    if first < 0 or not _fits(tokens, first, comma - 1, verb):
        return ""
    inner = first > 1 and tokens[first - 1].text in _UNSURE and tokens[comma - 1].kind == "word"
    outer = _first(tokens, first - 2) if inner else -1
    known = tokens[first].text in DETERMINERS or not inner or tokens[comma - 1].kind == "code" or tokens[first].capital
    agrees = _agrees(tokens[comma - 1], tokens[verb])
    if outer >= 0 and _agrees(tokens[first - 2], tokens[verb]):
        whole = not agrees and tokens[first - 1].text == "of"
        return _said(text, tokens, outer, comma - 1) if whole else ""
    return _said(text, tokens, first, comma - 1) if known and agrees else ""


def _verb(tokens: Tokens, verb: int) -> bool:
    """Whether a verb stands there, whose subject is `which`: not `which support checks`."""
    if verb + 1 >= len(tokens) or tokens[verb].kind != "word":
        return False
    if tokens[verb].text not in _VERBS:
        return tokens[verb].text not in CLITICS and finite(tokens, verb - 1) == verb
    return tokens[verb].text in AUX or tokens[verb + 1].text not in _PRESENT


def _first(tokens: Tokens, last: int) -> int:
    """Where the name begins that ends with the token `last`; -1 where it is no name."""
    if last < 1:
        return -1
    end = tokens[last]
    if end.kind == "code":
        plain = tokens[last - 1].text not in _NO_CODE
        return last if plain else -1
    if end.kind != "word" or end.text.endswith("ly") or end.text[:1].isdigit() or end.text in _NO_ENDS:
        return -1
    for i in range(last - 1, max(-1, last - _NAME_TOKENS), -1):
        if tokens[i].text in DETERMINERS or tokens[i].text.endswith(("'s", "s'")):
            drains = end.text in BASE and i > 0 and tokens[i - 1].text in _LETS  # `lets the tank drain`
            return i if tokens[i].text not in _NO_NAME and not drains else -1
        if tokens[i].kind not in ("word", "code") or tokens[i].text in _BETWEEN:
            break
    return last if end.capital else -1


def _bare(tokens: Tokens, last: int) -> int:
    """Where a name without an article begins behind `of`, as in a list of old pumps; -1 where there is none."""
    of = next((i for i in range(last - 1, max(0, last - _NAME_TOKENS), -1) if tokens[i].text in _BETWEEN), 0)
    return of + 1 if of > 1 and tokens[of].text == "of" and tokens[last].kind == "word" else -1


def _fits(tokens: Tokens, first: int, last: int, verb: int) -> bool:
    """Whether the clause behind may be about the name: a unit has nothing told of it, and what a whole clause may do
    only code is sure to do."""
    said, after = tokens[verb].text, tokens[verb + 1].text
    code, new = tokens[last].kind == "code", tokens[first].text in _ARTICLES
    if tokens[last].text.rstrip("s") in _UNITS or said in ("means", "meant", "happens", "happened"):
        return False
    if said in AUX and after in _JUDGED:
        return code and after not in ("why", "how", "when", "where", "what", "so", "not")
    may = tokens[verb + 1 : verb + 2] if said in AUX else tokens[verb : verb + 1]
    return code or not (any(t.text in _HAPPENS for t in may) or (not new and any(t.text in _TAKES for t in may)))


def _agrees(noun: Token, verb: Token) -> bool:
    plural = noun.text in _PLURAL or (ends_plural(noun.text) and noun.kind == "word" and not noun.capital)
    if verb.text in _ONE or (verb.text.endswith("s") and verb.text not in _FORMS):
        return not plural
    return plural or verb.text not in _MANY


def _said(text: str, tokens: Tokens, first: int, last: int) -> str:
    """The name tokens[first] to tokens[last] as what is known by now: `the job` for `a job`."""
    known = tokens[first].text in _ARTICLES
    name = text[tokens[first + known].start : tokens[last].end]
    return f"the {name}" if known or tokens[first].text[:1].isdigit() else name
