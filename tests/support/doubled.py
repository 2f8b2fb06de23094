"""A measure of one module, for tests: does an answer stay the same when its question is asked twice in one breath?"""

from __future__ import annotations

from typing import Any

from gate.generation.probes import reworded
from gate.measures.base import Given, Outcome, Rating, Reading, Tools
from gate.measures.probing import base_of, families
from gate.records import Prompt

NAME = "doubled"


def plan(prompt: Prompt, given: Given) -> list[Prompt]:
    """The question twice."""
    return [reworded(prompt, given, NAME, "twice", f"{prompt.question} {prompt.question}")]


def read(outcome: Outcome, options: Any, tools: Tools) -> Reading:
    """1 where both answers are the same."""
    pairs = [(base_of(probe, own), probe) for own, probes in families(outcome, NAME).values() for probe in probes]
    return Reading(
        tuple(Rating(base.prompt.id, float(base.answer.text == probe.answer.text), "said") for base, probe in pairs)
    )
