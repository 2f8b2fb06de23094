"""What the HTML page draws: how the claims of a category or document came out; for each measure a chart of its value,
the distribution of its ratings, and the worst ones."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gate.reports import words
from gate.reports.build import risk_of
from gate.reports.document import LABELS, RatingEntry, VerdictDocument
from gate.reports.measures import (
    ALL,
    MeasureView,
    measures_of,
    part,
    part_title,
    plain,
    reasons,
    shown,
    title,
    usd,
)
from gate.reports.safe import line
from gate.reports.words import families

BINS = 10
WORST = 10
PARTS = 16
WHY = 400  # characters


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

    def band(self, value: float | None, interval: Sequence[float] | None) -> dict[str, str | None]:
        """Places of a value and its interval; None for what is not known."""
        return {
            "at": None if value is None else self.at(value),
            "low": self.at(interval[0]) if interval else None,
            "width": self.width(interval[0], interval[1]) if interval else None,
        }


UNIT = Axis(0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Share:
    """How the claims of one group (a category, a document) came out."""

    name: str
    counts: Mapping[str, int]
    risk: float | None

    @property
    def total(self) -> int:
        """Claims in the group."""
        return sum(self.counts.values())


def shares(pairs: Iterable[tuple[str, str]]) -> list[Share]:
    """One Share for each group, of pairs of its name and the label of a claim; the riskiest first, then by name."""
    groups: dict[str, list[str]] = {}
    for name, label in pairs:
        groups.setdefault(name, []).append(label)
    found = [
        Share(name, {label: labels.count(label) for label in LABELS}, risk_of(labels))
        for name, labels in groups.items()
    ]
    return sorted(found, key=lambda each: (1.0 if each.risk is None else -each.risk, -each.total, each.name))


def by_category(document: VerdictDocument) -> list[Share]:
    """Claims by the category of their prompt."""
    category = {prompt["id"]: prompt["category"] for prompt in document["prompts"]}
    counted = [claim for claim in document["details"] if not claim.get("waived")]
    return shares((category.get(claim["prompt_id"], "?"), claim["label"]) for claim in counted)


def by_document(document: VerdictDocument) -> list[Share]:
    """Claims by the document of their first quote; `` holds those for which nothing was found."""
    return shares(
        (claim["evidence"][0]["source"] if claim["evidence"] else "", claim["label"])
        for claim in document["details"]
        if not claim.get("waived")
    )


def axis_of(measure: MeasureView) -> Axis:
    """The measure's own scale; where it has no end, up to a round number above all that is to be shown."""
    if measure.spec.scale is not None:
        return Axis(*measure.spec.scale)
    entry = measure.entry
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


def bars(measure: MeasureView, values: Sequence[float], axis: Axis) -> list[dict[str, Any]]:
    """How many values stand in each of ten equal parts of the axis; the last part has its upper end, too. A part is bad
    where even its better end misses the threshold."""
    counts = [0] * BINS
    for value in values:
        counts[min(BINS - 1, int(axis.share(value) * BINS))] += 1
    most, step = max([1, *counts]), (axis.high - axis.low) / BINS
    return [
        {
            "n": count,
            "from": plain(measure.name, axis.low + place * step),
            "to": plain(measure.name, axis.low + (place + 1) * step),
            "bad": measure.misses(axis.low + (place + (not measure.spec.less_is_better)) * step),
            "x": UNIT.at(place / BINS),
            "mid": UNIT.at((place + 0.5) / BINS),
            "w": UNIT.at(1 / BINS),
            "y": UNIT.at(1 - count / most),
            "h": UNIT.at(count / most),
        }
        for place, count in enumerate(counts)
    ]


def rows(document: VerdictDocument) -> list[dict[str, Any]]:
    """One row for each measure, those that stand in the way first."""
    places = {
        member["id"]: number
        for number, family in enumerate(families(document), 1)
        for member in (family.prompt, *family.probes)
    }
    found = sorted(measures_of(document), key=lambda measure: not measure.bad)
    return [_row(measure, document, places) for measure in found]


def _row(measure: MeasureView, document: VerdictDocument, places: Mapping[str, int]) -> dict[str, Any]:
    axis, entry = axis_of(measure), measure.entry
    values = [rating["value"] for rating in entry.get("ratings", []) if math.isfinite(rating["value"])]
    return {
        "of": measure,
        "why": line(str(entry.get("details", {}).get("why", "")), WHY),
        "gauge": _gauge(measure, axis),
        "bars": bars(measure, values, axis) if len(values) > 1 else [],
        "parts": _parts(measure, document),
        "stages": _stages(document["timings"]) if measure.name == "latency" else [],
        "worst": [_rating(measure, rating, places) for rating in measure.worst(WORST)],
        "lost": reasons(entry.get("unjudged", {})),
        "skipped": reasons(entry.get("skipped", {})),
    }


def _gauge(measure: MeasureView, axis: Axis) -> dict[str, Any]:
    """Places on the measure's axis: the good and the bad side of the threshold, the interval and the value."""
    threshold = measure.entry.get("threshold")
    split = axis.share(threshold) if threshold is not None else 0.0
    return {
        **axis.band(measure.entry["value"], measure.entry["interval"]),
        "tick": None if threshold is None else axis.at(threshold),
        "left": UNIT.at(split),
        "right": UNIT.at(1 - split),
        "ends": [plain(measure.name, end) for end in (axis.low, axis.high)],
        "anchor": "end" if split > 0.6 else "start",
    }


def _parts(measure: MeasureView, document: VerdictDocument) -> list[tuple[str, str]]:
    """What the value was made of, and for the cost also what this run comes to."""
    found = [
        (part_title(key), line(value, 120) if isinstance(value, str) else part(measure.name, key, float(value)))
        for key, value in measure.entry.get("details", {}).items()
        if key != "why" and type(value) in (str, int, float)
    ]
    if measure.name == "latency" and measure.entry["value"] is not None:
        found.insert(0, ("p95", measure.value))
    if measure.name == "cost":
        spent = document["usage"]["cost_usd"]
        found += [(ALL, total)] if (total := measure.all_answers()) else []
        found += [("spent by the gate in this run, with judge and probes", usd(spent))] if spent is not None else []
    return found[:PARTS]


def _stages(times: Mapping[str, float]) -> list[tuple[str, str, str]]:
    """How the time of the gate's own run divides over its agents: name, width and seconds of each."""
    axis = Axis(0.0, max([*times.values(), 1e-9]))
    return [(title(agent), axis.at(taken), words.seconds(taken)) for agent, taken in times.items()]


def _rating(measure: MeasureView, rating: RatingEntry, places: Mapping[str, int]) -> dict[str, Any]:
    return {
        "n": places.get(rating["prompt_id"]),
        "prompt": line(rating["prompt_id"], 80),
        "repeat": repeat(rating),
        "value": shown(measure.name, rating["value"]),
        "why": measure.because(rating, WHY),
    }


def repeat(rating: RatingEntry) -> str:
    """The number of the repeat that a rating is of, where it is not the first answer and its id tells."""
    _, _, last = rating.get("answer_id", "").rpartition("#")
    return last if last.isdecimal() and len(last) < 6 and last != rating.get("answer_id") else ""
