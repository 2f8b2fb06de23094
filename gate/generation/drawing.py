"""A balanced choice: categories take turns, and the document with the fewest questions so far goes first."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle
from typing import Protocol, TypeVar

from gate.records import Category


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
Rank = tuple[int, int, int]


def drawn(
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
