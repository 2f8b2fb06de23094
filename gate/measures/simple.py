"""Latency, cost, and the overall number that other measures give: nothing is judged for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gate.config import Overall
from gate.measures.base import Case, Outcome, Rating, Reading, Tools
from gate.measures.texts import shortened

NO_LATENCY = "its latency is not known"
NO_PRICE = "the price of its model is not known: give it under `prices`"
PER = 1000
PARTS = ("relevance", "faithfulness", "completeness")


def rate_latency(outcome: Outcome, options: Any, tools: Tools) -> Reading:
    """One rating for each answer whose latency is known; an answer from the record keeps that of its call."""
    ratings, unjudged = [], {}
    for case in outcome.cases:
        taken = case.answer.latency_ms
        if taken is None:
            unjudged[case.prompt.id] = NO_LATENCY
        else:
            ratings.append(Rating(case.prompt.id, taken, f"{taken:.0f} ms", answer_id=case.answer.id))
    return Reading(tuple(ratings), unjudged=unjudged)


def rate_cost(outcome: Outcome, options: Any, tools: Tools) -> Reading:
    """One rating for each answer that has a price; `per_1000_answers` projects it."""
    ratings, unjudged = [], {}
    for case in outcome.cases:
        usd = tools.price(case.answer)
        if usd is None:
            unjudged[case.prompt.id] = NO_PRICE
            continue
        used = case.answer.usage
        why = f"{used.input_tokens} tokens in, {used.output_tokens} out" + (" (estimated)" if used.estimated else "")
        ratings.append(Rating(case.prompt.id, usd, why, 1.0, {"per_1000_answers": PER * usd}, case.answer.id))
    return Reading(tuple(ratings), unjudged=unjudged)


def rate_overall(outcome: Outcome, options: Overall, tools: Tools) -> Reading:
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
