"""Reciprocal rank fusion: several rankings of the same things become one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

K = 60
T = TypeVar("T", bound=Hashable)


def fuse(rankings: Sequence[Sequence[T]], order: Callable[[T], Any], k: int = K) -> list[tuple[T, float]]:
    """All ranked things with their fused score, best first.

    score(x) = sum over the rankings that hold x of 1 / (k + rank of x), ranks from 1 (Cormack, Clarke and Büttcher,
    SIGIR 2009, k = 60). A thing that stands twice in one ranking counts once, at its better rank. Equal scores are
    ordered by `order`, so that the outcome depends neither on the order of the rankings nor on how they were made.
    """
    ranks: dict[T, list[int]] = {}
    for ranking in rankings:
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            ranks.setdefault(item, []).append(rank)
    # The terms are added from the best rank down: float sums in another order would differ in the last bit.
    scores = {item: sum(1.0 / (k + rank) for rank in sorted(found)) for item, found in ranks.items()}
    return sorted(scores.items(), key=lambda pair: (-pair[1], order(pair[0])))
