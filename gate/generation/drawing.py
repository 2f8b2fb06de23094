"""A balanced choice of questions: categories and documents take turns, and none asks what another one asks."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle
from typing import Protocol, TypeVar

from gate.records import Category
from gate.text import identifiers, stem, words

Rank = tuple[int, int, int]
SHARE = 0.8  # of the stems of both questions together: from here on, one is enough
# Words that turn a question into another one, as a number or a name does.
_TURNS = frozenset(("not", "no", "never", "without", "only", "unless", "before", "after", "all", "must"))
Key = tuple[frozenset[str], str]  # what two questions must share exactly, and one of their stems


class Question(Protocol):
    """What is chosen from: questions of a category, each from a document."""

    @property
    def category(self) -> Category:
        """What kind of question it is."""
        ...

    @property
    def source(self) -> str:
        """The document that it comes from."""
        ...


Q = TypeVar("Q", bound=Question)


def draw_balanced(
    found: Iterable[Q],
    number: int,
    categories: Sequence[Category],
    seed: int,
    fresh: Callable[[Q], bool],
    rank: Callable[[Q], int] = lambda question: 0,
) -> list[Q]:
    """At most `number` of the questions found; `fresh` says whether one may still be asked (and is then chosen), and by
    `rank` come the questions of a document, low ones first.

    Deterministic in its arguments: what a document offers is shuffled by the seed alone.
    """
    pools = _pools(found, categories, seed, rank)
    ranks = _ranks(pools, seed)
    taken: Counter[tuple[str, str]] = Counter()  # (source, category); (source, "") counts all of a document
    chosen: list[Q] = []
    live = list(categories)
    for category in cycle(categories):
        if len(chosen) >= number or not live:
            break
        if category not in live:
            continue
        question = _next(pools[category], _order(category, taken, ranks), fresh)
        if question is None:
            live.remove(category)
            continue
        taken.update(((question.source, ""), (question.source, category)))
        chosen.append(question)
    return chosen


def _pools(
    found: Iterable[Q], categories: Sequence[Category], seed: int, rank: Callable[[Q], int]
) -> dict[Category, dict[str, Iterator[Q]]]:
    """category -> source -> its questions, shuffled within a rank."""
    lists: dict[Category, dict[str, list[Q]]] = {category: {} for category in categories}
    for question in found:
        if question.category in lists:
            lists[question.category].setdefault(question.source, []).append(question)
    for category, by_source in lists.items():
        for source, questions in by_source.items():
            random.Random(f"{seed}:{category}:{source}").shuffle(questions)  # noqa: S311 - a sample, not a secret
            questions.sort(key=rank)
    return {
        category: {source: iter(questions) for source, questions in by_source.items()}
        for category, by_source in lists.items()
    }


def _ranks(pools: dict[Category, dict[str, Iterator[Q]]], seed: int) -> dict[str, int]:
    """The documents in an order that the seed gives."""
    sources = sorted({source for by_source in pools.values() for source in by_source})
    random.Random(seed).shuffle(sources)  # noqa: S311 - a sample, not a secret
    return {source: rank for rank, source in enumerate(sources)}


def _order(category: Category, taken: Counter[tuple[str, str]], ranks: dict[str, int]) -> Callable[[str], Rank]:
    """Fewest questions first; of equals, fewest of this category."""
    return lambda source: (taken[source, ""], taken[source, category], ranks[source])


def _next(pool: dict[str, Iterator[Q]], rank: Callable[[str], Rank], fresh: Callable[[Q], bool]) -> Q | None:
    """The next question of the document that comes first; a document that has none left goes."""
    while pool:
        source = min(pool, key=rank)
        question = next((question for question in pool[source] if fresh(question)), None)
        if question is not None:
            return question
        del pool[source]
    return None


class Distinct:
    """Remembers questions. Two are alike if they share most stems and all numbers, names and words of _TURNS."""

    def __init__(self) -> None:
        self._written: set[str] = set()
        self._places: defaultdict[Key, list[frozenset[str]]] = defaultdict(list)

    def add(self, question: str) -> bool:
        """Remember a question; whether nothing like it was asked before."""
        written = normalise_question(question)
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


def normalise_question(question: str) -> str:
    """What two questions have in common that differ only in case, blanks and punctuation."""
    return "".join(char for char in question.casefold() if char.isalnum())
