"""Questions that ask the same in other words: found by the stems that they share, whatever the order."""

from __future__ import annotations

import math
from collections import defaultdict

from gate.generation.local import same
from gate.text import identifiers, stem, words

SHARE = 0.8  # of the stems of both questions together: from here on, one is enough
# Words that turn a question into another one, as a number or a name does.
_TURNS = frozenset(("not", "no", "never", "without", "only", "unless", "before", "after", "all", "must"))

Key = tuple[frozenset[str], str]  # what two questions must share exactly, and one of their stems


class Distinct:
    """Remembers questions. Two are alike if they share most stems and all numbers, names and words of _TURNS."""

    def __init__(self) -> None:
        self._written: set[str] = set()
        self._places: defaultdict[Key, list[frozenset[str]]] = defaultdict(list)

    def new(self, question: str) -> bool:
        """Whether nothing like it was asked before; from now on it was."""
        written = same(question)
        if written in self._written:
            return False
        self._written.add(written)
        stems = frozenset(stem(word) for word in words(question))
        keys = _keys(stems, _marks(question))
        if any(_alike(stems, other) for key in keys for other in self._places[key]):
            return False
        for key in keys:
            self._places[key].append(stems)
        return True


def _marks(question: str) -> frozenset[str]:
    found = {word for word in words(question) if word in _TURNS or any(char.isdigit() for char in word)}
    return frozenset(found | {name.lower() for name in identifiers(question)})


def _keys(stems: frozenset[str], marks: frozenset[str]) -> list[Key]:
    """Sets that share SHARE of their union share one of their first stems, in any fixed order: only those are tried."""
    first = len(stems) - math.ceil(SHARE * len(stems)) + 1
    return [(marks, name) for name in sorted(stems)[:first]]


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= SHARE * len(one | other)
