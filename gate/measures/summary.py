"""The table of the measures, and from the answers of a run to their numbers and to the decision.

A new measure is a function `rate_NAME` and an entry of MEASURES; all others ask this table."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pkgutil import resolve_name
from statistics import NormalDist
from typing import TYPE_CHECKING

from gate.config import AtMost, Correctness, Cost, Latency, Overall, Relevance
from gate.measures.base import Answered, Case, Plan, ProbePassages, Reading, Spec, Tools, lost, unreferenced
from gate.measures.risk import STRICTNESS
from gate.records import Decision, Measure, Rating, Score
from gate.statistics.intervals import (
    P95,
    Z95,
    cluster_interval,
    mean_interval,
    quantile,
    quantile_interval,
    quantile_ranks,
)

if TYPE_CHECKING:
    from gate.config import RiskTolerance

LEVEL = 0.05  # of the tests of all measures that count, together
PARAPHRASES = {"paraphrase-1": ProbePassages.OWN, "paraphrase-2": ProbePassages.OWN}
CHANGES = dict.fromkeys(("typos", "case", "politeness", "order"), ProbePassages.OWN) | {
    "distractor": ProbePassages.MORE
}
EVIDENCE = {"withheld": ProbePassages.NONE, "contradicted": ProbePassages.OWN}
MEASURES: Mapping[str, Spec] = {
    "faithfulness": Spec(
        "gate.measures.claims:rate_faithfulness",
        "Share of the claims that the contexts bear out which the assistant itself was given.",
    ),
    "hallucination": Spec(
        "gate.measures.claims:rate_hallucination",
        "Share of the claims that the assistant's own contexts do not bear out: 1 − faithfulness.",
        AtMost,
        less_is_better=True,
    ),
    "relevance": Spec(
        "gate.measures.relevance:rate_relevance",
        "How close an answer is to its question and to the contexts.",
        Relevance,
    ),
    "context_relevance": Spec(
        "gate.measures.relevance:rate_contexts",
        "How close the contexts are to the question that they were fetched for.",
    ),
    "completeness": Spec(
        "gate.measures.relevance:rate_completeness", "Share of what a question asks for that its answer covers."
    ),
    "overall": Spec(
        "gate.measures.simple:rate_overall", "Relevance, faithfulness and completeness in one number.", Overall
    ),
    "correctness": Spec(
        "gate.measures.claims:rate_correctness",
        "Grade of an answer against the reference answer, from 1 (wrong) to 5 (right and complete).",
        Correctness,
        scale=(1.0, 5.0),
        needs=unreferenced,
        decimals=2,
    ),
    "consistency": Spec(
        "gate.measures.stability:rate_consistency",
        "Share of the facts that stay the same when the same is asked again or in other words.",
        plan=Plan(PARAPHRASES, rephrases=True, repeats=True),
    ),
    "sensitivity": Spec(
        "gate.measures.stability:rate_sensitivity",
        "Share of the facts that change with typos, case, politeness, word order or a distractor.",
        AtMost,
        less_is_better=True,
        plan=Plan(CHANGES),
    ),
    "retrieval_dependency": Spec(
        "gate.measures.stability:rate_retrieval_dependency",
        "Share of the answers that change when their evidence is withheld or contradicted.",
        plan=Plan(EVIDENCE, evidence=True),
    ),
    "abstention": Spec(
        "gate.measures.abstention:rate_abstention",
        "Share of the answers that rightly answer or rightly decline.",
    ),
    "noise": Spec(
        "gate.measures.simple:rate_noise",
        "Standard deviation of the risk of an answer when the same prompt is asked again.",
        AtMost,
        less_is_better=True,
        decimals=4,
        repeats=True,
    ),
    "latency": Spec(
        "gate.measures.simple:rate_latency",
        "Time that 95 of 100 answers do not exceed.",
        Latency,
        scale=None,
        less_is_better=True,
        figure="p95",
        unit="ms",
    ),
    "cost": Spec(
        "gate.measures.simple:rate_cost",
        "What an answer costs on average, by its tokens and the table of prices.",
        Cost,
        scale=None,
        less_is_better=True,
        unit="USD",
    ),
}


CRITERION = Spec("", "Share of the answers that meet the criterion, by the judge's model.")


def plans() -> dict[str, Plan]:
    """name -> the plan of every measure that needs probes."""
    return {name: spec.plan for name, spec in MEASURES.items() if spec.plan}


def rate_run(name: str, run: Answered, options: object, tools: Tools) -> Reading:
    """What a measure reads of a run. A prompt that has not all its answers is unjudged, whatever the measure makes of
    those that are there, or skipped where it does not apply to the prompt whatever the answer is.
    Errors: LimitError, and ProviderError of those that ask a model."""
    spec = MEASURES[name]
    left = {case.prompt.id: why for case in run.cases if (why := _unrated(case, spec))}
    rest = tuple(case for case in run.cases if not _unrated(case, spec))
    reading: Reading = resolve_name(spec.rate)(replace(run, cases=rest), options, tools)
    gone = lost(run, name)
    asked = {prompt.id: prompt for prompt in (*(case.prompt for case in run.cases), *run.missing)}
    beside = {prompt: why for prompt in gone if prompt in asked and (why := spec.needs(asked[prompt]))}
    unjudged = {prompt: why for prompt, why in {**gone, **reading.unjudged}.items() if prompt not in beside}
    rated = {case.prompt.id for case in rest}
    left = {prompt: why for prompt, why in left.items() if prompt not in rated}
    skipped = {prompt: why for prompt, why in {**left, **reading.skipped}.items() if prompt not in gone}
    return Reading(reading.ratings, skipped | beside, unjudged)


def _unrated(case: Case, spec: Spec) -> str:
    """Why a measure has nothing to rate in an answer; empty where it has."""
    if spec.unit:
        return "it stands in the conversation: the run did not ask for it" if case.prompt.recorded else ""
    return unsaid(case)


def unsaid(case: Case) -> str:
    """Why an answer has no words to rate; empty where it has."""
    return "it calls a tool, and says nothing" if case.answer.only_calls else ""


def counted(lost: Collection[str], rated: Iterable[str]) -> tuple[int, int]:
    """(prompts that could not be rated, in whole or in part; prompts that should have been), by their ids."""
    return len(lost), len({*lost, *rated})


def too_many(lost: Collection[str], rated: Iterable[str], most: float) -> bool:
    """Whether a larger share of the prompts could not be rated than `most`."""
    gone, asked = counted(lost, rated)
    return bool(gone) and gone / asked > most


def unpassed(measures: Iterable[Measure], most: float) -> list[Measure]:
    """The measures; one that could not rate a larger share of its prompts than `most` has not passed, nor failed."""
    return [
        replace(one, passed=None) if too_many(one.unjudged, (r.prompt_id for r in one.ratings), most) else one
        for one in measures
    ]


def measured(name: str, reading: Reading, threshold: float | None, spec: Spec | None = None) -> Measure:
    """The number that a reading gives of a measure: the weighted mean, or the p95 (nearest rank). Prompts without a
    rating are told, and do not count in it. `spec`: that of a criterion, which is not in the table."""
    spec, ratings = spec or MEASURES[name], reading.ratings
    weight = sum(rating.weight for rating in ratings)
    if spec.figure == "p95":
        value = quantile([rating.value for rating in ratings], P95)
    else:
        value = sum(rating.weight * rating.value for rating in ratings) / weight if weight else None
    return Measure(
        name,
        value,
        _interval(ratings, spec) if ratings else None,
        len(ratings),
        threshold,
        None if threshold is None or value is None else meets(value, threshold, spec),
        _details(ratings, spec),
        ratings,
        dict(reading.skipped),
        dict(reading.unjudged),
    )


def meets(value: float, threshold: float, spec: Spec) -> bool:
    """Whether a value is on the good side of its threshold, or on it."""
    return value <= threshold if spec.less_is_better else value >= threshold


def _interval(ratings: Sequence[Rating], spec: Spec) -> tuple[float, float] | None:
    if spec.figure == "p95":
        return quantile_interval([rating.value for rating in ratings])
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])  # by prompt: its repeats are no new evidence
    for rating in ratings:
        sums[rating.prompt_id][0] += rating.weight * rating.value
        sums[rating.prompt_id][1] += rating.weight
    clusters = [(total, weight) for total, weight in sums.values() if weight > 0]
    if not clusters:
        return None
    if spec.scale:
        return _bounded(clusters, spec.scale)
    return mean_interval([total / weight for total, weight in clusters])


def _bounded(clusters: Sequence[tuple[float, float]], scale: tuple[float, float]) -> tuple[float, float]:
    """As for the risk: Wilson's interval at the effective size, on the scale stretched to 0..1."""
    low, span = scale[0], scale[1] - scale[0]
    whole = [((total / weight - low) / span, weight) for total, weight in clusters]
    # A prompt's weight is that of its claims; what has no claims to count is one observation.
    sizes = [(share * max(1, round(weight)), max(1, round(weight))) for share, weight in whole]
    squares = sum((total / size) ** 2 * size for total, size in sizes)
    ends = cluster_interval(sizes, squares)
    return low + span * ends[0], low + span * ends[1]


