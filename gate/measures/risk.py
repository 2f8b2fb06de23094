"""The risk of a run: the ledger of labels, the weighted share, its interval, and the decision with its reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from gate.records import Decision, Label, Ledger, Score
from gate.statistics.intervals import (
    WEIGHTS,
    JudgeError,
    Moments,
    cluster_interval,
    correct,
    decided,
    needed,
    sample_of,
)

if TYPE_CHECKING:
    from gate.config import RiskTolerance

STRICTNESS = (Decision.DEPLOY, Decision.WARN, Decision.BLOCK, Decision.INCONCLUSIVE)
_SHOWN = 160  # characters of a claim in a reason
_NAMED = 3  # claims or prompts that a reason names


@dataclass(frozen=True, slots=True)
class Labelled:
    """What the risk needs of a verdict: its label, the prompt whose claims it stands among, whether the documents deny
    the claim, whether a person accepted it, the claim itself, to be named, and the answer that makes it."""

    prompt_id: str
    label: Label
    contradicted: bool = False
    waived: bool = False
    claim: str = ""
    answer_id: str = ""

    @property
    def bad(self) -> bool:
        """Not supported, and accepted by nobody."""
        return self.label in (Label.UNSUPPORTED, Label.WEAKLY_SUPPORTED) and not self.waived


@dataclass(frozen=True, slots=True)
class PromptCourse:
    """A prompt and the ids of its answers. `failed`: answer id -> the first check that it fails, of those that do; None
    for a prompt without checks."""

    prompt_id: str
    answers: tuple[str, ...]
    must_pass: bool = False
    failed: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Course:
    """How the run went, beside its labels: prompts in all and failed, each counted once for every of its `repeats`;
    answers without a claim; what each prompt is held to, and how many of its answers must hold; what makes it void.
    `checked_alone`: every answer states nothing but calls of tools, and its prompt has checks."""

    prompts: int = 0
    failed_prompts: int = 0
    silent_answers: int = 0
    void: tuple[str, ...] = ()  # reasons that make any decision impossible: a supported canary, a limit, a lost claim
    repeats: int = 1
    must_hold: int = 1  # of the `repeats` answers to a prompt
    asked: tuple[PromptCourse, ...] = ()
    notes: tuple[str, ...] = ()  # what a reader should know beside the decision
    checked_alone: bool = False


def ledger(labelled: Iterable[Labelled], total: int) -> Ledger:
    """Count labels against the number of claims extracted."""
    held = list(labelled)
    count = Counter(item.label for item in held)
    return Ledger(
        total,
        count[Label.SUPPORTED],
        count[Label.WEAKLY_SUPPORTED],
        count[Label.UNSUPPORTED],
        count[Label.UNJUDGED],
        sum(item.waived for item in held),
    )


def risk(book: Ledger) -> float | None:
    """(unsupported x 1.0 + weakly_supported x 0.5) / judged claims; None where nothing was judged."""
    if not book.judged:
        return None
    return (book.unsupported * 1.0 + book.weakly_supported * 0.5) / book.judged


def clusters(labelled: Iterable[Labelled]) -> tuple[list[tuple[float, int]], float]:
    """(sum of weights, claims) of each prompt with a judged claim, and the sum of all squared weights."""
    sums: dict[str, tuple[float, int]] = {}
    squares = 0.0
    for item in labelled:
        if item.label in WEIGHTS:
            weight, count = sums.get(item.prompt_id, (0.0, 0))
            sums[item.prompt_id] = (weight + WEIGHTS[item.label], count + 1)
            squares += WEIGHTS[item.label] ** 2
    return list(sums.values()), squares


def score(
    labelled: Sequence[Labelled], total: int, course: Course, tolerance: RiskTolerance, error: JudgeError | None = None
) -> Score:
    """Everything together: what cannot be decided is inconclusive, the rest goes by the thresholds, and a denied claim
    or a prompt that must pass lifts it. `error` is the judge's, for `decide_on: corrected`."""
    counted = [item for item in labelled if not item.waived]
    book = ledger(counted, total - (len(labelled) - len(counted)))
    value, (prompts, squares) = risk(book), clusters(counted)
    band = cluster_interval(prompts, squares) if prompts else None
    doubts, corrected, decision = list(_doubts(book, course, tolerance)), None, Decision.INCONCLUSIVE
    if not doubts and value is not None and band is not None:
        if tolerance.decide_on == "corrected":
            decision, why, corrected = by_correction(Moments.of(prompts, squares), "prompts", tolerance, error)
        else:
            decision, why = by_threshold(value, band, tolerance)
        doubts = [why]
    elif not doubts:
        decision, doubts = Decision.DEPLOY, ["every answer only calls tools: the checks decide (min_claims: 0)"]
    lifting = [*_denied(counted, tolerance), *_unheld(labelled, course, tolerance)]
    decision = max([decision, *(found for found, _ in lifting)], key=STRICTNESS.index)
    reasons = (*(why for _, why in lifting), *doubts, *_silence(course), *course.notes)
    return Score(decision, value, band, ledger(labelled, total), reasons, corrected)


