"""The risk of a run: the ledger of labels, the weighted share, its interval, and the decision with its reasons."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gate.records import Decision, Label, Ledger, Score

if TYPE_CHECKING:
    from gate.config import RiskTolerance

WEIGHTS: Mapping[Label, float] = {Label.SUPPORTED: 0.0, Label.WEAKLY_SUPPORTED: 0.5, Label.UNSUPPORTED: 1.0}
Z95 = 1.959963984540054
# Claims of one answer tend to be right or wrong together. Where the data cannot show how much (no wrong claim at all,
# or one prompt), this intra-class correlation is assumed.
ASSUMED_CORRELATION = 0.1
ASSUMED_PROMPTS = 2  # what the assumption weighs, in prompts
LEAST = 0.75  # of the variance of independent claims: a calmer sample than that is luck


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


def student_t95(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t, by the Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5)."""
    z, v = Z95, float(max(freedom, 1))
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )


def effective_size(clusters: Sequence[tuple[float, int]], share: float, alone: float | None = None) -> float:
    """How many independent claims the clustered ones are worth.

    `clusters` holds (sum of weights, claims) of each prompt; `alone` is the variance of one claim's weight, by default
    that of weights 0 and 1. The design effect is the linearised variance of the ratio over prompts (Cochran, Sampling
    Techniques, 6.3) over `share (1 - share) / claims`. A few prompts estimate it badly, so it is mixed with what
    ASSUMED_CORRELATION would give, as if that had been seen on ASSUMED_PROMPTS more, and it never falls below LEAST of
    independent claims. The size is shrunk by (z / t)^2 for the prompts it was estimated from (Korn and Graubard 1998).
    """
    claims, prompts = sum(m for _, m in clusters), len(clusters)
    if prompts < 2:
        return 1.0
    assumed = 1 + (sum(m * m for _, m in clusters) / claims - 1) * ASSUMED_CORRELATION
    if not 0 < share < 1:
        return claims / assumed * (Z95 / student_t95(prompts - 1)) ** 2
    binary = share * (1 - share)
    single = max(LEAST, 1.0 if alone is None else alone / binary)  # half weights vary less than 0 and 1
    spread = sum((y - share * m) ** 2 for y, m in clusters) * prompts / (prompts - 1)
    own = (prompts - 1) / (prompts - 1 + ASSUMED_PROMPTS)
    effect = own * spread / claims / binary + (1 - own) * assumed * single
    return claims / max(effect, LEAST * single) * (Z95 / student_t95(prompts - 1 + ASSUMED_PROMPTS)) ** 2


def wilson(share: float, size: float) -> tuple[float, float]:
    """Wilson's 95 % score interval (1927) for a share of `size` (effective) observations, within 0..1."""
    z2 = Z95**2
    centre = (share + z2 / (2 * size)) / (1 + z2 / size)
    half = Z95 / (1 + z2 / size) * math.sqrt(share * (1 - share) / size + z2 / (4 * size * size))
    return (max(0.0, centre - half) if share > 0 else 0.0, min(1.0, centre + half) if share < 1 else 1.0)


def interval(labelled: Iterable[Labelled]) -> tuple[float, float] | None:
    """The 95 % interval of the risk: Wilson's, at the effective size of claims clustered in prompts."""
    sums: dict[str, tuple[float, int]] = {}
    squares = 0.0
    for item in labelled:
        if item.label in WEIGHTS:
            weight, count = sums.get(item.prompt_id, (0.0, 0))
            sums[item.prompt_id] = (weight + WEIGHTS[item.label], count + 1)
            squares += WEIGHTS[item.label] ** 2
    return interval_of(list(sums.values()), squares) if sums else None


def interval_of(clusters: Sequence[tuple[float, int]], squares: float) -> tuple[float, float]:
    """The same of (sum of weights, claims) for each prompt and the sum of all squared weights."""
    claims = sum(m for _, m in clusters)
    share = sum(y for y, _ in clusters) / claims
    return wilson(share, effective_size(clusters, share, squares / claims - share**2))


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