def certain_ends(spec: Spec, interval: Sequence[float] | None, n: int) -> tuple[float, float]:
    """(low, high) that the value surely is between, with 95 %: the interval, or the whole scale where there is none.
    The p95 of few values may lie above all of them, so it has no upper end."""
    if interval is None:
        return (0.0, math.inf) if spec.scale is None else spec.scale
    return interval[0], math.inf if spec.figure == "p95" and quantile_ranks(n)[1] > n else interval[1]


def _details(ratings: Sequence[Rating], spec: Spec) -> Mapping[str, float]:
    """The parts, averaged as the measure is; of what is told by its p95 also the median."""
    middle = quantile([rating.value for rating in ratings], 0.5) if spec.figure == "p95" else None
    details = {} if middle is None else {"p50": middle}
    for part in sorted({part for rating in ratings for part in rating.parts}):
        having = [rating for rating in ratings if part in rating.parts]
        weight = sum(rating.weight for rating in having)
        if weight:
            details[part] = sum(rating.weight * rating.parts[part] for rating in having) / weight
    return details


def decide(score: Score, measures: Sequence[Measure], tolerance: RiskTolerance) -> Score:
    """The stricter of the score's decision and those of the measures, with a reason for each that is not met.

    A measure that counts and could not be taken is no pass: inconclusive. With `decide_on: interval` it is met only
    if its whole interval is, and missed only if none of it is; between, the run warns. With `corrected` it is missed
    only where a test says so after Holm's correction (1979) over all that count: one of many misses by chance.
    """
    counting = [measure for measure in measures if measure.threshold is not None]
    missed = _missed(counting) if tolerance.decide_on == "corrected" else None
    found = [pair for measure in counting for pair in _by_threshold(measure, tolerance, missed)]
    worst = max([score.decision, *(decision for decision, _ in found)], key=STRICTNESS.index)
    return replace(score, decision=worst, reasons=(*score.reasons, *(why for _, why in found)))


