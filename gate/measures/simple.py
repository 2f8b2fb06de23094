"""Latency, cost, noise, and the overall number that other measures give: nothing is judged for them.

Noise is how much the risk of an answer varies when it is asked again, and whose doing that is. By the law of total
variance, for the risk of an answer drawn from the prompts, the repeats and the judge's labels:
the variance between the prompts' means, plus that between the repeats of a prompt (the model's), plus the judge's:
that of the labels around its probabilities, sum p(1 - p) / n^2 over the n claims of an answer, and what it makes of
equal answers. The first two by one-way random effects analysis of variance of the expected risks (Searle, Casella and
McCulloch 1992, ch. 3), of the risks by the labels where a judge tells no probabilities.

Equal answers with equal labels are no proof of a steady judge: the recorder gives equal requests one reply. So without
probabilities, and without equal answers that were judged differently, the model's part and the judge's stay one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev, variance
from typing import Any

from gate.config import Overall
from gate.judges.base import chance_of
from gate.measures.base import Answered, Case, Reading, Tools
from gate.measures.texts import shortened
from gate.records import Rating
from gate.statistics.intervals import WEIGHTS

NO_LATENCY = "its latency is not known"
NO_PRICE = "the price of its model is not known: give it under `prices`"
PER = 1000
PARTS = ("relevance", "faithfulness", "completeness")
ONCE = "it was asked once: set evaluation.repeats"
FEW = "fewer than two of its answers have claims"
UNLABELLED = "fewer than two of its answers have claims that were judged"
UNPARTED = (
    "whether the model or the judge made the difference cannot be told apart: "
    "the judge tells no probabilities, and judged no two equal answers differently"
)


def rate_latency(run: Answered, options: Any, tools: Tools) -> Reading:
    """One rating for each answer whose latency is known; an answer from the record keeps that of its call."""
    ratings, unjudged = [], {}
    for case in run.cases:
        taken = case.answer.latency_ms
        if taken is None:
            unjudged[case.prompt.id] = NO_LATENCY
        else:
            ratings.append(Rating(case.prompt.id, taken, f"{taken:.0f} ms", answer_id=case.answer.id))
    return Reading(tuple(ratings), unjudged=unjudged)


def rate_cost(run: Answered, options: Any, tools: Tools) -> Reading:
    """One rating for each answer that has a price; `per_1000_answers` projects it."""
    ratings, unjudged = [], {}
    for case in run.cases:
        usd = tools.price(case.answer)
        if usd is None:
            unjudged[case.prompt.id] = NO_PRICE
            continue
        used = case.answer.usage
        why = f"{used.input_tokens} tokens in, {used.output_tokens} out" + (" (estimated)" if used.estimated else "")
        ratings.append(Rating(case.prompt.id, usd, why, 1.0, {"per_1000_answers": PER * usd}, case.answer.id))
    return Reading(tuple(ratings), unjudged=unjudged)


def rate_overall(run: Answered, options: Overall, tools: Tools) -> Reading:
    """One rating for each answer that has one of the parts, in 0..1. A part that does not apply is left out and the
    others count for more; where one could not be judged, neither can the whole."""
    weights = {name: float(getattr(options, f"{name}_weight")) for name in PARTS}
    readings = {name: tools.reading(name) for name in PARTS if weights[name]}
    values = {name: {r.answer_id: r.value for r in reading.ratings} for name, reading in readings.items()}
    ratings, skipped, unjudged = [], {}, {}
    for case in run.cases:
        name = case.prompt.id
        parts = {part: found[case.answer.id] for part, found in values.items() if case.answer.id in found}
        bare = {part: reading for part, reading in readings.items() if part not in parts}
        lost = [f"{part}: {reading.unjudged[name]}" for part, reading in bare.items() if name in reading.unjudged]
        left = {part: reading.skipped[name] for part, reading in bare.items() if name in reading.skipped}
        if lost:
            unjudged[name] = lost[0]
        elif not parts:
            skipped[name] = next(iter(left.values()), "none of its parts applies")
        else:
            ratings.append(_overall(case, parts, left, weights))
    return Reading(tuple(ratings), skipped, unjudged)


def _overall(case: Case, parts: Mapping[str, float], left: Mapping[str, str], weights: Mapping[str, float]) -> Rating:
    total = sum(weights[part] for part in parts)
    value = sum(weights[part] * value for part, value in parts.items()) / total
    told = [f"{part} {value:.2f} x {weights[part] / total:.2f}" for part, value in parts.items()]
    told += [f"without {part}: {why}" for part, why in left.items()]
    return Rating(case.prompt.id, value, shortened("; ".join(told)), 1.0, dict(parts), case.answer.id)


@dataclass(frozen=True, slots=True)
class Noisy:
    """One answer: its words, its risk by the labels, by the judge's probabilities its expected risk, and the variance
    of it that the labels have (None: the judge does not tell all of them)."""

    answer_id: str
    words: str
    risk: float
    expected: float
    spread: float | None


@dataclass(frozen=True, slots=True)
class Components:
    """The variance of an answer's risk, by where it comes from; where `judge` is None, `model` is that of both, which
    cannot be told apart."""

    model: float
    between: float
    judge: float | None

    def shares(self) -> dict[str, float]:
        """Each part of the whole; empty where nothing varies."""
        found = {"between_prompts": self.between}
        found |= {"model_or_judge" if self.judge is None else "model": self.model}
        found |= {} if self.judge is None else {"judge": self.judge}
        total = sum(found.values())
        return {f"{name}_share": value / total for name, value in found.items()} if total > 0 else {}


def rate_noise(run: Answered, options: Any, tools: Tools) -> Reading:
    """One rating a prompt: the standard deviation of its answers' risk over the repeats (n - 1 below)."""
    asked: dict[str, list[Case]] = defaultdict(list)
    for case in run.cases:
        asked[case.prompt.id].append(case)
    found = {prompt: [one for case in cases if (one := noisy(case))] for prompt, cases in asked.items()}
    usable = {prompt: answers for prompt, answers in found.items() if len(answers) > 1}
    rest = {prompt: cases for prompt, cases in asked.items() if prompt not in usable}
    unjudged = {
        prompt: UNLABELLED
        for prompt, cases in rest.items()
        if len(cases) > 1 and any(case.verdicts and noisy(case) is None for case in cases)
    }
    skipped = {prompt: ONCE if len(cases) < 2 else FEW for prompt, cases in rest.items() if prompt not in unjudged}
    whole = components(list(usable.values())) if usable else Components(0.0, 0.0, None)
    return Reading(tuple(_noise(prompt, answers, whole) for prompt, answers in usable.items()), skipped, unjudged)


