"""Logistic regression with signs: ridge, weighted, by accelerated projected gradient; numpy only, deterministic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Fitted:
    """sigmoid(bias + x @ weights) on features as they come."""

    bias: float
    weights: Array

    def predict(self, x: Array) -> Array:
        """Probabilities (n,)."""
        return np.asarray(1.0 / (1.0 + np.exp(-(self.bias + x @ self.weights))))


def fit(
    x: Array, y: NDArray[np.bool_], w: Array, signs: Sequence[int], ridge: float = 0.15, steps: int = 1500
) -> Fitted:
    """Minimise the weighted log loss plus ridge/2 |v|^2 on standardised features; signs 1, -1 or 0 (free) bind v.

    x (n, d), y (n,) the outcomes, w (n,) weights. Source: FISTA (Beck and Teboulle 2009) with projection on the signs.
    """
    w = w / w.sum()
    target = y.astype(np.float64)
    mean = w @ x
    scale = np.sqrt(w @ (x - mean) ** 2) + 1e-6
    z = (x - mean) / scale
    low = np.array([0.0 if sign > 0 else -np.inf for sign in signs])
    high = np.array([0.0 if sign < 0 else np.inf for sign in signs])
    size = 0.25 * float(np.linalg.norm(z * np.sqrt(w)[:, None], 2)) ** 2 + ridge + 0.25
    bias = ahead = 0.0
    v = lead = np.zeros(x.shape[1])
    pace = 1.0
    for _ in range(steps):
        gap = w * (1.0 / (1.0 + np.exp(-(ahead + z @ lead))) - target)
        new_bias, new_v = ahead - gap.sum() / size, np.clip(lead - (z.T @ gap + ridge * lead) / size, low, high)
        new_pace = (1 + np.sqrt(1 + 4 * pace * pace)) / 2
        step = (pace - 1) / new_pace
        ahead, lead = new_bias + step * (new_bias - bias), new_v + step * (new_v - v)
        bias, v, pace = new_bias, new_v, new_pace
    return Fitted(float(bias - (v * mean / scale).sum()), v / scale)


def auc(good: Array, bad: Array) -> float:
    """The chance that a good one scores higher than a bad one, ties half; nan where either is empty."""
    if not len(good) or not len(bad):
        return float("nan")
    order = np.sort(bad)
    below = np.searchsorted(order, good, "left")
    upto = np.searchsorted(order, good, "right")
    return float((below + upto).mean() / 2 / len(bad))