def _by_threshold(
    measure: Measure, tolerance: RiskTolerance, missing: frozenset[str] | None
) -> Iterator[tuple[Decision, str]]:
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
    side = "above" if spec.less_is_better else "below"
    good, bad = _ends(measure, spec, tolerance.decide_on != "point")
    if not meets(bad, threshold, spec):
        missed = not meets(good, threshold, spec) if missing is None else name in missing
        what, figures = name, _shown(spec, bad)
        if tolerance.decide_on != "point":
            what = f"{'the whole' if missed else 'part of the'} interval of {name}"
            figures = f"{_shown(spec, min(good, bad))} to {_shown(spec, max(good, bad))}"
        yield (
            Decision.BLOCK if missed else Decision.WARN,
            f"{what} {figures} is {side} its threshold of {_shown(spec, threshold)}",
        )


def _missed(measures: Sequence[Measure]) -> frozenset[str]:
    """The measures that surely miss their thresholds, at 5 % for all together (Holm's step-down)."""
    chances = []
    for measure in measures:
        spec = MEASURES.get(measure.name)
        if spec is None or measure.value is None or measure.threshold is None or measure.interval is None:
            continue
        error = max((measure.interval[1] - measure.interval[0]) / (2 * Z95), 1e-12)
        beyond = (measure.value - measure.threshold) * (1 if spec.less_is_better else -1)
        chances.append((NormalDist().cdf(-beyond / error), measure.name))
    missed = set()
    for place, (chance, name) in enumerate(sorted(chances)):
        if chance > LEVEL / (len(chances) - place):
            break
        missed.add(name)
    return frozenset(missed)


def _usual(measure: Measure) -> str:
    """The most frequent reason why a prompt has no rating, and how many have another; what could not be rated before
    what was left out."""
    found = Counter(measure.unjudged.values()) or Counter(measure.skipped.values())
    if not found:
        return "no answer could be rated"
    [(why, number)] = found.most_common(1)
    others = found.total() - number
    return why if not others else f"{why} ({number}), or another reason ({others})"


def _shown(spec: Spec, value: float) -> str:
    """With the unit, where the measure has one; milliseconds in full, however many; ∞ for an end that is not known."""
    if value == math.inf:
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
