"""A line through a judge's log odds that makes its probabilities mean what they say (Platt), with cuts for labels."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gate.records import Label

Array = NDArray[np.float64]
FOLDS = 5
FALSE_ALARMS = 0.05  # share of the supported claims that may be called unsupported outright
SURE = 1.645  # standard errors: one-sided, 5 %
_STEPS = 100


@dataclass(frozen=True, slots=True)
class Refit:
    """p' = sigmoid(`slope` x logit(p) + `offset`) is the fitted probability that a claim is supported. From `high` on
    a claim is supported, up to `low` it is not; between them the judge is not sure."""

    slope: float
    offset: float
    high: float
    low: float

    def support(self, chances: Array) -> Array:
        """(n,) probabilities of the judge -> (n,) fitted ones."""
        return _sigmoid(self.slope * logits(chances) + self.offset)

    def label(self, chance: float) -> Label:
        """The label of one fitted probability."""
        return label_between(chance, self.low, self.high)

    def most(self, ceiling: Label) -> float:
        """The highest probability whose label is no better than `ceiling`."""
        return most(ceiling, self.low, self.high)


def label_between(chance: float, low: float, high: float) -> Label:
    """The label of a probability of support by two thresholds: supported from `high` on, unsupported up to `low`."""
    if chance >= high:
        return Label.SUPPORTED
    return Label.UNSUPPORTED if chance <= low else Label.WEAKLY_SUPPORTED


def most(ceiling: Label, low: float, high: float) -> float:
    """The highest probability whose label between these thresholds is no better than `ceiling`; where both are the same
    there is nothing between them, and what stands on them would be supported."""
    if ceiling is Label.SUPPORTED:
        return 1.0
    return min(low if ceiling is Label.UNSUPPORTED else (low + high) / 2, math.nextafter(high, 0.0))


def refit(chances: Array, supported: Array) -> Refit | None:
    """Fit to probabilities (n,) and labels (n,) of 0 and 1; None where higher chances do not surely mean more support:
    where the slope is less than SURE standard errors above 0.

    Line: Platt's (1999) with his smoothed targets, by Newton's method. `high`: the cut with the best balanced
    accuracy; `low`: below it lie at most FALSE_ALARMS of the supported claims.
    """
    slope, offset, error = platt(logits(chances), supported)
    if not slope > SURE * error:
        return None
    fitted = _sigmoid(slope * logits(chances) + offset)
    high = best_cut(fitted, supported)
    low = min(high, float(np.quantile(fitted[supported > 0], FALSE_ALARMS)))
    return Refit(round(slope, 6), round(offset, 6), round(high, 6), round(low, 6))


def held_out(
    chances: Array, supported: Array, groups: Sequence[str], ceilings: Sequence[Label]
) -> tuple[Array, list[Label]] | None:
    """(fitted probabilities (n,), labels), each from a fit that saw no claim of its group; None if a fit fails.

    A group's fold depends on its name alone. A label is no better than its ceiling: a fit leaves the hard checks.
    """
    folds = np.array([int(hashlib.sha256(g.encode("utf-8", "replace")).hexdigest()[:8], 16) % FOLDS for g in groups])
    fitted, labels = np.zeros(len(chances)), [Label.UNJUDGED] * len(chances)
    for fold in range(FOLDS):
        mine = np.flatnonzero(folds == fold)
        rest = folds != fold
        if len(set(supported[rest])) < 2:
            return None
        model = refit(chances[rest], supported[rest])
        if model is None:
            return None
        fitted[mine] = np.minimum(model.support(chances[mine]), [model.most(ceilings[int(place)]) for place in mine])
        for place in mine:
            labels[place] = model.label(float(fitted[place]))
    return fitted, labels


def logits(chances: Array) -> Array:
    """Log odds, the chances kept off 0 and 1 by 1e-9."""
    kept = np.clip(chances, 1e-9, 1 - 1e-9)
    return np.asarray(np.log(kept) - np.log1p(-kept))


def platt(x: Array, supported: Array) -> tuple[float, float, float]:
    """(slope, offset, standard error of the slope) of the line through log odds `x` (n,) that fits the labels best.

    A weak pull to the line that changes nothing (1, 0) keeps it finite where the labels could be separated.
    """
    good, bad = float(supported.sum()), float((1 - supported).sum())
    targets = np.where(supported > 0, (good + 1) / (good + 2), 1 / (bad + 2))
    columns = np.stack([x, np.ones_like(x)], axis=1)
    line, start = np.array([1.0, 0.0]), np.array([1.0, 0.0])
    pull = np.array([1e-2, 1e-2])

    def loss(at: Array) -> float:
        z = columns @ at
        return float(np.sum(np.logaddexp(0.0, z) - targets * z) + pull @ (at - start) ** 2 / 2)

    for _ in range(_STEPS):
        p = _sigmoid(columns @ line)
        slope = columns.T @ (p - targets) + pull * (line - start)
        curve = columns.T @ (columns * (p * (1 - p))[:, None]) + np.diag(pull)
        step = np.linalg.solve(curve, slope)
        size = 1.0
        while size > 1e-6 and loss(line - size * step) > loss(line):
            size /= 2
        line = line - size * step
        if float(np.abs(step).max()) < 1e-9:
            break
    return float(line[0]), float(line[1]), math.sqrt(float(np.linalg.inv(curve)[0, 0]))


def best_cut(chances: Array, supported: Array) -> float:
    """The cut from which on "supported" has the best balanced accuracy: midway between two chances; of equally good
    ones the middle one."""
    values = np.unique(chances)
    cuts = np.concatenate([values[:1], (values[1:] + values[:-1]) / 2, [(values[-1] + 1) / 2]])
    good, bad = np.sort(chances[supported > 0]), np.sort(chances[supported <= 0])
    kept = 1 - np.searchsorted(good, cuts, "left") / len(good)
    caught = np.searchsorted(bad, cuts, "left") / len(bad)
    best = np.flatnonzero(kept + caught >= (kept + caught).max() - 1e-12)
    return float(cuts[best[len(best) // 2]])


def _sigmoid(z: Array) -> Array:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(z, -60.0, 60.0))))
