"""Answers that begin with a bare value and go on: `Nine days at the shop, but three in a locker`."""

from __future__ import annotations

from gate.extraction.grammar import imperative
from gate.extraction.lexicon import PREPOSITIONS
from gate.extraction.polar import brief
from gate.extraction.tokens import Tokens, tokenise
from gate.extraction.verbs import finite

_AMOUNT_LIST = (
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty sixty half none nothing "
    "neither never always nobody every each daily weekly monthly yearly"
)
_AMOUNTS = frozenset(_AMOUNT_LIST.split())
_CASES = frozenset({"unless", "if", "provided", "when", "while", "because"})
_ADDS = frozenset({"but", "so", "and", "even", "only", "just"})
_ALL = frozenset({"everything", "anything", "nothing", "all", "anyone", "everyone"})
_DASHES = frozenset({"-", "–", "—"})


def valued(text: str) -> bool:
    """Whether a statement begins with words that have no verb and tell a value, a time or a place, and adds a condition
    or another case to them: it says nothing without its question."""
    tokens = tokenise(text, 0, len(text))
    first = tokens[0].text if tokens else ""
    amount = first.lstrip("$€£₹-")[:1].isdigit() or first in _AMOUNTS | _ALL
    if not amount and first not in PREPOSITIONS | {"up"}:
        return False
    stop = next((i for i in range(1, len(tokens) - 1) if _ends(tokens, i, amount=amount)), 0)
    return stop > 0 and finite(tokens, 0, stop) < 0 and not imperative(tokens) and brief(text[: tokens[stop - 1].end])


def _ends(tokens: Tokens, i: int, *, amount: bool) -> bool:
    """Whether the bare value is over before the i-th token."""
    token, after = tokens[i], tokens[i + 1].text
    if token.text in _CASES or (token.text in ("as", "so") and after == "long"):
        return True
    if token.kind != "mark":
        return False
    if token.text == ",":
        return after in _CASES | _ADDS
    if token.text == ":":
        return tokens[0].text in _ALL  # `Everything but rye: oats at 5 euros, ..`
    lone = token.text in _DASHES and sum(other.text == token.text for other in tokens) == 1
    return (amount and (token.text == ";" or lone)) or (lone and after in _CASES | _ADDS)
