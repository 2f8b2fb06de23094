"""What a word looks like beside a verb: the end of a subject, the beginning of an object, a verb of no list."""

from __future__ import annotations

from gate.extraction.lexicon import ADVERBS, CONDITIONS, DETERMINERS, PAST, PLURAL, PREPOSITIONS, RELATIVES, SUBJECTS
from gate.extraction.tokens import Token
from gate.text_stem import ends_plural

_NEVER_LIST = (
    "past plus minus despite versus such besides perhaps sometimes nowadays others yours ours theirs hers across"
)
_NO_VERBS = PREPOSITIONS | ADVERBS | CONDITIONS | RELATIVES | frozenset(_NEVER_LIST.split())


def can_end_subject(word: str) -> bool:
    """Whether a subject can end in a word."""
    barred = word in PREPOSITIONS or word in PAST or word in ("and", "or") or word.endswith(("'", "'s"))
    return not barred and (word not in DETERMINERS or word in SUBJECTS or word in PLURAL or word == "one")


def measured(token: Token) -> bool:
    """Whether an object begins: `the`, `5`, `$5`."""
    return token.text in DETERMINERS or token.text[:1].isdigit() or token.text[:1] in "$€£₹"


def looks_third(word: str) -> bool:
    """Whether a word has the form of the third person."""
    bare = len(word) > 3 and word.isalpha() and ends_plural(word)
    return bare and word not in _NO_VERBS


def looks_base(word: str) -> bool:
    """Whether a word has the form of a verb with a plural subject."""
    return len(word) > 3 and word.isalpha() and not word.endswith(("s", "ing", "ly", "ed")) and word not in _NO_VERBS
