"""What the measures with a threshold make of the decision that the risk gave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gate.measures.base import Spec
from gate.measures.missing import counted, too_many
from gate.measures.summary import certain_ends, meets
from gate.measures.table import MEASURES
from gate.records import Decision, Measure, Score

if TYPE_CHECKING:
    from gate.config import RiskTolerance

_ORDER = (Decision.DEPLOY, Decision.WARN, Decision.BLOCK, Decision.INCONCLUSIVE)


def decide(score: Score, measures: Sequence[Measure], tolerance: RiskTolerance) -> Score:
    """The stricter of the score's decision and those of the measures, with a reason for each that is not met.

    A measure that counts and could not be taken is no pass: inconclusive. With `decide_on: interval` it is met only
    if its whole interval is, and missed only if none of it is; between, the run warns.
    """
    found = [pair for measure in measures if measure.threshold is not None for pair in _one(measure, tolerance)]
    worst = max([score.decision, *(decision for decision, _ in found)], key=_ORDER.index)
    return replace(score, decision=worst, reasons=(*score.reasons, *(why for _, why in found)))


def _one(measure: Measure, tolerance: RiskTolerance) -> Iterator[tuple[Decision, str]]:
    name, threshold = measure.name, measure.threshold
    spec = MEASURES.get(name)
    if measure.value is None or threshold is None or spec is None:
        yield Decision.INCONCLUSIVE, f"{name} has a threshold but was not measured: {_usual(measure)}"
        return
    rated = [rating.prompt_id for rating in measure.ratings]
    if too_many(measure.unjudged, rated, tolerance.max_unjudged):
        lost, asked = counted(measure.unjudged, rated)
        yield (
            Decision.INCONCLUSIVE,
            f"{name} could not be measured on {lost} of {asked} prompts, "
            f"more than the share of {tolerance.max_unjudged:g} that is allowed (max_unjudged): {_usual(measure)}",
        )
    sign = ">" if spec.less_is_better else "<"
    good, bad = _ends(measure, spec, tolerance.decide_on == "interval")
    if not meets(bad, threshold, spec):
        missed = not meets(good, threshold, spec)
        what, shown = name, _figure(spec, bad)
        if tolerance.decide_on == "interval":
            what = f"{'the whole' if missed else 'part of the'} interval of {name}"
            shown = f"{_figure(spec, min(good, bad))} to {_figure(spec, max(good, bad))}"
        yield (
            Decision.BLOCK if missed else Decision.WARN,
            f"{what} {shown} {sign} its threshold {_figure(spec, threshold)}",
        )


def _usual(measure: Measure) -> str:
    """The most frequent reason why a prompt has no rating, and how many have another; what could not be rated before
    what was left out."""
    found = Counter(measure.unjudged.values()) or Counter(measure.skipped.values())
    if not found:
        return "no answer could be rated"
    [(why, number)] = found.most_common(1)
    others = found.total() - number
    return why if not others else f"{why} ({number}), or another reason ({others})"


def _figure(spec: Spec, value: float) -> str:
    """With the unit, where the measure has one; milliseconds in full, however many; ∞ for an end that is not known."""
    if value == float("inf"):
        return "∞"
    short = f"{round(value, 1):.12g}" if spec.unit == "ms" else f"{value:.4g}"
    return f"{short} {spec.unit}".rstrip()


def _ends(measure: Measure, spec: Spec, whole: bool) -> tuple[float, float]:
    """(the best, the worst) that the value may be: twice the point where that decides."""
    value = measure.value or 0.0
    if not whole:
        return value, value
    low, high = certain_ends(spec, measure.interval, measure.n)
    return (low, high) if spec.less_is_better else (high, low)
