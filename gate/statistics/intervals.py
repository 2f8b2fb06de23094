"""Intervals of 95 %: of shares, of clustered shares, of means and of quantiles. Pure, without numpy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from gate.records import Label

# What a label weighs in the risk.
WEIGHTS: Mapping[Label, float] = {Label.SUPPORTED: 0.0, Label.WEAKLY_SUPPORTED: 0.5, Label.UNSUPPORTED: 1.0}
Z95 = 1.959963984540054
P95 = 0.95  # the quantile that quantile_interval is about
# Claims of one answer tend to be right or wrong together. Where the data cannot show how much (no wrong claim at all,
# or one prompt), this intra-class correlation is assumed.
ASSUMED_CORRELATION = 0.1
ASSUMED_PROMPTS = 2  # what the assumption weighs, in prompts
LEAST = 0.75  # of the variance of independent claims: a calmer sample than that is luck


def student_t95(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t, by the Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5)."""
    z, v = Z95, float(max(freedom, 1))
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over clusters of claims, as prompts or answers are: enough for the interval of their risk, and the sums of
    two sets of clusters add up. A cluster has a sum of weights y and m claims. `squares`: of each claim's weight."""

    clusters: int
    claims: int
    weight: float
    squares: float
    claims_squared: int
    weight_claims: float
    weight_squared: float

    @classmethod
    def of(cls, clusters: Sequence[tuple[float, int]], squares: float) -> Moments:
        """Those of (sum of weights, claims) for each cluster and the sum of all squared weights."""
        return cls(
            len(clusters),
            sum(m for _, m in clusters),
            sum(y for y, _ in clusters),
            squares,
            sum(m * m for _, m in clusters),
            sum(y * m for y, m in clusters),
            sum(y * y for y, _ in clusters),
        )

    @property
    def share(self) -> float:
        """The mean weight of a claim. There has to be one."""
        return self.weight / self.claims

    @property
    def alone(self) -> float:
        """The variance of one claim's weight."""
        return self.squares / self.claims - self.share**2

    def effective_size(self, share: float, alone: float | None = None) -> float:
        """How many independent claims the clustered ones are worth.

        `alone` is the variance of one claim's weight, by default that of weights 0 and 1. The design effect is the
        linearised variance of the ratio over clusters (Cochran, Sampling Techniques, 6.3) over
        `share (1 - share) / claims`. A few clusters estimate it badly, so it is mixed with what ASSUMED_CORRELATION
        would give, as if that had been seen on ASSUMED_PROMPTS more, and it never falls below LEAST of independent
        claims. The size is shrunk by (z / t)^2 for the clusters it was estimated from (Korn and Graubard 1998).
        """
        claims, prompts = self.claims, self.clusters
        if prompts < 2:
            return 1.0
        assumed = 1 + (self.claims_squared / claims - 1) * ASSUMED_CORRELATION
        if not 0 < share < 1:
            return claims / assumed * (Z95 / student_t95(prompts - 1)) ** 2
        binary = share * (1 - share)
        single = max(LEAST, 1.0 if alone is None else alone / binary)  # half weights vary less than 0 and 1
        squared = self.weight_squared - 2 * share * self.weight_claims + share**2 * self.claims_squared
        spread = max(0.0, squared) * prompts / (prompts - 1)
        own = (prompts - 1) / (prompts - 1 + ASSUMED_PROMPTS)
        effect = own * spread / claims / binary + (1 - own) * assumed * single
        return claims / max(effect, LEAST * single) * (Z95 / student_t95(prompts - 1 + ASSUMED_PROMPTS)) ** 2

    def interval(self, z: float = Z95) -> tuple[float, float]:
        """The interval of the share, within 0..1; of 95 % unless another normal quantile is given."""
        return wilson(self.share, self.effective_size(self.share, self.alone), z)


def effective_size(clusters: Sequence[tuple[float, int]], share: float, alone: float | None = None) -> float:
    """The same of (sum of weights, claims) for each prompt."""
    return Moments.of(clusters, 0.0).effective_size(share, alone)


def wilson(share: float, size: float, z: float = Z95) -> tuple[float, float]:
    """Wilson's score interval (1927) for a share of `size` (effective) observations, within 0..1; of 95 % unless
    another normal quantile is given."""
    z2 = z**2
    centre = (share + z2 / (2 * size)) / (1 + z2 / size)
    half = z / (1 + z2 / size) * math.sqrt(share * (1 - share) / size + z2 / (4 * size * size))
    return (max(0.0, centre - half) if share > 0 else 0.0, min(1.0, centre + half) if share < 1 else 1.0)


def cluster_interval(clusters: Sequence[tuple[float, int]], squares: float) -> tuple[float, float]:
    """The same of (sum of weights, claims) for each prompt and the sum of all squared weights."""
    return Moments.of(clusters, squares).interval()


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its 95 % interval; both None where the labels cannot show it."""

    value: float | None
    interval: tuple[float, float] | None


NOT_KNOWN = Figure(None, None)


def quantile(values: Sequence[float], share: float) -> float | None:
    """The nearest-rank quantile; None of nothing."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else None


def mean_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Student's t interval of the mean of values that are not negative, not below 0; None for a single value."""
    if len(values) < 2:
        return None
    centre = fmean(values)
    spread = math.sqrt(sum((value - centre) ** 2 for value in values) / (len(values) - 1))
    half = student_t95(len(values) - 1) * spread / math.sqrt(len(values))
    return max(0.0, centre - half), centre + half


def quantile_ranks(n: int) -> tuple[int, int]:
    """Those of the order statistics that hold the p95 of n values with 95 %; the upper one may be above n."""
    half = Z95 * math.sqrt(n * P95 * (1 - P95))
    return math.floor(n * P95 - half), math.ceil(n * P95 + half)


def quantile_interval(values: Sequence[float]) -> tuple[float, float]:
    """The interval of the p95: order statistics whose ranks hold it with 95 % (normal approximation of the binomial;
    Conover 1999), the last one where the upper rank is above it."""
    ordered, n = sorted(values), len(values)
    low, high = quantile_ranks(n)
    return ordered[min(n - 1, max(0, low - 1))], ordered[min(n - 1, max(0, high - 1))]
