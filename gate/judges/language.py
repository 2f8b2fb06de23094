"""Which texts the local judge cannot read: it knows English, and a label about another language is a guess."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Protocol

from gate.records import Item
from gate.text import STOPWORDS, normalise, tokens

LONGEST = 2000  # characters that tell the language of a text
FEWEST = 12  # letters: a name, an amount or a code tells no language
ENGLISH = 0.2  # share of function words from which a text is English without a closer look
SURE, DOUBT = 0.6, 0.05  # chances of another language, and of English, that settle it
_KIN = frozenset({"en", "pcm", "sco", "jam"})  # English and what is hard to tell from it in a few words
_ASKED = frozenset("en de fr es it pt nl sv da no fi pl cs tr ru uk ar he hi zh ja ko id vi ro hu el th fa bn".split())


class _Identifier(Protocol):
    def rank(self, text: str) -> list[tuple[str, float]]: ...


def foreign(item: Item) -> str:
    """Why an item cannot be judged for its language; empty where claim and answer are English or too short to tell.

    The claim is looked at with its answer, as a few words of a claim tell little."""
    if not (_is_foreign(item.claim.text) and (not item.answer or _is_foreign(item.answer))):
        texts = [passage.text for passage in item.evidence[:3]]
        if not texts or not all(_is_foreign(text) for text in texts):
            return ""
        return f"the documents are not in English, which is all that the local judge reads; {_HINT}"
    return f"the answer is not in English, which is all that the local judge reads; {_HINT}"


_HINT = "a model judge reads other languages (judge.provider)"


@lru_cache(maxsize=1 << 12)
def _is_foreign(text: str) -> bool:
    start = normalise(text[:LONGEST])
    if sum(c.isalpha() for c in start) < FEWEST and start.isascii():
        return False
    words = [token for token in tokens(start) if token.isalpha()]
    if words and sum(word in STOPWORDS for word in words) >= ENGLISH * len(words):
        return False
    ranked = dict(_identifier().rank(start))
    best = max(ranked, key=lambda code: ranked[code])
    english = sum(ranked.get(code, 0.0) for code in _KIN)
    return best not in _KIN and best in _ASKED and ranked[best] >= SURE and english <= DOUBT


@cache
def _identifier() -> _Identifier:
    """The language identifier of Lui and Baldwin (langid.py, ACL 2012), opened when a text needs a closer look."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    made: _Identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    return made
