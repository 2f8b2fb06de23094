"""What a run did not answer, and how much of it a measure could not rate: told in one way, whatever is measured."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from gate.measures.base import Outcome, Reading, Tools
from gate.measures.table import MEASURES
from gate.records import Measure, Prompt


def read(name: str, outcome: Outcome, options: object, tools: Tools) -> Reading:
    """What a measure reads of a run; prompts of which answers are missing are unjudged, whatever it makes of them.
    Errors: LimitError, and ProviderError of those that ask a model."""
    spec = MEASURES[name]
    return completed(spec.read(outcome, options, tools), outcome, name, spec.needs)


def lost(outcome: Outcome, measure: str) -> dict[str, str]:
    """prompt id -> why a prompt cannot be rated of which an answer, or one to its probes, is missing."""
    answered = {case.prompt.id for case in outcome.cases}
    reasons: dict[str, str] = {}
    for prompt in outcome.missing:
        if prompt.probe is None:
            reasons[prompt.id] = "an answer is missing" if prompt.id in answered else "it has no answer"
    for prompt in outcome.missing:
        name, _, kind = (prompt.probe or "").partition(":")
        if name == measure and prompt.of is not None:
            reasons.setdefault(prompt.of, f"its probe {kind} was not answered")
    return reasons


def completed(reading: Reading, outcome: Outcome, measure: str, needs: Callable[[Prompt], str]) -> Reading:
    """The reading with every prompt that has not all its answers: unjudged, or skipped where the measure does not
    apply to it whatever the answer is (`needs` says why, or nothing). Ratings of the answers that are there stay."""
    gone = lost(outcome, measure)
    if not gone:
        return reading
    asked = {prompt.id: prompt for prompt in (*(case.prompt for case in outcome.cases), *outcome.missing)}
    beside = {name: why for name in gone if name in asked and (why := needs(asked[name]))}
    unjudged = {**gone, **reading.unjudged}
    skipped = {name: why for name, why in reading.skipped.items() if name not in gone} | beside
    return replace(reading, skipped=skipped, unjudged={n: why for n, why in unjudged.items() if n not in beside})


def counted(lost: Collection[str], rated: Iterable[str]) -> tuple[int, int]:
    """(prompts that could not be rated, in whole or in part; prompts that should have been), by their ids."""
    return len(lost), len({*lost, *rated})


def too_many(lost: Collection[str], rated: Iterable[str], most: float) -> bool:
    """Whether a larger share of the prompts could not be rated than `most`."""
    gone, asked = counted(lost, rated)
    return bool(gone) and gone / asked > most


def unpassed(measures: Iterable[Measure], most: float) -> list[Measure]:
    """The measures; one that could not rate a larger share of its prompts than `most` has not passed, nor failed."""
    return [replace(one, passed=None) if too_many(one.unjudged, _rated(one), most) else one for one in measures]


def _rated(measure: Measure) -> Mapping[str, None]:
    return dict.fromkeys(rating.prompt_id for rating in measure.ratings)
