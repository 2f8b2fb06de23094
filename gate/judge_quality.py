"""What a run makes of the kept calibration: the judge's measured quality, or why it does not satisfy judge.require."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.errors import InputFileError, UsageError
from gate.records import JudgeInfo
from gate.reports.calibration import FIGURES, CalibrationDocument, load
from gate.statistics.intervals import Figure, JudgeError, judge_error

if TYPE_CHECKING:
    from gate.config import Require

LEAST = 50  # labelled claims of either kind from which on the judge's error can be taken off
NAME = "calibration.json"  # in the gate's own folder
_ROUNDED = 1e-4  # figures are written with six digits
_AGAIN = "run gate calibrate with labelled claims"
_MAKE = "gate calibrate LABELS.jsonl makes it; docs/how-to/calibrate.md says how to label"
_PEOPLE = ("supported", "weakly_supported", "unsupported")
_WEIGHTS = ("risk_if_all_supported", "risk_if_none_supported")


def kept(path: Path, judge: JudgeInfo) -> CalibrationDocument:
    """The calibration of this very judge: provider, model and version of its prompt or weights. Errors: UsageError,
    which says why there is none that counts; InputFileError where the file cannot be read."""
    if not path.exists():
        raise UsageError("the judge is not calibrated, and judge.require asks for it")
    document = load(path)
    known = tuple(document["judge"][name] for name in ("provider", "model", "prompt_version"))
    asked = judge.provider, judge.model, judge.prompt_version
    if known != asked:
        raise UsageError(f"another judge was calibrated ({' '.join(known)}), not this one ({' '.join(asked)})")
    if why := unmeasured(document):
        raise UsageError(why)
    return document


def unmeasured(document: CalibrationDocument) -> str:
    """Why the figures are no measure of the judge, if they are none: they speak of the smaller part of the claims, or
    the balanced accuracy is more than the figures that it is the mean of give."""
    left, n = document["unjudged"], document["data"]["n"]
    if document["judged"] < max(left, 1):
        return f"the judge left {left:,} of {n:,} labelled claims unjudged, so it is not calibrated"
    told, *halves = (document[name]["value"] for name in ("balanced_accuracy", "recall", "specificity"))
    known = [half for half in halves if half is not None]
    if told is None or (len(known) == len(halves) and told <= sum(known) / len(known) + _ROUNDED):
        return ""
    return f"the calibration's balanced accuracy of {told:.3f} does not follow from its recall and specificity"


def quality(folder: Path, judge: JudgeInfo, name: str = NAME) -> dict[str, Any] | None:
    """The figures of the kept calibration, for a verdict; None where this judge has none that can be read. `name`: the
    file of a criterion."""
    try:
        document = kept(folder / name, judge)
    except UsageError:
        return None
    figures = {name: document[name] for name in FIGURES}  # type: ignore[literal-required]
    weights = {name: document["gate"][name] for name in _WEIGHTS}  # type: ignore[literal-required]
    return {**figures, **weights, "data": document["data"], "created": document["created"]}


def measured_error(folder: Path, judge: JudgeInfo) -> tuple[JudgeError, tuple[tuple[float, float], ...]]:
    """(the judge's error, the claims that people call supported and others by bin of the judge's chance) of the kept
    calibration. Errors: UsageError where it is missing, another judge's, or shows too little."""
    path = folder / NAME
    if not path.exists():
        raise UsageError("risk_tolerance.decide_on: corrected needs a calibration of the judge", _MAKE)
    try:
        document = kept(path, judge)
    except UsageError as fault:
        raise UsageError(f"risk_tolerance.decide_on: corrected: {path}: {fault.message}", _MAKE) from fault
    rows = document["confusion"]
    good, *others = (sum(n for label, n in rows[name].items() if label != "unjudged") for name in _PEOPLE)
    if min(good, sum(others)) < LEAST:
        raise UsageError(
            f"{path}: {good} supported and {sum(others)} other labelled claims are too few for decide_on: corrected",
            f"{LEAST} of either kind are needed: {_MAKE}",
        )
    error = error_of(document["gate"])
    if error is None:
        raise UsageError(f"{path}: the judge does not tell supported claims from others", "use another judge")
    bins = document["reliability"]
    known = tuple((b["n"] * (1 - (b["observed"] or 0.0)), b["n"] * (b["observed"] or 0.0)) for b in bins)
    return error, known


def error_of(weights: Mapping[str, Any]) -> JudgeError | None:
    """The judge's error from the two mean weights of a calibration; None where they show none."""
    figures = []
    for name in _WEIGHTS:
        entry = weights.get(name)
        if not isinstance(entry, Mapping) or entry.get("value") is None or not entry.get("interval"):
            return None
        figures.append(Figure(entry["value"], tuple(entry["interval"])))
    return judge_error(*figures)


def doubts(require: Require | None, folder: Path, judge: JudgeInfo, now: datetime | None = None) -> Iterator[str]:
    """Why a run with this judge cannot be decided under `judge.require`, if it cannot."""
    if require is None:
        return
    try:
        document = kept(folder / NAME, judge)
    except InputFileError as error:
        yield f"the judge's calibration cannot be read ({error.message.splitlines()[0]}): {_AGAIN}"
    except UsageError as error:
        yield f"{error.message}: {_AGAIN}"
    else:
        yield from _unfit(require, document, now or datetime.now(UTC))


def _unfit(require: Require, document: CalibrationDocument, now: datetime) -> Iterator[str]:
    value, interval = document["balanced_accuracy"]["value"], document["balanced_accuracy"]["interval"]
    if require.balanced_accuracy is not None and (value is None or value < require.balanced_accuracy):
        told = "not known" if value is None else f"{value:.3f}"
        told += f" (95 % interval {interval[0]:.3f} to {interval[1]:.3f})" if interval and value is not None else ""
        yield f"the judge's balanced accuracy is {told}, judge.require asks for {require.balanced_accuracy:g}"
    if require.max_age_days is None:
        return
    age = _age(document["created"], now)
    if age is None:
        yield f"the judge's calibration has no date that can be read ({document['created'][:40]!r}): {_AGAIN}"
    elif age > timedelta(days=require.max_age_days):
        yield f"the judge's calibration is {age.days} days old, judge.require allows {require.max_age_days:g}: {_AGAIN}"
    elif age < timedelta(days=-1):
        yield f"the judge's calibration is dated in the future ({document['created'][:40]}): {_AGAIN}"


def _age(created: str, now: datetime) -> timedelta | None:
    try:
        made = datetime.fromisoformat(created)
        return now - (made if made.tzinfo else made.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None
