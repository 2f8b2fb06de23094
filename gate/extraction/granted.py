"""What a question takes for granted: `Shall I book it, since the fee is 5 euros?` tells that the fee is 5 euros."""

from __future__ import annotations

import re

from gate.extraction.grammar import clause
from gate.extraction.lexicon import CONDITIONS, RELATIVES
from gate.extraction.pieces import Piece
from gate.extraction.questions import GIVEN, turn
from gate.extraction.relatives import noun
from gate.extraction.tokens import Tokens, tokenise

_REASONS = frozenset({"since", "because", "as", "although", "though", "whereas"})
_DASHES = frozenset({"—", "–", "-"})
_APART = _DASHES | {","}
_TALK = re.compile(
    r"(?:you|i)(?:['’](?:re|ve|d)| are| have)? (?:just |already |also )?(?:ask|mention|said|told|want|need|seem|like|"
    r"prefer|looking|interested|new\b)",
    re.IGNORECASE,
)
_SUBORDINATES = CONDITIONS | RELATIVES


def granted(text: str, start: int, end: int) -> list[Piece]:
    """The statements in the question text[start:end]: reasons behind a comma or in front, clauses behind a dash or in
    brackets, what `, which` tells of a noun. None where text[start:end] is no question."""
    stop = start + len(text[start:end].rstrip("*_\"'”’) "))
    if text[start:stop][-1:] != "?":
        return []
    stop -= 1
    tokens = tokenise(text, start, stop)
    front = turn(text[start:end])
    edge = next((i for i, token in enumerate(tokens) if token.start >= start + front), 0) if front else 0
    found = [piece for i in range(len(tokens) - 2) if (piece := _reason(tokens, i, edge if i < edge else len(tokens)))]
    found += [
        Piece("", token.start + 1, token.end - 1)
        for token in tokens
        if token.kind == "group" and _tells(tokenise(text, token.start + 1, token.end - 1), 0)
    ]
    found += [
        Piece(name + " ", tokens[i + 2].start, stop)
        for i in range(1, len(tokens) - 3)
        if tokens[i].text == "," and tokens[i + 1].text in ("which", "who") and (name := noun(text, tokens, i))
    ]
    return [piece for piece in found if not _TALK.match(text, piece.start)]


def _reason(tokens: Tokens, i: int, stop: int) -> Piece | None:
    """The clause that begins behind the i-th token, if that is a reason or a dash."""
    if stop - i < 4:
        return None
    beside = i == 0 or tokens[i - 1].text in _APART
    that = tokens[i].text in GIVEN and tokens[i + 1].text == "that"
    opened = (beside and (tokens[i].text in _REASONS or that)) or (i > 0 and tokens[i].text in _DASHES)
    first = i + 2 if that else i + 1
    if not opened or not _tells(tokens[:stop], first):
        return None
    return Piece("", tokens[first].start, tokens[stop - 1].end)


def _tells(tokens: Tokens, first: int) -> bool:
    """Whether tokens[first:] are a clause of their own."""
    if first >= len(tokens) or tokens[first].text in _SUBORDINATES or tokens[first].text[:1].isdigit():
        return False
    return clause(tokens, first)
