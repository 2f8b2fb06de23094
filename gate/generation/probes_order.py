"""A question with its clauses in another order: what stood behind comes first, and the reverse."""

from __future__ import annotations

import re

from gate.generation.probes_words import LONGEST

_ASKS = (
    r"(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|may|might|must|shall|"
    r"should|will|would|has|have)"
)
_JOINS = r"(?:if|when|while|whenever|unless|until|once|because|although|before|after|without)"
_PLACES = r"(?:in|for|with|under|during|at|on|from|within|via|through|by|according to|with regard to|as for)"
# A preposition behind one of these belongs to it: `to log in with`, `what is it for`.
_BOUND = re.compile(
    r"\b(?:is|are|was|were|be|been|do|does|did|get|gets|got|go|goes|come|comes|log|sign|set|put|up|out|off|on|in|"
    r"charge|terms|case|front|addition|order|depend|depends|rely|look|wait|pay|ask|stand|account|and|or|not)$",
    re.IGNORECASE,
)
_LEADING = re.compile(rf"^({_JOINS} [^,?\n]+), ({_ASKS} [^?\n]+)\?$", re.IGNORECASE)
_TRAILING = re.compile(rf"^({_ASKS} [^,?\n]+?),? ({_JOINS} [^,?\n]+)\?$", re.IGNORECASE)
_NOTED = re.compile(rf"^({_ASKS} [^?\n]+) \(((?:in|for|on|under|with) [^()\n]+)\)\?$", re.IGNORECASE)
_FRONT = re.compile(rf"^({_PLACES} [^,:?\n]+)[,:] ({_ASKS} [^?\n]+)\?$", re.IGNORECASE)
_BEHIND = re.compile(rf"^({_ASKS} [^,?\n]+) ({_PLACES} (?:[^\s,?]+ ){{0,4}}[^\s,?]+)\?$", re.IGNORECASE)


def reordered(question: str) -> str | None:
    """The same clauses in another order; None where the question has but one, or their joint is not plain to see."""
    text = " ".join(question.split())
    if len(text) > LONGEST:
        return None
    if found := _LEADING.match(text) or _FRONT.match(text):
        return f"{_first(found[2])} {_inner(found[1])}?"
    if found := _TRAILING.match(text) or _NOTED.match(text):
        return f"{_first(found[2])}, {_inner(found[1])}?"
    found = _BEHIND.match(text)
    if found is None or _BOUND.search(found[1]) or found[1].count(" ") < 2:
        return None
    return f"{_first(found[2])}, {_inner(found[1])}?"


def _first(clause: str) -> str:
    return clause[:1].upper() + clause[1:]


def _inner(clause: str) -> str:
    """The clause away from the front: each begins with a word that has no capital of its own."""
    return clause[:1].lower() + clause[1:]
