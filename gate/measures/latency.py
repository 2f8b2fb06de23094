"""How long the answers took, in milliseconds: from the record, or measured."""

from __future__ import annotations

from typing import Any

from gate.measures.base import Outcome, Rating, Reading, Tools

NONE = "its latency is not known"


def read(outcome: Outcome, options: Any, tools: Tools) -> Reading:
    """One rating for each answer whose latency is known; an answer from the record keeps that of its call."""
    ratings, unjudged = [], {}
    for case in outcome.cases:
        taken = case.answer.latency_ms
        if taken is None:
            unjudged[case.prompt.id] = NONE
        else:
            ratings.append(Rating(case.prompt.id, taken, f"{taken:.0f} ms", answer_id=case.answer.id))
    return Reading(tuple(ratings), unjudged=unjudged)
