"""Looking at a risk every night: an alarm and an interval that hold at every look, not at one that was fixed before.

An interval of 95 % that is looked at on 365 nights is wrong on some night far more often than in 5 % of the years.
`Monitor` is anytime-valid: it may be looked at, stopped and gone on with at will. It keeps a fixed number of numbers.
Answers of one night depend on each other, and nights differ more than answers drawn at random would: the risk of a
night is one observation, however many answers it had. Pure, without numpy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

ALPHA = 0.05  # share of the years with a false alarm; of the intervals that ever miss
YEAR = 365  # nights that share one capital
LEAST = 0.001  # threshold that the bets are made for
STEEPEST = 0.75  # the largest weight of a night in the interval (c in the paper)
NOTHING = -1e9  # the logarithm of no capital: JSON has no infinity
BETS = (0.9, 0.45, 0.225, 0.1125, 0.05625)  # shares of the largest bet that a threshold allows


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
