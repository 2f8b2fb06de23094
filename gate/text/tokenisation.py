"""Tokens, content words, identifiers and stems: what texts are compared by."""

from __future__ import annotations

import re
from functools import lru_cache

from gate.text.markup import normalise, plain

_STOP_LIST = (
    "a an the this that these those it its itself they them their theirs he she his her him we us our ours you your "
    "yours i me my mine is are was were be been being am do does did doing done has have had having will would shall "
    "should can could may might of in on at to for from by with as into onto about over under via per than then so "
    "such and or but if else nor yet there here where when while which who whom whose what how why also too very just "
    "really quite rather still even again because since although though however therefore thus hence etc e.g i.e eg "
    "ie vs get gets got let lets like own same some any up down out off through during between both each other "
    "another one ones s t re ve ll d m"
)
# Words without content. Negations, quantifiers and modals of duty (not, no, never, only, all, must, ...) stay in.
STOPWORDS = frozenset(_STOP_LIST.split())
_TOKEN = re.compile(
    r"(?:(?<![\w-])--?(?=[A-Za-z]))?[~./@#$]{0,2}\w+(?:(?:[.:/=@+'-]|::|->|://|\.\./)+\w+|\+\+|#(?!\w)|\(\))*%?"
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{1,64}")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")
_CODE = re.compile(
    r"_|::|\(\)|^--?[A-Za-z]|^[./~@$]|[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z][-/]?\d|\d[A-Za-z]|^[A-Z][A-Z\d]+$"
    r"|\w[=+#]|\w\w\.[A-Za-z]|/\w+[./]|\w\.[a-z]{2,4}$"
)
_CONTRACTION = re.compile(r"(?:(ca|wo|sha)|(\w+))n't|(can)not")
_SHORT = {"ca": "can", "wo": "will", "sha": "shall"}
_VOWELS = frozenset("aeiouy")
_PLAIN_WORD = re.compile(r"[a-z]{3,40}")
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


def tokens(text: str) -> list[str]:
    """All tokens of `text` in lower case. Identifiers, flags, paths and versions stay whole (`follow_redirects=true`,
    `httpx.client`, `--flag`); possessives go, `n't` becomes `not`; Chinese and Japanese come as pairs of characters."""
    found: list[str] = []
    for raw in _raw(text):
        token = raw.lower().removesuffix("()").removesuffix("'s").rstrip("'")
        if short := _CONTRACTION.fullmatch(token):
            found += [_SHORT.get(short[1] or "", short[2] or short[3]), "not"]
        elif _CJK.search(token):
            found += _pairs(token)
        elif token:
            found.append(token)
    return found


def words(text: str) -> list[str]:
    """The tokens that carry content: without STOPWORDS."""
    return [token for token in tokens(text) if token not in STOPWORDS]


def _raw(text: str) -> list[str]:
    return [match[0] for match in _TOKEN.finditer(plain(normalise(text)))]


def _pairs(token: str) -> list[str]:
    found: list[str] = []
    for run in re.findall(r"[\u3040-\u30ff\u3400-\u9fff]+|[^\u3040-\u30ff\u3400-\u9fff]+", token):
        found += [run[i : i + 2] for i in range(max(1, len(run) - 1))] if _CJK.match(run) else [run]
    return found


def parts(identifier: str) -> list[str]:
    """The lower-case words that an identifier is made of."""
    return [part.lower() for part in _PART.findall(identifier)]


def identifiers(text: str) -> list[str]:
    """Tokens that look like code, as written: dotted, snake or camel case, flags, paths, calls, capitals, digits."""
    return [raw for raw in _raw(text) if len(raw) > 1 and _CODE.search(raw)]


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a lower-case English word; whatever is not a plain word of 3 to 40 letters comes back unchanged.

    Source: the Porter2 algorithm (M. Porter, Snowball), without exceptions.
    """
    if not _PLAIN_WORD.fullmatch(word):
        return word
    stemmed = _past(_plural(word))
    if len(stemmed) > 2 and stemmed[-1] == "y" and stemmed[-2] not in _VOWELS:
        stemmed = stemmed[:-1] + "i"
    first = _region(stemmed, 0)
    stemmed = _replace(stemmed, _STEP2, first)
    stemmed = _replace(stemmed, _STEP3, first)
    return _tail(_drop(stemmed), first)


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
