"""What the HTML page shows of the measures: a chart for each value, the distribution of its ratings, the worst ones."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gate.measures.summary import meets
from gate.reports import telling
from gate.reports.document import Comparison, RatingEntry, VerdictDocument
from gate.reports.families import numbers
from gate.reports.measure_words import (
    difference_interval,
    means,
    part,
    part_title,
    plain,
    shown,
    shown_difference,
    title,
    usd,
)
from gate.reports.page_scale import Axis, axis_of, bars
from gate.reports.safe import line
from gate.reports.telling_measures import SIGNS, Told, because, measures, models_line, reasons, worst
from gate.reports.telling_parts import ALL, all_answers

WORST = 10
PARTS = 16
WHY = 400  # characters


def rows(document: VerdictDocument) -> list[dict[str, Any]]:
    """One row for each measure, those that stand in the way first."""
    places = numbers(document)
    found = sorted(measures(document), key=lambda told: not told.bad)
    return [_row(place, told, document, places) for place, told in enumerate(found, 1)]


def _row(place: int, told: Told, document: VerdictDocument, places: Mapping[str, int]) -> dict[str, Any]:
    axis, entry, name = axis_of(told), told.entry, told.name
    values = [rating["value"] for rating in entry.get("ratings", []) if math.isfinite(rating["value"])]
    details = entry.get("details", {})
    return {
        "n": place,
        "title": told.title,
        "means": means(name),
        "why": line(str(details.get("why", "")), WHY),
        "value": told.value,
        "interval": told.interval,
        "ratings": entry["n"],
        "asked": told.asked,
        "state": told.state,
        "sign": SIGNS[told.state],
        "word": told.word,
        "gauge": _gauge(told, axis),
        "bars": _bars(told, values, axis) if len(values) > 1 else [],
        "parts": _parts(told, document),
        "stages": _stages(document) if name == "latency" else [],
        "worst": [_rating(told, rating, places) for rating in worst(told, WORST)],
        "lost": reasons(entry.get("unjudged", {})),
        "skipped": reasons(entry.get("skipped", {})),
        "open": told.bad,
    }


def _gauge(told: Told, axis: Axis) -> dict[str, Any]:
    """Places on the measure's axis: the good and the bad side of the threshold, the interval and the value."""
    value, band, threshold = told.entry["value"], told.entry["interval"], told.entry.get("threshold")
    split = axis.share(threshold) if threshold is not None else 0.0
    return {
        "at": None if value is None else axis.at(value),
        "low": axis.at(band[0]) if band else None,
        "width": axis.width(band[0], band[1]) if band else None,
        "tick": None if threshold is None else axis.at(threshold),
        "left": f"{100 * split:.2f}%",
        "right": f"{100 * (1 - split):.2f}%",
        "less": told.spec.less_is_better,
        "ends": [plain(told.name, end) for end in (axis.low, axis.high)],
        "anchor": "end" if split > 0.6 else "start",
    }


def _bars(told: Told, values: list[float], axis: Axis) -> list[dict[str, Any]]:
    threshold, spec = told.entry.get("threshold"), told.spec
    found = bars(values, axis)
    for bar in found:
        nearest = bar["from"] if spec.less_is_better else bar["to"]
        bar["bad"] = threshold is not None and not meets(nearest, threshold, spec)
        bar["from"], bar["to"] = plain(told.name, bar["from"]), plain(told.name, bar["to"])
    return found


def _parts(told: Told, document: VerdictDocument) -> list[tuple[str, str]]:
    """What the value was made of, and for the cost also what this run comes to."""
    found = [
        (part_title(key), _part(told.name, key, value))
        for key, value in told.entry.get("details", {}).items()
        if key != "why" and isinstance(value, (str, int, float)) and not isinstance(value, bool)
    ]
    if told.name == "latency" and told.entry["value"] is not None:
        found.insert(0, ("p95", told.value))
    if told.name == "cost":
        spent = document["usage"]["cost_usd"]
        found += [(ALL, total)] if (total := all_answers(told)) else []
        found += [("spent by the gate in this run, with judge and probes", usd(spent))] if spent is not None else []
    return found[:PARTS]


def _part(name: str, key: str, value: float | str) -> str:
    return line(value, 120) if isinstance(value, str) else part(name, key, float(value))


def _stages(document: VerdictDocument) -> list[dict[str, str]]:
    """How the time of the gate's own run divides over its agents."""
    times = document["timings"]
    axis = Axis(0.0, max([*times.values(), 1e-9]))
    return [
        {"name": line(agent, 60).replace("_", " "), "w": axis.at(taken), "time": telling.seconds(taken)}
        for agent, taken in times.items()
    ]


def _rating(told: Told, rating: RatingEntry, places: Mapping[str, int]) -> dict[str, Any]:
    return {
        "n": places.get(rating["prompt_id"]),
        "prompt": line(rating["prompt_id"], 80),
        "repeat": repeat(rating),
        "value": shown(told.name, rating["value"]),
        "why": because(told, rating, WHY),
    }


def repeat(rating: RatingEntry) -> str:
    """The number of the repeat that a rating is of, where it is not the first answer and its id tells."""
    _, _, last = rating.get("answer_id", "").rpartition("#")
    return last if last.isdecimal() and len(last) < 6 and last != rating.get("answer_id") else ""


def changes(comparison: Comparison) -> dict[str, Any]:
    """The measures of two runs: one row each."""
    return {
        "models": line(models_line(comparison), 300),
        "measures": [
            {
                "title": title(name),
                "base": shown(name, change["base"]),
                "head": shown(name, change["head"]),
                "difference": shown_difference(name, change["difference"]),
                "interval": difference_interval(name, change["interval"]),
                "p_value": telling.number(change["p_value"]),
                "smallest": shown(name, change["smallest_detectable"]),
                "prompts": change["prompts"],
                "word": change["word"],
            }
            for name, change in comparison.get("measures", {}).items()
        ],
    }
