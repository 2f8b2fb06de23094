"""One number of three: relevance, faithfulness (1 - hallucination) and completeness, by the weights of the options."""

from __future__ import annotations

from collections.abc import Mapping

from gate.config import Overall
from gate.measures.base import Case, Outcome, Rating, Reading, Tools
from gate.measures.wording import shortened

PARTS = ("relevance", "faithfulness", "completeness")


def read(outcome: Outcome, options: Overall, tools: Tools) -> Reading:
    """One rating for each answer that has one of the parts, in 0..1. A part that does not apply is left out and the
    others count for more; where one could not be judged, neither can the whole."""
    weights = {name: float(getattr(options, f"{name}_weight")) for name in PARTS}
    readings = {name: tools.reading(name) for name in PARTS if weights[name]}
    values = {name: {r.answer_id: r.value for r in reading.ratings} for name, reading in readings.items()}
    ratings, skipped, unjudged = [], {}, {}
    for case in outcome.cases:
        name = case.prompt.id
        parts = {part: found[case.answer.id] for part, found in values.items() if case.answer.id in found}
        lost = [
            f"{part}: {reading.unjudged[name]}"
            for part, reading in readings.items()
            if part not in parts and name in reading.unjudged
        ]
        left = {part: r.skipped[name] for part, r in readings.items() if part not in parts and name in r.skipped}
        if lost:
            unjudged[name] = lost[0]
        elif not parts:
            skipped[name] = next(iter(left.values()), "none of its parts applies")
        else:
            ratings.append(_rating(case, parts, left, weights))
    return Reading(tuple(ratings), skipped, unjudged)


def _rating(case: Case, parts: Mapping[str, float], left: Mapping[str, str], weights: Mapping[str, float]) -> Rating:
    total = sum(weights[part] for part in parts)
    value = sum(weights[part] * value for part, value in parts.items()) / total
    told = [f"{part} {value:.2f} x {weights[part] / total:.2f}" for part, value in parts.items()]
    told += [f"without {part}: {why}" for part, why in left.items()]
    return Rating(case.prompt.id, value, shortened("; ".join(told)), 1.0, dict(parts), case.answer.id)
