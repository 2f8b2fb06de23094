"""Orders with their reason: `Don't move the lid: the wheel needs it shut` gives an order and states a fact."""

from __future__ import annotations

from gate.extraction.clauses import split
from gate.extraction.complete import complete
from gate.extraction.grammar import imperative
from gate.extraction.halves import stands
from gate.extraction.leaning import later, leans
from gate.extraction.lexicon import ADVERBS, DETERMINERS
from gate.extraction.pieces import Piece
from gate.extraction.tokens import Tokens, tokenise

_FEWEST = 3  # tokens of an order, and of its reason
_BEGINS = frozenset({"don't", "do", "never", "please"})
_TELLING_LIST = (
    "remember note mind see consider say write type answer choose pick tell read know assume believe suppose think "
    "imagine pretend claim expect forget ignore ensure check confirm verify test avoid trust accept promise"
)
_TELLING = frozenset(_TELLING_LIST.split())  # what follows the colon is their object: `Remember the rule: ...`
_WAITING_LIST = (
    "this these those following follows so ways way things thing rule rules condition conditions claim claims myth "
    "myths mistake mistakes error errors assumption assumptions idea statement statements sentence sentences text "
    "words message messages phrase line lines rumour rumours rumor rumors lie lies impression trap thought case cases "
    "question"
)  # what follows the colon is said to be this
_WAITING = frozenset(_WAITING_LIST.split())
_OBJECTS = DETERMINERS - {"this", "that", "these", "those"} | {"it", "them"}
_OTHER = frozenset({"otherwise", "else", "or", "and", "but", "then", "either"})
_LEADS = ADVERBS | _BEGINS


def clauses(text: str, start: int, end: int) -> list[Piece]:
    """The clauses of the sentence text[start:end], with an order apart from the statement behind its colon or dash."""
    tokens = tokenise(text, start, end)
    marks = (i for i, token in enumerate(tokens) if token.text == ":" or (token.text == "-" and token.kind == "mark"))
    at = next(marks, 0)
    if not at or not _ordered(tokens, at) or not _reason(text, tokens, at, end):
        return split(text, start, end)
    return [*split(text, start, tokens[at].start), *split(text, tokens[at + 1].start, end)]


def _ordered(tokens: Tokens, at: int) -> bool:
    """Whether an order with its object stands before the token `at`, and waits for nothing."""
    if (
        at < _FEWEST - (tokens[0].text in ("don't", "never"))
        or not imperative(tokens, 0, at)
        or any(t.text in _WAITING for t in tokens[at - 2 : at])
    ):
        return False
    verb = next((i for i in range(at) if tokens[i].text not in _LEADS), 0)
    owned = verb + 1 < at and (tokens[verb + 1].text in _OBJECTS or tokens[verb + 1].kind != "word")
    return tokens[verb].text not in _TELLING and (owned or tokens[0].text in _BEGINS)


def _reason(text: str, tokens: Tokens, at: int, end: int) -> bool:
    """Whether a statement that stands alone stands behind the token `at`."""
    if len(tokens) - at <= _FEWEST + 1 or tokens[at + 1].text in _OTHER:
        return False
    said = text[tokens[at + 1].start : end]
    return complete(said) and stands(said) and not leans(said) and not later(said) and not imperative(tokens, at + 1)
