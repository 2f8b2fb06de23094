"""Whether a judge's probabilities mean what they say: ten bins, and the expected calibration error. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from gate.measures.agreement import DRAWS, NOT_KNOWN, Figure, Pair, judged, share

Array = NDArray[np.float64]
BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Claims whose chance of being not supported lies in `low`..`high`: the mean chance, and the share that is so."""

    low: float
    high: float
    n: int
    predicted: float | None
    observed: float | None
    interval: tuple[float, float] | None


def bins(pairs: Sequence[Pair]) -> list[Bin]:
    """Ten bins of equal width; the last one holds the chance 1."""
    parts: list[list[Pair]] = [[] for _ in range(BINS)]
    for pair in judged(pairs):
        if pair.chance is not None:
            parts[_place(pair.chance)].append(pair)
    found = []
    for number, part in enumerate(parts):
        seen = share(part, lambda pair: pair.bad)
        mean = sum(pair.chance or 0.0 for pair in part) / len(part) if part else None
        found.append(Bin(number / BINS, (number + 1) / BINS, len(part), mean, seen.value, seen.interval))
    return found


def ece(pairs: Sequence[Pair], seed: int = 0) -> Figure:
    """The expected calibration error (Naeini et al. 2015): the mean over claims of |mean chance - share| of their bin.

    The interval is the bias-corrected bootstrap percentile one (Efron 1987) over groups: resampling alone makes
    bins noisier, and so the error larger. Not known where the judge told no probability of most claims; one group
    alone has no interval.
    """
    seen = judged(pairs)
    told = [pair for pair in seen if pair.chance is not None]
    if not told or 2 * len(told) < len(seen):
        return NOT_KNOWN
    table = _by_group(told)
    value = float(_ece(table.sum(axis=0)[None])[0])
    groups = len(table)
    if groups < 2:  # every draw would be the same
        return Figure(value, None)
    rng = np.random.default_rng(seed)
    flat = table.reshape(groups, -1)
    times = (np.bincount(rng.integers(0, groups, groups), minlength=groups).astype(float) for _ in range(DRAWS))
    draws = _ece(np.stack([count @ flat for count in times]).reshape(DRAWS, BINS, 2))
    return Figure(value, _bias_corrected(draws, value))


def _place(chance: float) -> int:
    return min(BINS - 1, max(0, int(chance * BINS)))


def _by_group(pairs: Sequence[Pair]) -> Array:
    """(groups, bins, 2): claims, and the sum of chance minus truth."""
    places = {group: n for n, group in enumerate(dict.fromkeys(pair.group for pair in pairs))}
    table = np.zeros((len(places), BINS, 2))
    for pair in pairs:
        chance = pair.chance or 0.0
        table[places[pair.group], _place(chance)] += (1.0, chance - pair.bad)
    return table


def _ece(tables: Array) -> Array:
    """(n, bins, 2) -> (n,)."""
    return np.asarray(np.abs(tables[..., 1]).sum(axis=-1) / tables[..., 0].sum(axis=-1))


def _bias_corrected(draws: Array, value: float) -> tuple[float, float]:
    normal = NormalDist()
    below = float(np.mean(draws < value) + np.mean(draws == value) / 2)
    shift = 2 * normal.inv_cdf(min(1 - 1 / DRAWS, max(1 / DRAWS, below)))
    ends = [normal.cdf(shift + z) for z in (-1.959963984540054, 1.959963984540054)]
    low, high = (float(end) for end in np.quantile(draws, ends))
    return min(low, value), max(high, value)