def _doubts(book: Ledger, course: Course, tolerance: RiskTolerance) -> Iterable[str]:
    """Why no decision may be made, if anything."""
    yield from course.void
    if not book.balanced:
        yield f"{book.total} claims were extracted but {book.judged + book.unjudged} came back: the run lost some"
    if book.judged < (fewest := _fewest(book, course, tolerance)):
        claims = "1 claim" if book.judged == 1 else f"{book.judged or 'no'} claims"
        yield f"{claims} could be judged, at least {fewest} {'is' if fewest == 1 else 'are'} needed (min_claims)"
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


def _fewest(book: Ledger, course: Course, tolerance: RiskTolerance) -> int:
    """How many judged claims a decision needs: `min_claims`, where 0 is for runs that checks decide alone."""
    alone = course.checked_alone and not book.total and tolerance.checks != "ignore"
    return tolerance.min_claims if alone else max(1, tolerance.min_claims)


def _denied(labelled: Sequence[Labelled], tolerance: RiskTolerance) -> Iterable[tuple[Decision, str]]:
    """What a claim that the documents deny leads to at least, with the reason."""
    denied = [item for item in labelled if item.contradicted]
    if denied and tolerance.contradicted != "ignore":
        prompts = list(dict.fromkeys(clip(item.prompt_id) for item in denied))
        claims = f"{len(denied)} claim{'' if len(denied) == 1 else 's'}"
        named = f"prompt{'' if len(prompts) == 1 else 's'} {_first(prompts)}"
        what = f"the documents deny {claims}, in {named} (contradicted: {tolerance.contradicted})"
        yield Decision(tolerance.contradicted), what


