"""What an answer of the model under test costs, in USD, by its tokens and the table of prices."""

from __future__ import annotations

from typing import Any

from gate.measures.base import Outcome, Rating, Reading, Tools

NONE = "the price of its model is not known: give it under `prices`"
PER = 1000


def read(outcome: Outcome, options: Any, tools: Tools) -> Reading:
    """One rating for each answer that has a price; `per_1000_answers` projects it."""
    ratings, unjudged = [], {}
    for case in outcome.cases:
        usd = tools.price(case.answer)
        if usd is None:
            unjudged[case.prompt.id] = NONE
            continue
        used = case.answer.usage
        why = f"{used.input_tokens} tokens in, {used.output_tokens} out" + (" (estimated)" if used.estimated else "")
        ratings.append(Rating(case.prompt.id, usd, why, 1.0, {"per_1000_answers": PER * usd}, case.answer.id))
    return Reading(tuple(ratings), unjudged=unjudged)
