"""Whether a risk changed: between two runs over the same prompts, and from night to night.

Two runs: a permutation test of the paired differences, an interval, and what could be seen.

Every night: an alarm and an interval that hold at every look, not at one that was fixed before. An interval of 95 %
that is looked at on 365 nights is wrong on some night far more often than in 5 % of the years. `Monitor` is
anytime-valid: it may be looked at, stopped and gone on with at will. It keeps a fixed number of numbers. Answers of one
night depend on each other, and nights differ more than answers drawn at random would: the risk of a night is one
observation, however many answers it had. It does without numpy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from gate.statistics.intervals import Z95, student_t95

LEVEL = 0.05  # one-sided: "did it get worse?" has one direction
POWER = 0.8
MIN_PAIRS = 6  # fewer than 6 pairs can never reach the level both ways: 2^-5 is above it
DRAWS = 20_000
_BLOCK = 2000  # draws at a time, so that thousands of prompts do not need gigabytes
EXACT_UP_TO = 14  # 2^14 sign patterns are fewer than the draws
ALPHA = 0.05  # share of the years with a false alarm; of the intervals that ever miss
YEAR = 365  # nights that share one capital
LEAST = 0.001  # threshold that the bets are made for
STEEPEST = 0.75  # the largest weight of a night in the interval (c in the paper)
NOTHING = -1e9  # the logarithm of no capital: JSON has no infinity
BETS = (0.9, 0.45, 0.225, 0.1125, 0.05625)  # shares of the largest bet that a threshold allows


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


def compare(differences: Sequence[float], max_increase: float = 0.0) -> Paired:
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
    worse, better = _p_above(values - max_increase), _p_above(-values)
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


def _p_above(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """How often signs drawn at random give a sum as large as the observed one (itself counted)."""
    values = np.sort(values)  # the draws meet the same numbers, whatever order they came in
    n, observed = len(values), float(values.sum())
    slack = 1e-12 * float(np.abs(values).sum()) + 1e-15  # sums of the same numbers differ by rounding
    if n <= EXACT_UP_TO:
        patterns = np.arange(2**n)[:, None] >> np.arange(n) & 1
        sums = (1.0 - 2.0 * patterns) @ values
        return float(np.mean(sums >= observed - slack))
    rng = np.random.default_rng(0)  # the same differences have the same p
    hits = sum(
        int(np.count_nonzero((1.0 - 2.0 * rng.integers(0, 2, (_BLOCK, n))) @ values >= observed - slack))
        for _ in range(DRAWS // _BLOCK)
    )
    return (hits + 1) / (DRAWS + 1)


@dataclass(frozen=True, slots=True)
class Monitor:
    """What the nights so far say of a risk threshold. All numbers are sums, so it can be stored and gone on with.

    The alarm is an e-process: as long as no night's risk is expected to be above the threshold, whatever
    the nights before were, a capital of 1 a year reaches 1 / ALPHA in at most ALPHA of the years (Ville's inequality).
    Each night gets 1 / YEAR of it and bets on a rise from there on, so that the calm nights before a rise do not dilute
    it (Shin, Ramdas and Rinaldo, E-detectors, 2023). `capital` holds the logarithm of what each of BETS has won.

    The interval is the predictable plug-in empirical Bernstein confidence sequence (Waudby-Smith and Ramdas, Estimating
    means of bounded random variables by betting, 2024, theorem 2). It holds the mean of the risks that were to be
    expected of the nights, earlier ones weighing a little more. Errors: ValueError for what cannot be such sums.
    """

    threshold: float
    nights: int = 0
    total: float = 0.0  # sum of the risks
    squares: float = 0.0  # of their distances to the mean that was known before each night
    weight: float = 0.0  # sum of the weights
    weighted: float = 0.0  # of the weighted risks
    spread: float = 0.0  # of the weighted squared distances
    capital: tuple[float, ...] = (NOTHING,) * len(BETS)
    alarmed: int = 0  # the night of the first alarm; 0: none

    def __post_init__(self) -> None:
        sums = self.nights, self.total, self.squares, self.weight, self.weighted, self.spread
        if len(self.capital) != len(BETS) or min(sums) < 0 or self.total > self.nights:
            raise ValueError("these are not the sums of nights")

    @property
    def evidence(self) -> float:
        """How many times more likely a rise makes the nights so far: an alarm at 1 / ALPHA. At most 1e300."""
        top = max(self.capital)
        mean = math.fsum(math.exp(held - top) for held in self.capital) / len(BETS)
        return math.exp(min(690.0, top + math.log(mean)))

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence sequence at this look, within 0 to 1."""
        if not self.weight:
            return 0.0, 1.0
        centre, half = self.weighted / self.weight, (math.log(2 / ALPHA) + self.spread) / self.weight
        return min(1.0, max(0.0, centre - half)), max(0.0, min(1.0, centre + half))

    @property
    def mean(self) -> float | None:
        """The mean risk of the nights; None of none."""
        return self.total / self.nights if self.nights else None

    def after(self, risk: float) -> Monitor:
        """The monitor behind one more night, with this risk. Errors: ValueError where it is not in 0..1."""
        if not 0 <= risk <= 1:
            raise ValueError(f"this is no risk: {risk}")
        behind = self._bounded(risk)._bet(risk)
        alarm = not self.alarmed and behind.evidence >= 1 / ALPHA
        return replace(behind, alarmed=behind.nights) if alarm else behind

    def _bounded(self, risk: float) -> Monitor:
        seen = self.nights + 1
        known, variance = (0.5 + self.total) / seen, (0.25 + self.squares) / seen  # from before this night
        weight = min(STEEPEST, math.sqrt(2 * math.log(2 / ALPHA) / (variance * seen * math.log(1 + seen))))
        square = (risk - known) ** 2
        return replace(
            self,
            nights=seen,
            total=self.total + risk,
            squares=self.squares + square,
            weight=self.weight + weight,
            weighted=self.weighted + weight * risk,
            spread=self.spread + (-math.log(1 - weight) - weight) * square,
        )

    def _bet(self, risk: float) -> Monitor:
        """The bets behind a night with this risk, which is counted already."""
        fresh = -math.log(YEAR)
        capital = []
        for share, held in zip(BETS, self.capital, strict=True):
            top = max(held, fresh)
            gain = math.log1p(share / max(self.threshold, LEAST) * (risk - self.threshold))
            capital.append(top + math.log(math.exp(held - top) + math.exp(fresh - top)) + gain)
        return replace(self, capital=tuple(capital))
