"""Looking at a risk every night: an alarm and an interval that hold at every look, not at one that was fixed before.

An interval of 95 % that is looked at on 365 nights is wrong on some night far more often than in 5 % of the years.
`Monitor` is anytime-valid: it may be looked at, stopped and gone on with at will. It keeps a fixed number of numbers.
A night is three sums over its answers: their order does not matter, and the sums of several workers add up.
Nights differ more than answers drawn at random would, so the alarm takes the mean of a night as one observation.
Pure, without numpy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

ALPHA = 0.05  # share of the years with a false alarm; of the intervals that ever miss
YEAR = 365  # nights that share one capital
LEAST = 0.001  # threshold that the bets are made for
STEEPEST = 0.5  # the largest weight of an answer in the interval (c in the paper)
BETS = (0.9, 0.45, 0.225, 0.1125, 0.05625)  # shares of the largest bet that a threshold allows


class Night(NamedTuple):
    """The judged answers of a night: how many, the sum of their risks (each in 0..1), and that of the squares."""

    answers: int
    total: float
    squares: float


@dataclass(frozen=True, slots=True)
class Monitor:
    """What the nights so far say of a risk threshold. All numbers are sums, so it can be stored and gone on with.

    The alarm is an e-process: as long as no night's mean risk is expected to be above the threshold, whatever
    the nights before were, a capital of 1 a year reaches 1 / ALPHA in at most ALPHA of the years (Ville's inequality).
    Each night gets 1 / YEAR of it and bets on a rise from there on, so that the calm nights before a rise do not dilute
    it (Shin, Ramdas and Rinaldo, E-detectors, 2023). `capital` holds the logarithm of what each of BETS has won.

    The interval is the predictable plug-in empirical Bernstein confidence sequence (Waudby-Smith and Ramdas, Estimating
    means of bounded random variables by betting, 2024, theorem 2), with the weight of an answer fixed before its night.
    It holds the mean of the risks that the nights had, earlier ones weighing a little more.
    """

    threshold: float
    nights: int = 0
    answers: int = 0
    total: float = 0.0  # sum of the risks
    squares: float = 0.0  # of their distances to the mean that was known before each night
    weight: float = 0.0  # sum of the weights
    weighted: float = 0.0  # of the weighted risks
    spread: float = 0.0  # of the weighted squared distances
    capital: tuple[float, ...] = (-math.inf,) * len(BETS)
    alarmed: int = 0  # the night of the first alarm; 0: none

    @property
    def evidence(self) -> float:
        """How many times more likely a rise makes the nights so far: an alarm at 1 / ALPHA. At most 1e300."""
        top = max(self.capital)
        if top == -math.inf:
            return 0.0
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
        """The mean risk of all answers; None of none."""
        return self.total / self.answers if self.answers else None

    def after(self, night: Night) -> Monitor:
        """The monitor behind one more night. A night without an answer changes nothing. Errors: ValueError where its
        sums are not those of risks in 0..1."""
        if not 0 <= night.squares <= night.total <= night.answers:
            raise ValueError(f"these are not the sums of risks: {night}")
        if not night.answers:
            return self
        behind = self._bounded(night)._bet(night.total / night.answers)
        alarm = not self.alarmed and behind.evidence >= 1 / ALPHA
        return replace(behind, alarmed=behind.nights) if alarm else behind

    def _bounded(self, night: Night) -> Monitor:
        known = (0.5 + self.total) / (1 + self.answers)  # predictable: from before this night
        variance = (0.25 + self.squares) / (1 + self.answers)
        seen = self.answers + night.answers
        weight = min(STEEPEST, math.sqrt(2 * math.log(2 / ALPHA) / (variance * seen * math.log(1 + seen))))
        squares = max(0.0, night.squares - 2 * known * night.total + night.answers * known**2)
        return replace(
            self,
            nights=self.nights + 1,
            answers=seen,
            total=self.total + night.total,
            squares=self.squares + squares,
            weight=self.weight + weight * night.answers,
            weighted=self.weighted + weight * night.total,
            spread=self.spread + (-math.log(1 - weight) - weight) * squares,
        )

    def _bet(self, mean: float) -> Monitor:
        """The bets behind a night with this mean risk, which is counted already."""
        fresh = -math.log(YEAR)
        capital = []
        for share, held in zip(BETS, self.capital, strict=True):
            top = max(held, fresh)
            gain = math.log1p(share / max(self.threshold, LEAST) * (mean - self.threshold))
            capital.append(top + math.log(math.exp(held - top) + math.exp(fresh - top)) + gain)
        return replace(self, capital=tuple(capital))
