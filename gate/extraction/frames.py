"""What is said in front of a sentence and holds for its later clauses: a condition, a place, the words of a colon."""

from __future__ import annotations

from dataclasses import dataclass

from gate.extraction.grammar import after_condition
from gate.extraction.lexicon import (
    ADVERBS,
    BASE,
    CONDITIONS,
    DETERMINERS,
    PAST,
    PREPOSITIONS,
    RELATIVES,
    THIRD,
)
from gate.extraction.tokens import Tokens
from gate.extraction.verbs import finite

_INVERTED = frozenset({"should", "had", "were"})  # `Should it fail, ...` is a condition too
_OPENERS = CONDITIONS | PREPOSITIONS | PAST | _INVERTED
_READERS = frozenset({"you", "it", "they", "we"})
_MODALS = frozenset({"can", "may", "must", "should", "cannot", "can't", "will", "won't"})
_GOES_ON = PREPOSITIONS | CONDITIONS | RELATIVES | BASE | THIRD | PAST | (DETERMINERS - {"one"}) | {"and", "or", "than"}
_ROLE = 8  # words of whom one is, with the reader behind them
_LABEL = 4  # words of a name in front of a colon
# What reaches a clause with a subject of its own; `In Oslo, ...` does only the verbs of one.
SCOPED = CONDITIONS | _INVERTED | {"without", "except"}
_PLACES = PREPOSITIONS - CONDITIONS


@dataclass(frozen=True, slots=True)
class Frame:
    """What was said in front and holds for later clauses: a condition, or the words before a colon."""

    condition: str = ""
    scoped: bool = False  # the condition reaches a clause with a subject of its own
    head: str = ""
    label: bool = False  # the head is no clause: `Then the money:`

    def behind(self, head: str, *, label: bool) -> Frame:
        """The frame behind a colon; its head holds the condition."""
        return Frame("", False, spaced(head), label)

    def beyond(self, joiner: str) -> Frame:
        """A semicolon begins a statement of its own; nothing but a label reaches there."""
        return self if joiner != ";" or self.label else Frame()

    def shared(self, joiner: str, taken: bool) -> str:
        """A contrast is a statement of its own too. `In Oslo, ...` reaches as far as the subject does."""
        if self.head:
            return self.head
        return self.condition if joiner in ("and", "then", "or") and (self.scoped or taken) else ""


def spaced(text: str) -> str:
    """`text` with a space behind it, if it is any."""
    return text if text.endswith(" ") or not text else text + " "


def condition_at(text: str, tokens: Tokens, at: int) -> tuple[int, str]:
    """Where the clause behind the opener at tokens[at:] begins, and the opener; `at` and nothing if there is none."""
    stop = next((i for i in range(at, len(tokens)) if tokens[i].text == ";"), len(tokens))
    first = next((i for i in range(at, stop) if tokens[i].text not in ADVERBS), at)
    body = after_condition(tokens, first, stop) if tokens[first].text in _OPENERS else 0
    body = in_role(tokens, first) or body or unparted(tokens, first, stop)
    placed = tokens[first].text in _PLACES
    if body and placed and not any(token.text in RELATIVES for token in tokens[first:body]):
        body = body if finite(tokens, first, body) < 0 else 0  # `By default it is slow, so ...` has said something
    return (body, text[tokens[at].start : tokens[body].start]) if body else (at, "")


def unparted(tokens: Tokens, start: int, stop: int) -> int:
    """Where the main clause begins behind a condition that no comma ends, or 0: `When it is full you can ...`."""
    end = next((i for i in range(start, stop) if tokens[i].kind == "mark"), stop)
    if start >= stop or tokens[start].text not in CONDITIONS:
        return 0
    begun = finite(tokens, start + 1, end)
    places = range(begun + 2, end - 1) if begun > 0 else range(0)
    found = (i for i in places if tokens[i].text in _READERS and tokens[i - 1].text not in _GOES_ON)
    return next((i for i in found if tokens[i + 1].text in _MODALS), 0)


def in_role(tokens: Tokens, start: int) -> int:
    """Where the main clause begins behind `As a tenant you may ...`, or 0."""
    if tokens[start].text != "as" or start + 3 >= len(tokens) or tokens[start + 1].text not in DETERMINERS:
        return 0
    end = min(len(tokens) - 1, start + _ROLE)
    at = next((i for i in range(start + 3, end) if tokens[i].text in _READERS), 0)
    return at if at and finite(tokens, start + 1, at) < 0 and tokens[at + 1].kind == "word" else 0


def labelled(tokens: Tokens, at: int) -> bool:
    """Whether a name and a colon stand at tokens[at:]: `Pro plan: 5 seats`."""
    colon = next((i for i in range(at, min(at + _LABEL + 1, len(tokens))) if tokens[i].kind == "mark"), at)
    named = colon > at and tokens[colon].text == ":" and colon + 1 < len(tokens)
    return named and finite(tokens, at, colon) < 0 and not any(token.text in CONDITIONS for token in tokens[at:colon])


def behind_colon(tokens: Tokens, low: int, left: int) -> int:
    """Where the clause begins that ends before the token `left`: behind its last colon, or at `low`."""
    return next((i + 1 for i in range(left - 2, low, -1) if tokens[i].text == ":"), low)
