"""Whether a judge's probabilities mean what they say: ten bins, and the expected calibration error. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gate.measures.agreement import DRAWS, NOT_KNOWN, Figure, Pair, judged, share

Array = NDArray[np.float64]
BINS = 10
NEAR = 2.0


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

    Noise makes bins differ, so the error comes out too large, most of all for a judge that is calibrated. The lower end
    of the interval takes that off: it is that of Fang and Santos (2019), where a bin that differs by less than NEAR
    standard errors may not differ at all. The upper end takes nothing off. Not known where the judge told no
    probability of most claims; one group alone has no interval.
    """
    seen = judged(pairs)
    told = [pair for pair in seen if pair.chance is not None]
    if not told or 2 * len(told) < len(seen):
        return NOT_KNOWN
    table = _by_group(told)
    off = table[..., 1].sum(axis=0) / len(told)
    value = float(np.abs(off).sum())
    if len(table) < 2:  # every draw would be the same
        return Figure(value, None)
    noise = _noise(table, off, seed)
    signed = np.where(off < 0, -1.0, 1.0) * noise
    near = np.abs(off) <= NEAR * noise.std(axis=0)
    most = float(np.quantile(np.where(near, np.abs(noise), signed).sum(axis=1), 0.975))
    least = float(np.quantile(signed.sum(axis=1), 0.025))
    return Figure(value, (max(0.0, min(value, value - most)), min(1.0, max(value, value - least))))


def _noise(table: Array, off: Array, seed: int) -> Array:
    """(DRAWS, bins): how `off` varies: by the bootstrap over groups, and in a bin where that shows less spread than
    labels of its size have (a few claims, all right or all wrong, show none), by as much as the shares of Agresti and
    Coull (1998)."""
    rng = np.random.default_rng(seed)
    groups = len(table)
    flat = np.column_stack([table[..., 1], table[..., 0].sum(axis=1)])
    times = (np.bincount(rng.integers(0, groups, groups), minlength=groups).astype(float) for _ in range(DRAWS))
    drawn = np.stack([count @ flat for count in times])
    draws = drawn[:, :-1] / drawn[:, -1:] - off
    counts, wrong = table[..., 0].sum(axis=0), table[..., 2].sum(axis=0)
    rates = (wrong + 2) / (counts + 4)
    lacking = np.maximum(0.0, counts * rates * (1 - rates) / counts.sum() ** 2 - draws.var(axis=0))
    return np.asarray(draws + rng.normal(size=draws.shape) * np.sqrt(lacking))


def _place(chance: float) -> int:
    return min(BINS - 1, max(0, int(chance * BINS)))


def _by_group(pairs: Sequence[Pair]) -> Array:
    """(groups, bins, 3): claims, the sum of chance minus truth, and how many are not supported."""
    places = {group: n for n, group in enumerate(dict.fromkeys(pair.group for pair in pairs))}
    table = np.zeros((len(places), BINS, 3))
    for pair in pairs:
        chance = pair.chance or 0.0
        table[places[pair.group], _place(chance)] += (1.0, chance - pair.bad, pair.bad)
    return table
