"""How well a ranking of chunks finds the places that people labelled: hit rate, MRR, recall and nDCG at k. Pure.

A place is the set of the chunks that hold it (chunks overlap, so there may be two), empty where the index lacks it. It
counts once, at the first chunk that holds it: the same line again tells a reader nothing new.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from gate.statistics.agreement import DRAWS, SEED, quantiles
from gate.statistics.intervals import NOT_KNOWN, Figure, wilson

Places = Sequence[Collection[str]]
RETRIEVAL = ("hit_rate", "mrr", "recall", "ndcg")
LEAST = 10  # questions: fewer tell nothing of their spread
_BLOCK = 100  # draws at a time, so that many questions do not need gigabytes


def gains(ranking: Sequence[str], places: Places, k: int) -> tuple[int, ...]:
    """How many places each of the first `k` chunks is the first to hold; a chunk that comes twice counts once."""
    open_places = [frozenset(place) for place in places]
    found = []
    for chunk in list(dict.fromkeys(ranking))[:k]:
        left = [place for place in open_places if chunk not in place]
        found.append(len(open_places) - len(left))
        open_places = left
    return tuple(found)


def ideal(places: Places, k: int) -> tuple[int, ...]:
    """The gains of the best order: in turn the chunk that holds most of what is left (as Clarke et al., SIGIR 2008,
    who show why it cannot be had otherwise). A place that is in no chunk would stand in one of its own."""
    left = [frozenset(place) or frozenset({f"\0{number}"}) for number, place in enumerate(places)]
    made: list[int] = []
    while left and len(made) < k:
        counts = Counter(chunk for place in left for chunk in place)
        best = min(counts, key=lambda chunk: (-counts[chunk], chunk))
        made.append(counts[best])
        left = [place for place in left if best not in place]
    return tuple(made)


def _dcg(found: Sequence[int]) -> float:
    return math.fsum(gain / math.log2(1 + rank) for rank, gain in enumerate(found, 1))


def rated(ranking: Sequence[str], places: Places, k: int) -> dict[str, float]:
    """Every measure of one question, each in 0..1. `ranking` holds chunk ids, best first; `places` is not empty.

    `hit_rate`: 1 if any place is among the first k. `mrr`: 1 / rank of the first chunk with a place, 0 if none of the
    first k has one (Voorhees, TREC-8, 1999: k = 5). `recall`: the share of the places that stand among the first k.
    `ndcg`: discounted cumulated gain over that of the best order (Järvelin and Kekäläinen, ACM TOIS 20(4), 2002), with
    the discount log2(1 + rank); a chunk's gain is the number of places that it is the first to hold.
    """
    found = gains(ranking, places, k)
    return {
        "hit_rate": float(any(found)),
        "mrr": next((1 / rank for rank, gain in enumerate(found, 1) if gain), 0.0),
        "recall": sum(found) / len(places),
        "ndcg": _dcg(found) / max(_dcg(found), _dcg(ideal(places, k))),
    }


def averaged(values: Sequence[Mapping[str, float]]) -> dict[str, Figure]:
    """The mean of each measure over the questions, with its 95 % interval; not known of none.

    Hit rate: Wilson's. The others: the middle of DRAWS means of questions drawn anew (Efron and Tibshirani 1993), or
    Wilson's, the widest for values in 0..1, where fewer than LEAST questions or equal values hide the spread.
    """
    return {name: _figure(name, [one[name] for one in values]) for name in RETRIEVAL}


def _figure(name: str, values: Sequence[float]) -> Figure:
    if not values:
        return NOT_KNOWN
    mean = math.fsum(values) / len(values)
    if name == "hit_rate" or len(values) < LEAST or len(set(values)) == 1:
        return Figure(mean, wilson(mean, len(values)))
    rng, sample = np.random.default_rng(SEED), np.sort(np.asarray(values))  # sorted: the order of the file is no matter
    blocks = [sample[rng.integers(0, len(sample), (_BLOCK, len(sample)))].mean(axis=1) for _ in range(DRAWS // _BLOCK)]
    return Figure(mean, quantiles(np.concatenate(blocks), mean))
