"""Nouns that have the form of a verb behind a joiner: they go on with what came before, and begin no clause."""

from __future__ import annotations

from gate.extraction.lexicon import ADVERBS, AUX, DETERMINERS, PAST, PREPOSITIONS, SUBJECTS, THIRD
from gate.extraction.tokens import Tokens

_NOUN_LIST = (
    "reports updates logs records requests changes copies calls links notes orders results sets types claims exports "
    "imports searches queries backups builds alerts limits grants"
)
_NOUNS = frozenset(_NOUN_LIST.split())
_BEGINS = DETERMINERS | SUBJECTS
_PARTS = frozenset({"away", "along"})  # of the verb before: `takes the tokens and grants away`
_NO_QUALITY = THIRD | AUX | PAST | ADVERBS | {"nothing", "everything"}
_ENDS = frozenset({",", ".", ";", "("})


def listed(tail: Tokens) -> bool:
    """Whether a joiner goes on with another noun, though its last word may be a verb: `the logs and error reports to
    the team`."""
    if len(tail) < 3 or tail[0].kind != "word" or tail[0].capital or tail[0].text in _BEGINS:
        return False
    return (tail[1].text in _NOUNS and tail[2].text in PREPOSITIONS) or (
        tail[0].text in _NOUNS and tail[1].text in _PARTS
    )


def next_in_order(tail: Tokens) -> bool:
    """Whether `then` goes on with the next of several things, whose last word may be a verb: `the stone comes first,
    then wooden wheels, then lids`."""
    words = [token.text for token in tail[:2]]
    if len(words) < 2 or any(token.kind != "word" or token.capital for token in tail[:2]):
        return False
    quality = words[0] not in _NO_QUALITY | _BEGINS and not words[0].endswith("ly")
    return quality and words[1] in THIRD and (len(tail) == 2 or tail[2].text in _ENDS)
