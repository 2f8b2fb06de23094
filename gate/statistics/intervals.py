"""Intervals of 95 %: of shares, of clustered shares, of means and of quantiles; and the true risk behind a measured
one.

The latter is a test that carries the judge's own error, which a calibration measured. The judge weighs a claim 0, 1/2
or 1. Its mean weight is `good` on claims that are supported and `bad` on those that are not, so a run in which a share
t of the claims is not supported measures (1 - t) good + t bad in the mean (Rogan and Gladen 1978). The test of a share
compares this with what was measured, over the standard error of both: the variance-corrected test of Feng et al.,
"Noisy but Valid" (ICLR 2026, arXiv 2601.20913), as a score test, with claims clustered in prompts. Pure, without
numpy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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
# The one-sided 3 % point of the normal distribution. With few prompts the statistic is wider than normal: at the 5 %
# point 1 of 14 decisions would be false in the worst cells of benchmarks/corrected.py, at this one at most 1 of 20.
CRITICAL = 1.8807936081512509
ONE_IN_100 = 2.3263478740408408  # the one-sided 1 % point
HALVINGS = 40  # of the bracket around a bound
MOST = 1000  # times as many prompts or labels: what would not decide then, they do not decide


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


@dataclass(frozen=True, slots=True)
class JudgeError:
    """The judge's mean weight on supported claims (`good`) and on others (`bad`), each with its standard error."""

    good: float
    good_error: float
    bad: float
    bad_error: float


@dataclass(frozen=True, slots=True)
class Sample:
    """What a run measured: the mean weight of its claims, and how many independent claims they are worth."""

    mean: float
    size: float


@dataclass(frozen=True, slots=True)
class Corrected:
    """The share of claims that are not supported: the estimate; the bounds, beyond each of which the truth lies with
    at most 5 %; and the judge's part (0..1) of the variance at the estimate."""

    share: float
    low: float
    high: float
    judge_part: float


def judge_error(if_supported: Figure, if_not: Figure) -> JudgeError | None:
    """The judge's error from the figures of a calibration; None where they are not known, or where the judge weighs
    supported claims as much as others."""
    if if_supported.value is None or if_not.value is None or not if_supported.interval or not if_not.interval:
        return None
    errors = [(high - low) / (2 * Z95) for low, high in (if_supported.interval, if_not.interval)]
    found = JudgeError(if_supported.value, errors[0], if_not.value, errors[1])
    return found if found.bad - found.good > 2 * math.hypot(found.good_error, found.bad_error) else None


def sample_of(moments: Moments) -> Sample:
    """The sample that clusters of claims are worth. There has to be a claim."""
    return Sample(moments.share, moments.effective_size(moments.share, moments.alone))


def standing(share: float, sample: Sample, error: JudgeError) -> float:
    """How many standard errors the measured mean lies above what `share` predicts."""
    expected = (1 - share) * error.good + share * error.bad
    return (sample.mean - expected) / math.sqrt(sum(_variances(share, sample, error)))


def _variances(share: float, sample: Sample, error: JudgeError) -> tuple[float, float]:
    """(the judge's part, the sample's part) of the variance where `share` is the truth: no wrong claim in sight is no
    certainty, so the sample's is taken at the hypothesis and not at the estimate."""
    expected = (1 - share) * error.good + share * error.bad
    own = (1 - share) ** 2 * error.good_error**2 + share**2 * error.bad_error**2
    return own, max(expected * (1 - expected), 1e-9) / sample.size


def correct(sample: Sample, error: JudgeError) -> Corrected:
    """The true share behind a sample, with its bounds: the shares that the test does not reject."""
    share = min(1.0, max(0.0, (sample.mean - error.good) / (error.bad - error.good)))
    own, theirs = _variances(share, sample, error)
    high = _bound(share, 1.0, lambda at: standing(at, sample, error) < -CRITICAL)
    low = _bound(share, 0.0, lambda at: standing(at, sample, error) > CRITICAL)
    return Corrected(share, low, high, own / (own + theirs))


def _bound(inside: float, end: float, rejected: Callable[[float], bool]) -> float:
    """The last share from `inside` towards `end` that is not rejected, on the side of the rejected ones."""
    if not rejected(end):
        return end
    outside = end
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if rejected(middle) else (middle, outside)
    return outside


def decided(found: Corrected, deploy: float, warn: float) -> str:
    """`deploy` where the upper bound is below the deploy threshold, `block` where the lower one is above the warn
    threshold, `warn` where both are between; else "" (nothing is decided)."""
    if found.high < deploy:
        return "deploy"
    if found.low > warn:
        return "block"
    return "warn" if found.low > deploy and found.high < warn else ""


def needed(sample: Sample, error: JudgeError, deploy: float, warn: float) -> tuple[float | None, float | None]:
    """How many times as many prompts, and how many times as many labels of the calibration, would decide, if what is
    seen stays as it is; None where no number of them alone would."""

    def with_prompts(times: float) -> bool:
        more = replace(sample, size=sample.size * times)
        return bool(decided(correct(more, error), deploy, warn))

    def with_labels(times: float) -> bool:
        shrink = math.sqrt(times)
        more = replace(error, good_error=error.good_error / shrink, bad_error=error.bad_error / shrink)
        return bool(decided(correct(sample, more), deploy, warn))

    return _least(with_prompts), _least(with_labels)


def _least(enough: Callable[[float], bool]) -> float | None:
    """The smallest factor up to MOST that is enough, to 2 %."""
    if not enough(MOST):
        return None
    low, high = 1.0, float(MOST)
    while high / low > 1.02:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def unlike(counts: Sequence[float], known: Sequence[tuple[float, float]], size: float) -> bool:
    """Whether the scores of a run do not look like those of the calibration. `counts`: claims of the run by bin of the
    judge's chance that a claim is not supported; `known`: per bin (supported, not supported) claims of the calibration;
    `size`: how many independent claims those of the run are worth.

    The run should be some mixture of the two: a chi-square test of the closest one at 1 % (Wilson and Hilferty's
    approximation), with one degree of freedom less for the mixture.
    """
    total = sum(counts)
    good, bad = (sum(each) for each in zip(*known, strict=True))
    if not total or not good or not bad:
        return False
    shrink = min(1.0, size / total)
    best, freedom = math.inf, len(known) - 2
    if freedom < 1:
        return False
    for step in range(101):
        share, found = step / 100, 0.0
        for seen, (g, b) in zip(counts, known, strict=True):
            p, q = (g + 0.5) / (good + len(known) / 2), (b + 0.5) / (bad + len(known) / 2)
            expected = ((1 - share) * p + share * q) * total * shrink
            # The calibration's own noise in the bin, beside that of the run.
            noise = ((1 - share) ** 2 * p / good + share**2 * q / bad) * (total * shrink) ** 2
            found += (seen * shrink - expected) ** 2 / (expected + noise)
        best = min(best, found)
    spread = 2 / (9 * freedom)
    standing_out: float = ((best / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return standing_out > ONE_IN_100
