"""What a reader makes of the windows of a claim, and what that comes to.

A claim is not borne out by the one window that speaks for it most, among others that say more about it: windows are
weighed, as attention weighs (softmax), by how far they speak of the claim and how much of its words they have.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gate.judges.windows import Window

SURE = 1e-3  # no reader is surer than this
# What a window's weight grows with, by e: the log odds that it speaks of the claim, and the share of the claim's words
# that it meets. From a grid over the written cases and guides, held out; the figures change little about these.
SPEAKS, MEETS = 2.0, 7.0


@dataclass(frozen=True, slots=True)
class Read:
    """What a reader makes of a window: the log odds that it supports the claim, and that it contradicts it."""

    window: Window
    supported: float
    contradicted: float


def reads(windows: Sequence[Window], scores: Sequence[Sequence[float]]) -> list[Read]:
    """A Read for every window, from its probabilities of supported, contradicted and neither."""
    return [
        Read(window, _log_odds(score[0]), _log_odds(score[1])) for window, score in zip(windows, scores, strict=True)
    ]


def reading_values(scores: Sequence[Sequence[float]], met: Sequence[float]) -> dict[str, float]:
    """The features of windows (at least one) with their `scores` and the share of the claim that each has `met`:
    `reads_supported`, the mean log odds of support, each window weighed; `reads_contradicted`, the highest log odds of
    contradiction in any of them; `reads_margin`, which of the two they say on balance: the mean log ratio of both, each
    window weighed by the odds that it speaks of the claim, 0 where none does."""
    return {
        "reads_supported": _supported(scores, met),
        "reads_contradicted": max(_log_odds(score[1]) for score in scores),
        "reads_margin": _margin(scores),
    }


def _supported(scores: Sequence[Sequence[float]], met: Sequence[float]) -> float:
    heights = [MEETS * share - SPEAKS * _log_odds(score[2]) for score, share in zip(scores, met, strict=True)]
    weights = [math.exp(height - max(heights)) for height in heights]
    return sum(weight * _log_odds(score[0]) for weight, score in zip(weights, scores, strict=True)) / sum(weights)


def _margin(scores: Sequence[Sequence[float]]) -> float:
    held = [[_held(chance) for chance in score] for score in scores]
    weights = [(1 - neither) / neither for _, _, neither in held]
    ratios = [math.log(supported / contradicted) for supported, contradicted, _ in held]
    # The 1 draws it to nothing where no window speaks of the claim: a ratio of two small chances says little.
    return sum(weight * ratio for weight, ratio in zip(weights, ratios, strict=True)) / (1 + sum(weights))


def _held(chance: float) -> float:
    return min(1 - SURE, max(SURE, chance))


def _log_odds(chance: float) -> float:
    return math.log(_held(chance) / (1 - _held(chance)))
