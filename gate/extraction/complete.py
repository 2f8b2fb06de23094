"""Whether a statement is whole: its main clause has a verb, or it is an order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gate.extraction.grammar import clause, imperative
from gate.extraction.lexicon import BASE, CONDITIONS, DETERMINERS, PAST, PREPOSITIONS
from gate.extraction.tokens import Token, tokenise
from gate.extraction.verbs import finite

_WHATEVER = re.compile(  # `Any colour you like`
    r"(?:any|every|all|as (?:many|much|often|long)|however (?:many|much|long)|wherever|whenever|whatever)\b"
    r"(?: [\w-]+){0,4}"
    r" (?:you|they|he|she|one)(?:['’]d)? (?:like|want|wish|need|choose|prefer|please)\W*$",
    re.IGNORECASE,
)
_OPENS = CONDITIONS | PREPOSITIONS
_BEHIND = CONDITIONS | {"which", "of", "provided"}
_BEFORE = DETERMINERS | PREPOSITIONS | {"to"}


def complete(text: str) -> bool:
    """Whether the main clause of `text` has a verb: a finite one, or an order. `The buyer, unless he pays` has none;
    and one word alone is no order: `Gauge` rather names something."""
    if _WHATEVER.match(text):
        return False
    tokens = tokenise(text, 0, len(text))
    commas = [i for i, token in enumerate(tokens[:-1]) if token.text == "," and i > 1]
    if tokens and tokens[0].text in _OPENS and any(_states(tokens, i + 1) for i in commas[:6]):
        return True
    asides = (i for i in commas if tokens[i + 1].text in _BEHIND)
    end = len(tokens) if tokens and tokens[0].text in CONDITIONS else next(asides, len(tokens))
    quoted = any(token.kind == "quote" and complete(token.text[1:-1]) for token in tokens)
    order = imperative(tokens) and sum(token.kind != "mark" for token in tokens) > 1
    return finite(tokens, 0, end) >= 0 or order or quoted or _placed_order(tokens)


def _placed_order(tokens: Sequence[Token]) -> bool:
    """Whether an order stands behind words of place that no comma ends: `In any case keep the key`."""
    if not tokens or tokens[0].text not in PREPOSITIONS:
        return False
    end = next((i for i, token in enumerate(tokens) if token.kind == "mark"), len(tokens))
    places = (i for i in range(2, end - 2) if tokens[i].text in BASE and not tokens[i].capital)
    return any(tokens[i - 1].text not in _BEFORE and tokens[i + 1].text in DETERMINERS for i in places)


def _states(tokens: Sequence[Token], start: int) -> bool:
    qualifies = tokens[start].text in PAST  # ", provided it is unused"
    return not qualifies and (imperative(tokens, start) or clause(tokens, start))