def _first(names: Sequence[str]) -> str:
    """The first _NAMED of the names, and how many more there are."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def holding(labelled: Iterable[Labelled], asked: Iterable[PromptCourse]) -> dict[str, int]:
    """prompt id -> how many of its answers hold: no claim that is not supported (a waiver accepts it) or not judged,
    no check failed, and at least one claim or check that was decided."""
    labels: dict[str, list[Labelled]] = {}
    for item in labelled:
        labels.setdefault(item.answer_id, []).append(item)

    def holds(name: str, failed: Mapping[str, str] | None) -> bool:
        claims = labels.get(name, [])
        wrong = any(item.bad or item.label is Label.UNJUDGED for item in claims) or name in (failed or {})
        return not wrong and (bool(claims) or failed is not None)

    return {one.prompt_id: sum(holds(name, one.failed) for name in one.answers) for one in asked}


def passing(asked: PromptCourse) -> int:
    """How many answers to a prompt fail no check."""
    return len(asked.answers) - len(asked.failed or ())


def _unheld(labelled: Sequence[Labelled], course: Course, tolerance: RiskTolerance) -> Iterable[tuple[Decision, str]]:
    """What prompts that do not hold in enough of their answers lead to at least, with the reason."""
    must = [one for one in course.asked if one.must_pass]
    checked = [one for one in course.asked if one.failed is not None]
    passed = {one.prompt_id: passing(one) for one in checked}
    due = "" if course.must_hold == course.repeats else f", pass: {course.must_hold}"
    for effect, asked, counts, what, key in (
        (tolerance.must_pass, must, holding(labelled, must), "that must pass {} not hold", "must_pass"),
        (tolerance.checks, checked, passed, "with checks {} not pass", "checks"),
    ):
        failed = [one for one in asked if counts[one.prompt_id] < course.must_hold]
        if failed and effect != "ignore":
            named = _first([_named(one, counts[one.prompt_id], course.repeats) for one in failed])
            prompts = f"{len(failed)} of {len(asked)} prompt{'' if len(asked) == 1 else 's'}"
            verb = what.format("does" if len(failed) == 1 else "do")
            yield Decision(effect), f"{prompts} {verb}: {named} ({key}: {effect}{due})"


def _named(asked: PromptCourse, good: int, repeats: int) -> str:
    """`q7 (the answer does not contain "30 days"; 2 of 3 answers hold)`, as far as there is something to say."""
    why = next(iter((asked.failed or {}).values()), "")
    told = [clip(why)] * bool(why) + [f"{good} of {repeats} answers hold"] * (repeats > 1)
    return clip(asked.prompt_id) + (f" ({'; '.join(told)})" if told else "")


def clip(text: str) -> str:
    """A text in one line, cut where it is too long for a reason."""
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1].rstrip() + "…"


def _silence(course: Course) -> Iterable[str]:
    if course.silent_answers:
        one = course.silent_answers == 1
        yield (
            f"{course.silent_answers} answer{'' if one else 's'} made no claim (refusals and the like) "
            f"and count{'s' if one else ''} for nothing"
        )


def by_threshold(value: float, band: tuple[float, float], tolerance: RiskTolerance) -> tuple[Decision, str]:
    """What a risk and its interval lead to, with the reason; by the interval wherever `decide_on` is not point."""
    deploy, warn = tolerance.deploy_threshold, tolerance.warn_threshold
    low, high = (value, value) if tolerance.decide_on == "point" else band
    name = "risk" if tolerance.decide_on == "point" else "upper bound of the risk"
    if high <= deploy:
        return Decision.DEPLOY, f"{name} {high:.3f} is within the deploy threshold of {deploy:g}"
    if low > warn:
        name = name.replace("upper", "lower")
        return Decision.BLOCK, f"{name} {low:.3f} is above the warn threshold of {warn:g}"
    lower = "" if tolerance.decide_on == "point" else f"lower bound {low:.3f} is "
    above = f"{name} {high:.3f} is above the deploy threshold of {deploy:g}"
    return Decision.WARN, f"{above}, {lower}within the warn threshold of {warn:g}"


def by_correction(
    moments: Moments, clusters: str, tolerance: RiskTolerance, error: JudgeError | None
) -> tuple[Decision, str, dict[str, float] | None]:
    """What the true share of claims that are not supported leads to, with the reason and the figures; inconclusive
    where the test decides nothing. `clusters` is what the claims are clustered in, in a word."""
    if error is None:
        return Decision.INCONCLUSIVE, "decide_on: corrected needs a calibration of this judge (gate calibrate)", None
    deploy, warn = tolerance.deploy_threshold, tolerance.warn_threshold
    sample = sample_of(moments)
    found = correct(sample, error)
    figures = asdict(found)
    known = f"the true risk is {found.low:.3f} to {found.high:.3f} (each end with 95 %)"
    word = decided(found, deploy, warn)
    if word:
        ends = {
            "deploy": f"below the deploy threshold {deploy:g}",
            "block": f"above the warn threshold {warn:g}",
            "warn": f"between the thresholds {deploy:g} and {warn:g}",
        }
        return Decision(word), f"{known}, {ends[word]}", figures
    by_prompts, by_labels = needed(sample, error, deploy, warn)
    ways = [] if by_prompts is None else [f"about {round((by_prompts - 1) * moments.clusters):,} more {clusters}"]
    if by_labels is not None:
        ways.append(f"{by_labels:.1f} times as many labels for gate calibrate")
    advice = " or ".join(ways) or f"more {clusters} and more labels for gate calibrate, both,"
    return Decision.INCONCLUSIVE, f"{known}, which decides nothing: {advice} would, if it stays so", figures
