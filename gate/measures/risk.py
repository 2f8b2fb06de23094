"""The risk of a run: the ledger of labels, the weighted share, its interval, and the decision with its reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gate.records import Decision, Label, Ledger, Score
from gate.statistics.intervals import WEIGHTS, cluster_interval

if TYPE_CHECKING:
    from gate.config import RiskTolerance


@dataclass(frozen=True, slots=True)
class Labelled:
    """What the risk needs of a verdict: its label, and the prompt whose claims it stands among."""

    prompt_id: str
    label: Label


@dataclass(frozen=True, slots=True)
class Course:
    """How the run went, beside its labels: prompts in all and failed, each counted once for every of its `repeats`;
    answers without a claim, what makes it void."""

    prompts: int = 0
    failed_prompts: int = 0
    silent_answers: int = 0
    void: tuple[str, ...] = ()  # reasons that make any decision impossible: a supported canary, a limit, a lost claim
    repeats: int = 1


def ledger(labels: Iterable[Label], total: int) -> Ledger:
    """Count labels against the number of claims extracted."""
    count = Counter(labels)
    return Ledger(
        total,
        count[Label.SUPPORTED],
        count[Label.WEAKLY_SUPPORTED],
        count[Label.UNSUPPORTED],
        count[Label.UNJUDGED],
    )


def risk(book: Ledger) -> float | None:
    """(unsupported x 1.0 + weakly_supported x 0.5) / judged claims; None where nothing was judged."""
    if not book.judged:
        return None
    return (book.unsupported * 1.0 + book.weakly_supported * 0.5) / book.judged


def interval(labelled: Iterable[Labelled]) -> tuple[float, float] | None:
    """The 95 % interval of the risk: Wilson's, at the effective size of claims clustered in prompts."""
    sums: dict[str, tuple[float, int]] = {}
    squares = 0.0
    for item in labelled:
        if item.label in WEIGHTS:
            weight, count = sums.get(item.prompt_id, (0.0, 0))
            sums[item.prompt_id] = (weight + WEIGHTS[item.label], count + 1)
            squares += WEIGHTS[item.label] ** 2
    return cluster_interval(list(sums.values()), squares) if sums else None


def score(labelled: Sequence[Labelled], total: int, course: Course, tolerance: RiskTolerance) -> Score:
    """Everything together: what cannot be decided is inconclusive, the rest goes by the thresholds."""
    book = ledger((item.label for item in labelled), total)
    value, band = risk(book), interval(labelled)
    doubts = tuple(_doubts(book, course, tolerance))
    notes = tuple(_notes(course))
    if doubts or value is None or band is None:
        return Score(Decision.INCONCLUSIVE, value, band, book, doubts + notes)
    decision, why = _by_threshold(value, band, tolerance)
    return Score(decision, value, band, book, (why, *notes))


def _doubts(book: Ledger, course: Course, tolerance: RiskTolerance) -> Iterable[str]:
    """Why no decision may be made, if anything."""
    yield from course.void
    if not book.balanced:
        yield f"{book.total} claims were extracted but {book.judged + book.unjudged} came back: the run lost some"
    if book.judged < tolerance.min_claims:
        claims = "1 claim" if book.judged == 1 else f"{book.judged or 'no'} claims"
        needed = f"{tolerance.min_claims} {'is' if tolerance.min_claims == 1 else 'are'} needed"
        yield f"{claims} could be judged, at least {needed} (min_claims)"
    if book.total and book.unjudged / book.total > tolerance.max_unjudged:
        yield (
            f"{book.unjudged} of {book.total} claims were not judged, "
            f"more than the share of {tolerance.max_unjudged:g} that is allowed (max_unjudged)"
        )
    if course.prompts and course.failed_prompts / course.prompts > tolerance.max_unjudged:
        what = "prompts got no answer" if course.repeats == 1 else f"answers are missing (repeats: {course.repeats})"
        yield (
            f"{course.failed_prompts} of {course.prompts} {what}, "
            f"more than the share of {tolerance.max_unjudged:g} that is allowed (max_unjudged)"
        )


def _notes(course: Course) -> Iterable[str]:
    """What a reader should know beside the decision."""
    if course.silent_answers:
        one = course.silent_answers == 1
        yield (
            f"{course.silent_answers} answer{'' if one else 's'} made no claim (refusals and the like) "
            f"and count{'s' if one else ''} for nothing"
        )


def _by_threshold(value: float, band: tuple[float, float], tolerance: RiskTolerance) -> tuple[Decision, str]:
    deploy, warn = tolerance.deploy_threshold, tolerance.warn_threshold
    low, high = (value, value) if tolerance.decide_on == "point" else band
    name = "risk" if tolerance.decide_on == "point" else "upper bound of the risk"
    if high <= deploy:
        return Decision.DEPLOY, f"{name} {high:.3f} <= deploy threshold {deploy:g}"
    if low > warn:
        name = name.replace("upper", "lower")
        return Decision.BLOCK, f"{name} {low:.3f} > warn threshold {warn:g}"
    return Decision.WARN, f"{name} {high:.3f} > deploy threshold {deploy:g}" + (
        f", <= warn threshold {warn:g}" if tolerance.decide_on == "point" else f", lower bound {low:.3f} <= {warn:g}"
    )
