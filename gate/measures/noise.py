"""Noise: how much the risk of an answer varies when it is asked again, and whose doing that is.

By the law of total variance, for the risk of an answer drawn from the prompts, the repeats and the judge's labels:
the variance between the prompts' means, plus that between the repeats of a prompt (the model's), plus that of the
labels around the judge's probabilities, sum p(1 - p) / n^2 over the n claims of an answer (the judge's). The first two
by one-way random effects analysis of variance of the expected risks (Searle, Casella and McCulloch 1992, ch. 3).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, stdev, variance
from typing import Any

from gate.measures.agreement import chance_of
from gate.measures.base import Case, Outcome, Rating, Reading, Tools
from gate.measures.risk import WEIGHTS
from gate.records import Decision, Label, Verdict

ONCE = "it was asked once: set evaluation.repeats"
FEW = "fewer than two of its answers have claims"
UNLABELLED = "fewer than two of its answers have claims that were judged"
NEAR = 0.2  # of a probability of one half: a claim so near the line may well get the other label


@dataclass(frozen=True, slots=True)
class Noisy:
    """One answer: its risk by the labels; by the judge's probabilities its expected risk, and the variance of it that
    the labels have (None: the judge tells no probability)."""

    answer_id: str
    risk: float
    expected: float
    spread: float | None


@dataclass(frozen=True, slots=True)
class Parts:
    """The variance of an answer's risk, by where it comes from; `judge` is None where that tells no probability."""

    model: float
    between: float
    judge: float | None

    def shares(self) -> dict[str, float]:
        """Each part of the whole; empty where nothing varies."""
        found = {"model": self.model, "between_prompts": self.between}
        found |= {} if self.judge is None else {"judge": self.judge}
        total = sum(found.values())
        return {f"{name}_share": value / total for name, value in found.items()} if total > 0 else {}


def read(outcome: Outcome, options: Any, tools: Tools) -> Reading:
    """One rating a prompt: the standard deviation of its answers' risk over the repeats (n - 1 below)."""
    asked: dict[str, list[Case]] = defaultdict(list)
    for case in outcome.cases:
        asked[case.prompt.id].append(case)
    found = {prompt: [one for case in cases if (one := noisy(case))] for prompt, cases in asked.items()}
    usable = {prompt: answers for prompt, answers in found.items() if len(answers) > 1}
    rest = {prompt: cases for prompt, cases in asked.items() if prompt not in usable}
    unjudged = {prompt: UNLABELLED for prompt, cases in rest.items() if len(cases) > 1 and any(map(_unlabelled, cases))}
    skipped = {prompt: ONCE if len(cases) < 2 else FEW for prompt, cases in rest.items() if prompt not in unjudged}
    shares = parts(list(usable.values())).shares() if usable else {}
    return Reading(tuple(_rating(prompt, answers, shares) for prompt, answers in usable.items()), skipped, unjudged)


def noisy(case: Case) -> Noisy | None:
    """An answer's risk and how sure it is; None where none of its claims was judged."""
    judged = [verdict for verdict in case.verdicts if verdict.label in WEIGHTS]
    if not judged:
        return None
    chances = [chance_of(verdict) for verdict in judged]
    known = [chance for chance in chances if chance is not None]
    expected = fmean(
        WEIGHTS[verdict.label] if chance is None else chance for verdict, chance in zip(judged, chances, strict=True)
    )
    spread = sum(p * (1.0 - p) for p in known) / len(judged) ** 2 if len(known) == len(judged) else None
    return Noisy(case.answer.id, fmean(WEIGHTS[verdict.label] for verdict in judged), expected, spread)


def _unlabelled(case: Case) -> bool:
    """Whether an answer has claims, and the judge has labelled none of them."""
    return bool(case.verdicts) and noisy(case) is None


def parts(prompts: Sequence[Sequence[Noisy]]) -> Parts:
    """The parts over prompts of two or more answers each (at least one prompt).

    Within a prompt: the pooled variance of expected risks. Between: (MSB - MSW) / n0, not below 0, where n0 is the
    usual size of unequal groups. The judge's: the mean over all answers.
    """
    sizes = [len(answers) for answers in prompts]
    number, freedom = sum(sizes), sum(sizes) - len(sizes)
    within = sum(variance([a.expected for a in answers]) * (len(answers) - 1) for answers in prompts) / freedom
    between = 0.0
    if len(prompts) > 1:
        whole = fmean(a.expected for answers in prompts for a in answers)
        squares = sum(len(answers) * (fmean(a.expected for a in answers) - whole) ** 2 for answers in prompts)
        usual = (number - sum(size**2 for size in sizes) / number) / (len(sizes) - 1)
        between = max(0.0, (squares / (len(sizes) - 1) - within) / usual)
    spreads = [a.spread for answers in prompts for a in answers]
    known = [spread for spread in spreads if spread is not None]
    return Parts(within, between, fmean(known) if len(known) == len(spreads) else None)


def _rating(prompt: str, answers: Sequence[Noisy], shares: Mapping[str, float]) -> Rating:
    """The shares are those of the run: one prompt is too little to part them by."""
    value = stdev(answer.risk for answer in answers)
    told = ", ".join(f"{answer.risk:.2f}" for answer in answers[:12])
    why = f"risk {told}{', ...' if len(answers) > 12 else ''} in {len(answers)} answers"
    spreads = [answer.spread for answer in answers if answer.spread is not None]
    if len(spreads) == len(answers):
        why += f"; the judge alone is unsure by {math.sqrt(fmean(spreads)):.2f}"
    return Rating(prompt, value, why, 1.0, dict(shares), answers[0].answer_id)


def worth_judging_again(
    verdicts: Sequence[Verdict], decision: Callable[[Sequence[Verdict]], Decision]
) -> tuple[str, ...]:
    """The ids of the claims whose label is unsure, where other labels for them would change the decision; nearest to
    the line first. None where the decision stays the same if all of them are supported, and if none is: the risk is
    between these two, whatever a second look says, so it would be wasted."""
    unsure = [verdict for verdict in verdicts if near(verdict)]
    taken = {verdict.claim.id for verdict in unsure}
    now = decision(verdicts)
    worth: list[Verdict] = []
    for label in (Label.SUPPORTED, Label.UNSUPPORTED):
        other = [replace(v, label=label) if v.claim.id in taken else v for v in verdicts]
        if decision(other) is not now:
            worth += [verdict for verdict in unsure if verdict.label is not label and verdict not in worth]
    return tuple(verdict.claim.id for verdict in sorted(worth, key=_distance))


def near(verdict: Verdict) -> bool:
    """Whether the claim may as well have another label: the judge says so, or its probability is near one half."""
    if verdict.label not in WEIGHTS:
        return False
    return verdict.unsure or verdict.label is Label.WEAKLY_SUPPORTED or _distance(verdict) < NEAR


def _distance(verdict: Verdict) -> float:
    chance = chance_of(verdict)
    if chance is None:
        return 0.0 if verdict.label is Label.WEAKLY_SUPPORTED else 0.5
    return abs(chance - 0.5)
