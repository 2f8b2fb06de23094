"""A light English stemmer: the steps of Porter2 that join the forms of one word, without its exception lists."""

from __future__ import annotations

import re
from functools import lru_cache

_VOWELS = frozenset("aeiouy")
_WORD = re.compile(r"[a-z]{3,40}")
_REGION = re.compile(r"[aeiouy][^aeiouy]")
# Endings of Porter2's steps 2 to 4, longest first: (ending, replacement); they apply inside the region R1 or R2.
_STEP2 = (
    ("ization", "ize"), ("ational", "ate"), ("fulness", "ful"), ("ousness", "ous"), ("iveness", "ive"),
    ("tional", "tion"), ("biliti", "ble"), ("lessli", "less"), ("entli", "ent"), ("ation", "ate"), ("alism", "al"),
    ("aliti", "al"), ("ousli", "ous"), ("iviti", "ive"), ("fulli", "ful"), ("enci", "ence"), ("anci", "ance"),
    ("abli", "able"), ("izer", "ize"), ("ator", "ate"), ("alli", "al"), ("bli", "ble"), ("li", ""),
)  # fmt: skip
_STEP3 = (
    ("ational", "ate"), ("tional", "tion"), ("alize", "al"), ("icate", "ic"), ("iciti", "ic"), ("ical", "ic"),
    ("ness", ""), ("ful", ""),
)  # fmt: skip
_STEP4 = ("ement", "ance", "ence", "able", "ible", "ment", "tion", "sion", "ant", "ent", "ism", "ate", "iti", "ous",
          "ive", "ize", "al", "er", "ic")  # fmt: skip
_LI = frozenset("cdeghkmnrt")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a lower-case English word; whatever is not a plain word of 3 to 40 letters comes back unchanged.

    Source: the Porter2 algorithm (M. Porter, Snowball), without exceptions.
    """
    if not _WORD.fullmatch(word):
        return word
    stemmed = _past(_plural(word))
    if len(stemmed) > 2 and stemmed[-1] == "y" and stemmed[-2] not in _VOWELS:
        stemmed = stemmed[:-1] + "i"
    first = _region(stemmed, 0)
    stemmed = _replace(stemmed, _STEP2, first)
    stemmed = _replace(stemmed, _STEP3, first)
    return _tail(_drop(stemmed), first)


def ends_plural(word: str) -> bool:
    """Whether a word ends as a regular plural does, or a verb of one; `class`, `status` and `axis` do not."""
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _region(word: str, start: int) -> int:
    """Where the region after the first consonant behind a vowel begins."""
    found = _REGION.search(word, start)
    return found.end() if found else len(word)


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ies", "ied")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("ss", "us")) and any(c in _VOWELS for c in word[:-2]):
        return word[:-1]
    return word


def _past(word: str) -> str:
    for ending in ("eedly", "eed"):
        if word.endswith(ending):
            return word[: -len(ending)] + "ee" if len(word) - len(ending) >= _region(word, 0) else word
    for ending in ("ingly", "edly", "ing", "ed"):
        if word.endswith(ending):
            base = word[: -len(ending)]
            return _mend(base) if any(c in _VOWELS for c in base) else word
    return word


def _mend(base: str) -> str:
    """The verb again after `ed` or `ing`: hop(p), cache, size."""
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if len(base) > 2 and base[-1] == base[-2] and base[-1] in "bdfgmnprt":
        return base[:-1]
    if _region(base, 0) == len(base) and _short(base):
        return base + "e"
    return base


def _short(word: str) -> bool:
    if len(word) < 3:
        return len(word) == 2 and word[0] in _VOWELS
    return word[-1] not in "aeiouywx" and word[-2] in _VOWELS and word[-3] not in _VOWELS


def _replace(word: str, rules: tuple[tuple[str, str], ...], region: int) -> str:
    for ending, by in rules:
        if word.endswith(ending):
            at = len(word) - len(ending)
            bare_li = ending == "li" and word[at - 1] not in _LI
            return word[:at] + by if at >= region and not bare_li else word
    return word


def _drop(word: str) -> str:
    """Step 4: endings that fall away in R2; `ion` only behind s or t."""
    second = _region(word, _region(word, 0))
    for ending in _STEP4:
        if word.endswith(ending):
            cut = 3 if ending in ("tion", "sion") else len(ending)
            return word[:-cut] if len(word) - cut >= second else word
    return word


def _tail(word: str, first: int) -> str:
    """Step 5: a silent e, a doubled l."""
    second = _region(word, first)
    if word.endswith("e"):
        at = len(word) - 1
        return word[:-1] if at >= second or (at >= first and not _short(word[:-1])) else word
    return word[:-1] if word.endswith("ll") and len(word) - 1 >= second else word
