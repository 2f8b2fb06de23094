"""Which texts are not in English: the local tools read nothing else, and what they say of others is a guess."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import Protocol

from gate.text.markup import normalise
from gate.text.tokenisation import STOPWORDS, tokens

LONGEST = 2000  # characters that tell the language of a text
OTHER = 0.3  # share of letters of another script from which a text is not English
FEWEST = 12  # letters: a name, an amount or a code tells no language
ENGLISH = 0.2  # share of function words from which a text is English without a closer look
SURE, DOUBT = 0.6, 0.05  # chances of another language, and of English, that settle it
_KIN = frozenset({"en", "pcm", "sco", "jam"})  # English and what is hard to tell from it in a few words
_ASKED_LIST = "en de fr es it pt nl sv da no fi pl cs tr ru uk ar he hi zh ja ko id vi ro hu el th fa bn"
_ASKED = frozenset(_ASKED_LIST.split())


class _Identifier(Protocol):
    def rank(self, text: str) -> list[tuple[str, float]]: ...


@lru_cache(maxsize=1 << 12)
def is_foreign(text: str) -> bool:
    """Whether a text is surely in another language: not where it is too short to tell, nor of names alone."""
    start = normalise(text[:LONGEST])
    letters = [c for c in start if c.isalpha()]
    if sum(not _latin(c) for c in letters) > OTHER * len(letters):
        return True
    names = not any(word[0].islower() for word in start.split())
    if names or (len(letters) < FEWEST and start.isascii()):
        return False
    words = [token for token in tokens(start) if token.isalpha()]
    if words and sum(word in STOPWORDS for word in words) >= ENGLISH * len(words):
        return False
    ranked = dict(_identifier().rank(start))
    best = max(ranked, key=lambda code: ranked[code])
    english = sum(ranked.get(code, 0.0) for code in _KIN)
    return best not in _KIN and best in _ASKED and ranked[best] >= SURE and english <= DOUBT


def _latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN")


@cache
def _identifier() -> _Identifier:
    """The language identifier of Lui and Baldwin (langid.py, ACL 2012), opened when a text needs a closer look."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    made: _Identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    return made
