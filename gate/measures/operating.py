"""What a judge's mistakes do to the decision: the truth behind a measured risk, false passes and alarms. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gate.measures.agreement import DRAWS, LABELS, NOT_KNOWN, Figure, Pair, judged, quantiles, shrink
from gate.measures.risk import WEIGHTS

Array = NDArray[np.float64]
CLAIMS = 100  # of the run that the rates are told for


@dataclass(frozen=True, slots=True)
class Operating:
    """What the judge measures, and what is so.

    `if_supported` (e_s) and `if_not` (e_n): the risk that it measures where every claim is supported, and where none
    is: the mean weight of its labels on such claims.
    `true_at_deploy`, `true_at_warn`: the share of claims that are not supported when the measured risk stands at the
    threshold, (risk - e_s) / (e_n - e_s) within 0..1 (Rogan and Gladen 1978).
    `false_pass_rate`: how often a run of CLAIMS claims is deployed though its true risk is just above the warn
    threshold. `false_alarm_rate`: how often such a run is not deployed though every claim is supported. Both are
    exact for independent claims that the judge labels as often right and wrong as it did here.
    """

    if_supported: Figure
    if_not: Figure
    true_at_deploy: Figure
    true_at_warn: Figure
    false_pass_rate: Figure
    false_alarm_rate: Figure


def operating(pairs: Sequence[Pair], deploy: float, warn: float, seed: int = 0) -> Operating:
    """The decision's quality at two thresholds; not known unless people call some claims supported and some not.

    Intervals: quantiles over draws of the judge's label shares (Dirichlet, Jeffreys' prior, effective size).
    """
    seen = judged(pairs)
    good, bad = [p for p in seen if not p.bad], [p for p in seen if p.bad]
    if not good or not bad:
        return Operating(NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN)
    rng = np.random.default_rng(seed)
    g, b = _shares(good, rng), _shares(bad, rng)
    weights = np.array([WEIGHTS[label] for label in LABELS])
    worth = sum(WEIGHTS[p.people] for p in bad) / len(bad)  # 1, or less where people call some weakly supported
    wrong = math.floor(warn * CLAIMS / worth + 1e-9) + 1
    return Operating(
        _figure(g @ weights),
        _figure(b @ weights),
        _figure(_true(deploy, g @ weights, b @ weights)),
        _figure(_true(warn, g @ weights, b @ weights)),
        _figure(deployed(g, b, wrong, deploy)) if wrong <= CLAIMS else NOT_KNOWN,
        _figure(1 - deployed(g, b, 0, deploy)),
    )


def deployed(good: Array, bad: Array, wrong: int, threshold: float) -> Array:
    """The probability (n,) that a run of CLAIMS claims, `wrong` of them not supported, measures a risk up to
    `threshold`. `good`, `bad` (n, 3): shares of the judge's labels on claims that are supported, and that are not.

    The weights 0, 1/2 and 1 are counted in halves, so the sum's distribution is a product of polynomials.
    """
    size = 2 * CLAIMS + 1
    powers = np.fft.rfft(good, size) ** (CLAIMS - wrong) * np.fft.rfft(bad, size) ** wrong
    upto = math.floor(threshold * 2 * CLAIMS + 1e-9) + 1
    return np.asarray(np.clip(np.fft.irfft(powers, size)[:, :upto].sum(axis=1), 0.0, 1.0))


def _shares(pairs: Sequence[Pair], rng: np.random.Generator) -> Array:
    """(1 + draws, 3): the shares of the judge's labels as they are, then as they might be."""
    counts = np.array([sum(p.judge is label for p in pairs) for label in LABELS], float)
    drawn = rng.dirichlet(counts * shrink(pairs, lambda p: p.bad == p.alarm) + 0.5, DRAWS)
    return np.vstack([counts / counts.sum(), drawn])


def _true(risk: float, good: Array, bad: Array) -> Array:
    """NaN where the judge's labels do not tell the two apart."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(bad > good, np.clip((risk - good) / (bad - good), 0.0, 1.0), np.nan)


def _figure(values: Array) -> Figure:
    """The first is the value, the rest are draws."""
    value = float(values[0])
    if not math.isfinite(value):
        return NOT_KNOWN
    return Figure(value, quantiles(values[1:], value))
