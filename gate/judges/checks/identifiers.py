"""Identifiers of a claim that stand nowhere in the documents: a flag, a file, a function, an acronym.

An identifier is found where its letters and digits stand in a text, whatever stands between them: `max-age` is
`max_age` and `MaxAge`. The segments of a path are looked up one by one, and an acronym may be spelled out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from gate.judges.base import Finding
from gate.text import identifiers, normalise, versions

_MOST = 40  # identifiers of a claim that are looked up
_FEWEST = 3  # characters of an identifier
_EDITED = 5  # characters from which one edit makes a rival, and not just another name
# Amounts are compared by value, words with a hyphen (`under-12s`) and lone letters are no names.
_NO_NAME = re.compile(
    r"[-$€£¥₹]?\d[\d.,:]*-?[A-Za-z%]{0,3}(?:[/-].*)?|[\d./:-]+|-?[A-Za-z]|.*['\"].*|[a-z]{2,}-[\d:]+s?|[vV]\d+[\d.]*"
)
_SEGMENT = re.compile(r"[^/:]+")
_BETWEEN = re.compile(r"[\W_]+")
_LETTER = re.compile(r"(?<![^\W_])[^\W\d_]")


def check_identifiers(claim: str, context: str, windows: Sequence[str], passages: Sequence[str]) -> tuple[Finding, ...]:
    """A finding for every identifier of the claim that neither the texts nor the context have."""
    claim = normalise(claim)
    names = tuple(dict.fromkeys(_names(claim)))[:_MOST]
    texts = tuple(dict.fromkeys((*windows, *passages, context)))
    missing = [
        name for name in names if not all(_stands(part, texts) for part in map(_compact, _SEGMENT.findall(name)))
    ]
    # A version may have a zero at its end more or less: `3.34` of `3.34.0`.
    named = [version for version, _, _ in versions(claim)[:_MOST]]
    unknown = [version for version in named if not any(version.removesuffix(".0") in text for text in texts)]
    return (*(_finding(name, windows[:1]) for name in missing), *(Finding("identifier", v, (), False) for v in unknown))


def _names(claim: str) -> Iterator[str]:
    """The identifiers of a claim, without a value behind `=` and a possessive ending."""
    for token in identifiers(claim):
        name = token.removesuffix("'s").partition("=")[0]
        if len(name) >= _FEWEST and not _NO_NAME.fullmatch(name) and name in claim:
            yield name


def _stands(key: str, texts: Iterable[str]) -> bool:
    one = key.removesuffix("s")
    return len(key) < 2 or any(one in _compact(text) or (key.isalpha() and key in _initials(text)) for text in texts)


@lru_cache(maxsize=4096)
def _compact(text: str) -> str:
    """The letters and digits of a text, in lower case and without anything between them."""
    return _BETWEEN.sub("", normalise(text).lower())


@lru_cache(maxsize=4096)
def _initials(text: str) -> str:
    return "".join(_LETTER.findall(text)).lower()


def _finding(name: str, best: Sequence[str]) -> Finding:
    """A name that the best window has in one other letter or digit, and in the same shape, denies the claim's."""
    shape = _BETWEEN.findall(name)
    for text in best if len(name) >= _EDITED else ():
        for other in dict.fromkeys(_names(normalise(text))):
            if _BETWEEN.findall(other) == shape and _one_edit(name, other):
                return Finding("identifier", name, (other,), True)
    return Finding("identifier", name, (), False)


def _one_edit(a: str, b: str) -> bool:
    """Whether one character put in, left out or exchanged makes `b` of `a`."""
    if abs(len(a) - len(b)) > 1 or a == b:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    rest, other = a[start:], b[start:]
    return rest[1:] == other[1:] or rest[1:] == other or rest == other[1:]
