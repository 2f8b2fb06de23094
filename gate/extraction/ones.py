"""`A hard one` with its noun: a limit, if soft limits were spoken of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gate.extraction.context import main_subject
from gate.extraction.lexicon import ADVERBS, AUX, DETERMINERS, PREPOSITIONS, RELATIVES, SUBJECTS
from gate.extraction.tokens import tokenise
from gate.text_stem import ends_plural

_ONE = re.compile(r"\b(a|an|the|each|every|another|any) ([\w'’-]+) one(s?)\b(?! of\b)", re.IGNORECASE)
_ORDER_LIST = "first second third last next other same only right new good big small whole latter former best"
_ORDER = frozenset(_ORDER_LIST.split())  # what it qualifies elsewhere may be anything
_NO_NOUNS = (
    PREPOSITIONS | AUX | ADVERBS | RELATIVES | SUBJECTS | DETERMINERS | {"and", "or", "to", "one", "ones", "but"}
)


def with_noun(text: str, before: Sequence[str], question: str) -> str:
    """`text` with the noun that `one` stands for: the noun that had the same quality before (`stored schedules` ... `a
    stored one`), or, of a subject, that of the subject before (`A soft limit warns.` ... `A hard one stops the job.`).
    """
    found = _ONE.search(text)
    if not found:
        return text
    parallel = found.start() == 0 and before and not found[3]
    noun = _head(before[-1]) if parallel else ""
    noun = noun or _qualified(found[2], f"{question}\n{' '.join(before)}\n{text[: found.start()]}")
    if not noun:
        return text
    return f"{text[: found.end(2)]} {noun}{found[3]}{text[found.end() :]}"


def _qualified(quality: str, said: str) -> str:
    """The noun, as of one thing, that `quality` stood before in what was said."""
    if quality.lower() in _ORDER:
        return ""
    nouns = re.findall(rf"(?<![\w-]){re.escape(quality)} ([a-z][a-z-]+)\b", said, re.IGNORECASE)
    found = {_single(noun.lower()) for noun in nouns if noun.lower() not in _NO_NOUNS}
    return found.pop() if len(found) == 1 else ""


def _single(noun: str) -> str:
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    return noun[:-1] if ends_plural(noun) else noun


def _head(statement: str) -> str:
    """The noun of the statement's subject, if it is a common one of one thing."""
    name = main_subject(statement).text
    tokens = tokenise(name, 0, len(name))
    end = next((i for i, token in enumerate(tokens) if i and token.text in PREPOSITIONS), len(tokens))
    plain = end > 2 and tokens[end - 1].kind == "word" and name[tokens[end - 1].start].islower()
    noun = tokens[end - 1].text if plain else ""
    return noun if noun.isalpha() and _single(noun) == noun else ""
