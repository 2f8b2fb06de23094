"""Reciprocal rank fusion: several rankings of the same things become one."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

K = 60
T = TypeVar("T", bound=Hashable)


def fuse(
    rankings: Sequence[Sequence[T]], order: Callable[[T], Any], weights: Sequence[float] = (), k: int = K
) -> list[tuple[T, float]]:
    """All ranked things with their fused score, best first.

    score(x) = sum over the rankings that hold x of weight / (k + rank of x), ranks from 1 (Cormack, Clarke and
    Büttcher, SIGIR 2009, with k = 60 and no weights: each counts 1). A thing that stands twice in one ranking counts
    once, at its better rank. Equal scores are ordered by `order`, so the outcome does not depend on how the rankings
    were made or in which order they are given with their weights.
    """
    parts: dict[T, list[float]] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            parts.setdefault(item, []).append(weight / (k + rank))
    # fsum rounds once: the same parts give the same sum in any order.
    scores = {item: math.fsum(found) for item, found in parts.items()}
    return sorted(scores.items(), key=lambda pair: (-pair[1], order(pair[0])))
