"""The axis that a measure is drawn on, and the places on it: percentages that never leave the picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gate.reports.telling_measures import Told

BINS = 10


@dataclass(frozen=True, slots=True)
class Axis:
    """From `low` to `high`, which is above it."""

    low: float
    high: float

    def at(self, value: float) -> str:
        """A place as a CSS or SVG length."""
        return f"{100 * self.share(value):.2f}%"

    def share(self, value: float) -> float:
        """The place in 0..1; what is beyond an end stands at it."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))

    def width(self, low: float, high: float) -> str:
        """How long a stretch is."""
        return f"{100 * max(0.0, self.share(high) - self.share(low)):.2f}%"


def axis_of(told: Told) -> Axis:
    """The measure's own scale; where it has no end, up to a round number above all that is to be shown."""
    if told.spec.scale is not None:
        return Axis(*told.spec.scale)
    entry = told.entry
    reach = [entry["value"], entry.get("threshold"), *(entry["interval"] or ())]
    reach += [rating["value"] for rating in entry.get("ratings", [])]
    known = [value for value in reach if value is not None and math.isfinite(value)]
    return Axis(min([0.0, *known]), _round_up(max([0.0, *known])))


def _round_up(value: float) -> float:
    """The next of 1, 1.5, 2, 3, 4, 5, 7.5 or 10 times a power of ten; 1 for nothing."""
    if not 0 < value < 1e300:
        return 1.0 if value <= 0 else value
    power = 10.0 ** math.floor(math.log10(value))
    return next((step * power for step in (1, 1.5, 2, 3, 4, 5, 7.5) if value <= step * power), 10 * power)


def bars(values: Sequence[float], axis: Axis) -> list[dict[str, Any]]:
    """How many values stand in each of ten equal parts of the axis; the last part has its upper end, too."""
    counts = [0] * BINS
    for value in values:
        counts[min(BINS - 1, int(axis.share(value) * BINS))] += 1
    most, step = max([1, *counts]), (axis.high - axis.low) / BINS
    return [
        {
            "n": count,
            "from": axis.low + place * step,
            "to": axis.low + (place + 1) * step,
            "x": f"{100 * place / BINS:.2f}%",
            "mid": f"{100 * (place + 0.5) / BINS:.2f}%",
            "w": f"{100 / BINS:.2f}%",
            "y": f"{100 * (1 - count / most):.2f}%",
            "h": f"{100 * count / most:.2f}%",
        }
        for place, count in enumerate(counts)
    ]
