"""From the ratings of a measure to its number: value, 95 % interval, and whether it meets its threshold."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

from gate.measures.base import Rating, Reading, Spec
from gate.measures.risk import Z95, interval_of, student_t95
from gate.measures.table import MEASURES
from gate.records import Measure

P95 = 0.95


def measured(name: str, reading: Reading, threshold: float | None) -> Measure:
    """The number that a reading gives of a measure of the table."""
    return summary(name, MEASURES[name], reading, threshold)


def summary(name: str, spec: Spec, reading: Reading, threshold: float | None = None) -> Measure:
    """The measure of a run. Prompts without a rating are told, and do not count in the value."""
    ratings = reading.ratings
    value = p95([rating.value for rating in ratings]) if spec.figure == "p95" else mean(ratings)
    return Measure(
        name,
        value,
        _interval(ratings, spec) if ratings else None,
        len(ratings),
        threshold,
        None if threshold is None or value is None else meets(value, threshold, spec),
        _details(ratings, spec),
        tuple(ratings),
        dict(reading.skipped),
        dict(reading.unjudged),
    )


def meets(value: float, threshold: float, spec: Spec) -> bool:
    """Whether a value is on the good side of its threshold, or on it."""
    return value <= threshold if spec.less_is_better else value >= threshold


def mean(ratings: Sequence[Rating]) -> float | None:
    """The weighted mean; None where nothing weighs anything."""
    weight = sum(rating.weight for rating in ratings)
    return sum(rating.weight * rating.value for rating in ratings) / weight if weight else None


def p95(values: Sequence[float]) -> float | None:
    """The smallest value that at least 95 of 100 do not exceed (nearest rank)."""
    return quantile(values, P95)


def quantile(values: Sequence[float], share: float) -> float | None:
    """The nearest-rank quantile; None of nothing."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else None


def _interval(ratings: Sequence[Rating], spec: Spec) -> tuple[float, float] | None:
    if spec.figure == "p95":
        return _around_p95(sorted(rating.value for rating in ratings))
    clusters = _clusters(ratings)
    if not clusters:
        return None
    return _bounded(clusters, spec.scale) if spec.scale else _unbounded(clusters)


def _clusters(ratings: Sequence[Rating]) -> list[tuple[float, float]]:
    """(sum of weighted values, sum of weights) of each prompt: repeats of one prompt are no new evidence."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for rating in ratings:
        sums[rating.prompt_id][0] += rating.weight * rating.value
        sums[rating.prompt_id][1] += rating.weight
    return [(total, weight) for total, weight in sums.values() if weight > 0]


def _bounded(clusters: Sequence[tuple[float, float]], scale: tuple[float, float]) -> tuple[float, float]:
    """As for the risk: Wilson's interval at the effective size, on the scale stretched to 0..1."""
    low, span = scale[0], scale[1] - scale[0]
    whole = [((total / weight - low) / span, weight) for total, weight in clusters]
    # A prompt's weight is that of its claims; what has no claims to count is one observation.
    sizes = [(share * max(1, round(weight)), max(1, round(weight))) for share, weight in whole]
    squares = sum((total / size) ** 2 * size for total, size in sizes)
    ends = interval_of(sizes, squares)
    return low + span * ends[0], low + span * ends[1]


def _unbounded(clusters: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """Student's t interval of the mean over prompts, not below 0; None for a single prompt."""
    values = [total / weight for total, weight in clusters]
    if len(values) < 2:
        return None
    centre = fmean(values)
    spread = math.sqrt(sum((value - centre) ** 2 for value in values) / (len(values) - 1))
    half = student_t95(len(values) - 1) * spread / math.sqrt(len(values))
    return max(0.0, centre - half), centre + half


def certain_ends(spec: Spec, interval: Sequence[float] | None, n: int) -> tuple[float, float]:
    """(low, high) that the value surely is between, with 95 %: the interval, or the whole scale where there is none.
    The p95 of few values may lie above all of them, so it has no upper end."""
    if interval is None:
        return (0.0, math.inf) if spec.scale is None else spec.scale
    return interval[0], math.inf if spec.figure == "p95" and _ranks(n)[1] > n else interval[1]


def _ranks(n: int) -> tuple[int, int]:
    """Those of the order statistics that hold the p95 of n values with 95 %; the upper one may be above n."""
    half = Z95 * math.sqrt(n * P95 * (1 - P95))
    return math.floor(n * P95 - half), math.ceil(n * P95 + half)


def _around_p95(ordered: Sequence[float]) -> tuple[float, float] | None:
    """Order statistics whose ranks hold the quantile with 95 % (normal approximation of the binomial; Conover 1999),
    the last one where the upper rank is above it."""
    n = len(ordered)
    low, high = _ranks(n)
    return ordered[min(n - 1, max(0, low - 1))], ordered[min(n - 1, max(0, high - 1))]


def _details(ratings: Sequence[Rating], spec: Spec) -> Mapping[str, float]:
    """The parts, averaged as the measure is; of what is told by its p95 also the median."""
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for rating in ratings:
        for part, value in rating.parts.items():
            found[part].append((rating.weight * value, rating.weight))
    details = {
        part: sum(value for value, _ in pairs) / sum(weight for _, weight in pairs)
        for part, pairs in sorted(found.items())
        if sum(weight for _, weight in pairs)
    }
    middle = quantile([rating.value for rating in ratings], 0.5) if spec.figure == "p95" else None
    return details if middle is None else {"p50": middle, **details}