def noisy(case: Case) -> Noisy | None:
    """An answer's risk and how sure it is; None where none of its claims was judged."""
    judged = [verdict for verdict in case.verdicts if verdict.label in WEIGHTS]
    if not judged:
        return None
    risks = [WEIGHTS[verdict.label] for verdict in judged]
    chances = [chance_of(verdict) for verdict in judged]
    known = [chance for chance in chances if chance is not None]
    expected = fmean(risk if chance is None else chance for risk, chance in zip(risks, chances, strict=True))
    spread = sum(p * (1.0 - p) for p in known) / len(judged) ** 2 if len(known) == len(judged) else None
    return Noisy(case.answer.id, " ".join(case.answer.text.split()), fmean(risks), expected, spread)


def components(prompts: Sequence[Sequence[Noisy]]) -> Components:
    """The parts over prompts of two or more answers each (at least one prompt).

    Within a prompt: the pooled variance. Between: (MSB - MSW) / n0, not below 0, where n0 is the usual size of unequal
    groups. The judge's: the part within that equal answers have among themselves, and the mean of its spreads.
    """
    known = [a.spread for answers in prompts for a in answers if a.spread is not None]
    sure = len(known) == sum(map(len, prompts))

    def risks(answers: Sequence[Noisy]) -> list[float]:
        return [a.expected if sure else a.risk for a in answers]

    groups = [risks(answers) for answers in prompts]
    within = _pooled(groups)
    judge = min(
        within, _pooled([risks(twins) for answers in prompts for twins in _equal(answers)])
    )  # of few equal answers it may look larger than all there is
    if not sure and not judge:
        return Components(within, _between(groups, within), None)
    return Components(within - judge, _between(groups, within), judge + (fmean(known) if sure else 0.0))


def _equal(answers: Sequence[Noisy]) -> list[list[Noisy]]:
    """The answers to one prompt that came more than once, by their words."""
    found: dict[str, list[Noisy]] = defaultdict(list)
    for answer in answers:
        found[answer.words].append(answer)
    return [twins for twins in found.values() if len(twins) > 1]


def _pooled(groups: Sequence[Sequence[float]]) -> float:
    """The variance within groups of two or more, weighted by their degrees of freedom; 0 of none."""
    freedom = sum(len(group) - 1 for group in groups)
    return sum(variance(group) * (len(group) - 1) for group in groups) / freedom if freedom else 0.0


def _between(groups: Sequence[Sequence[float]], within: float) -> float:
    if len(groups) < 2:
        return 0.0
    sizes = [len(group) for group in groups]
    whole = fmean(value for group in groups for value in group)
    squares = sum(len(group) * (fmean(group) - whole) ** 2 for group in groups)
    usual = (sum(sizes) - sum(size**2 for size in sizes) / sum(sizes)) / (len(sizes) - 1)
    return max(0.0, (squares / (len(sizes) - 1) - within) / usual)


def _noise(prompt: str, answers: Sequence[Noisy], whole: Components) -> Rating:
    """The shares are those of the run: one prompt is too little to part them by."""
    value = stdev(answer.risk for answer in answers)
    told = ", ".join(f"{answer.risk:.2f}" for answer in answers[:12])
    why = f"risk {told}{', ...' if len(answers) > 12 else ''} in {len(answers)} answers"
    spreads = [answer.spread for answer in answers if answer.spread is not None]
    if len(spreads) == len(answers):
        why += f"; the judge alone is unsure by {math.sqrt(fmean(spreads)):.2f}"
    if any(len({answer.risk for answer in twins}) > 1 for twins in _equal(answers)):
        why += "; equal answers were judged differently, which is the judge's doing"
    elif value and whole.judge is None:
        why += f"; {UNPARTED}"
    return Rating(prompt, value, why, 1.0, whole.shares(), answers[0].answer_id)
