"""The paired comparison of two runs over the same prompts: a permutation test, an interval, and what could be seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from gate.statistics.intervals import Z95, student_t95

LEVEL = 0.05  # one-sided: "did it get worse?" has one direction
POWER = 0.8
MIN_PAIRS = 6  # fewer than 6 pairs can never reach the level both ways: 2^-5 is above it
DRAWS = 20_000
_BLOCK = 2000  # draws at a time, so that thousands of prompts do not need gigabytes
EXACT_UP_TO = 14  # 2^14 sign patterns are fewer than the draws


@dataclass(frozen=True, slots=True)
class Paired:
    """The mean difference (head minus base: above zero is worse) over `pairs` prompts.

    `interval` is the 95 % interval of the mean by Student's t; `p_worse` and `p_better` are the one-sided p-values
    of the sign-flip permutation test (Fisher 1935); `smallest_detectable` is the mean difference that this many
    pairs would show with a power of 0.8, for the spread at the upper end of what a few pairs leave open (Browne 1995).
    `word`: regression, improvement, no difference, too few prompts.
    """

    pairs: int
    difference: float | None
    interval: tuple[float, float] | None
    p_worse: float | None
    p_better: float | None
    smallest_detectable: float | None
    word: str


def compare(differences: Sequence[float], seed: int = 0, max_increase: float = 0.0) -> Paired:
    """Compare by per-prompt differences; a regression is an increase of the mean by more than `max_increase`.

    Deterministic: the same differences, in any order, give the same outcome.
    """
    values = np.asarray(sorted(differences), dtype=np.float64)
    n = len(values)
    if n < MIN_PAIRS:
        mean = float(values.mean()) if n else None
        return Paired(n, mean, None, None, None, None, "too few prompts")
    mean, error = float(values.mean()), float(values.std(ddof=1)) / math.sqrt(n)
    t = student_t95(n - 1)
    worse, better = _p_above(values - max_increase, seed), _p_above(-values, seed)
    word = "no difference"
    if worse <= LEVEL and mean > max_increase:
        word = "regression"
    elif better <= LEVEL and mean < 0:
        word = "improvement"
    return Paired(n, mean, (mean - t * error, mean + t * error), worse, better, _detectable(n, error), word)


def _detectable(n: int, error: float) -> float | None:
    """The difference found with POWER at LEVEL; none is known where all pairs differ by the same. The true spread is
    taken as the upper POWER bound of the observed one, by the chi-square quantile of Wilson and Hilferty (1931): runs
    that differ vary more than runs that do not."""
    if error == 0:
        return None
    v, z = n - 1, NormalDist().inv_cdf(POWER)
    chi = v * (1 - 2 / (9 * v) - z * math.sqrt(2 / (9 * v))) ** 3
    return (NormalDist().inv_cdf(1 - LEVEL) * student_t95(v) / Z95 + z) * error * math.sqrt(v / chi)


def _p_above(values: np.ndarray[tuple[int], np.dtype[np.float64]], seed: int) -> float:
    """How often signs drawn at random give a sum as large as the observed one (itself counted)."""
    values = np.sort(values)  # the draws meet the same numbers, whatever order they came in
    n, observed = len(values), float(values.sum())
    slack = 1e-12 * float(np.abs(values).sum()) + 1e-15  # sums of the same numbers differ by rounding
    if n <= EXACT_UP_TO:
        patterns = np.arange(2**n)[:, None] >> np.arange(n) & 1
        sums = (1.0 - 2.0 * patterns) @ values
        return float(np.mean(sums >= observed - slack))
    rng = np.random.default_rng(seed)
    hits = sum(
        int(np.count_nonzero((1.0 - 2.0 * rng.integers(0, 2, (_BLOCK, n))) @ values >= observed - slack))
        for _ in range(DRAWS // _BLOCK)
    )
    return (hits + 1) / (DRAWS + 1)
