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


def effective_size(clusters: Sequence[tuple[float, int]], share: float, alone: float | None = None) -> float:
    """How many independent claims the clustered ones are worth.

    `clusters` holds (sum of weights, claims) of each prompt; `alone` is the variance of one claim's weight, by default
    that of weights 0 and 1. The design effect is the linearised variance of the ratio over prompts (Cochran, Sampling
    Techniques, 6.3) over `share (1 - share) / claims`. A few prompts estimate it badly, so it is mixed with what
    ASSUMED_CORRELATION would give, as if that had been seen on ASSUMED_PROMPTS more, and it never falls below LEAST of
    independent claims. The size is shrunk by (z / t)^2 for the prompts it was estimated from (Korn and Graubard 1998).
    """
    claims, prompts = sum(m for _, m in clusters), len(clusters)
    if prompts < 2:
        return 1.0
    assumed = 1 + (sum(m * m for _, m in clusters) / claims - 1) * ASSUMED_CORRELATION
    if not 0 < share < 1:
        return claims / assumed * (Z95 / student_t95(prompts - 1)) ** 2
    binary = share * (1 - share)
    single = max(LEAST, 1.0 if alone is None else alone / binary)  # half weights vary less than 0 and 1
    spread = sum((y - share * m) ** 2 for y, m in clusters) * prompts / (prompts - 1)
    own = (prompts - 1) / (prompts - 1 + ASSUMED_PROMPTS)
    effect = own * spread / claims / binary + (1 - own) * assumed * single
    return claims / max(effect, LEAST * single) * (Z95 / student_t95(prompts - 1 + ASSUMED_PROMPTS)) ** 2


def wilson(share: float, size: float) -> tuple[float, float]:
    """Wilson's 95 % score interval (1927) for a share of `size` (effective) observations, within 0..1."""
    z2 = Z95**2
    centre = (share + z2 / (2 * size)) / (1 + z2 / size)
    half = Z95 / (1 + z2 / size) * math.sqrt(share * (1 - share) / size + z2 / (4 * size * size))
    return (max(0.0, centre - half) if share > 0 else 0.0, min(1.0, centre + half) if share < 1 else 1.0)


def cluster_interval(clusters: Sequence[tuple[float, int]], squares: float) -> tuple[float, float]:
    """The same of (sum of weights, claims) for each prompt and the sum of all squared weights."""
    claims = sum(m for _, m in clusters)
    share = sum(y for y, _ in clusters) / claims
    return wilson(share, effective_size(clusters, share, squares / claims - share**2))


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
