"""What a run makes of the kept calibration: the judge's measured quality, or why it does not satisfy judge.require."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.errors import InputFileError
from gate.records import JudgeInfo
from gate.reports.calibration import FIGURES, CalibrationDocument, load

if TYPE_CHECKING:
    from gate.config import Require

NAME = "calibration.json"  # in the gate's own folder
_ROUNDED = 1e-4  # figures are written with six digits
_AGAIN = "run gate calibrate with labelled claims"


def same_judge(document: CalibrationDocument, judge: JudgeInfo) -> bool:
    """Whether this very judge was calibrated: provider, model and version of its prompt or weights."""
    known = document["judge"]
    return (known["provider"], known["model"], known["prompt_version"]) == (
        judge.provider,
        judge.model,
        judge.prompt_version,
    )


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


def quality(folder: Path, judge: JudgeInfo) -> dict[str, Any] | None:
    """The figures of the kept calibration, for a verdict; None where this judge has none that can be read."""
    try:
        document = load(folder / NAME) if (folder / NAME).exists() else None
    except InputFileError:
        return None
    if document is None or not same_judge(document, judge) or unmeasured(document):
        return None
    figures = {name: document[name] for name in FIGURES}  # type: ignore[literal-required]
    return {**figures, "data": document["data"], "created": document["created"]}


def doubts(require: Require | None, folder: Path, judge: JudgeInfo, now: datetime | None = None) -> Iterator[str]:
    """Why a run with this judge cannot be decided under `judge.require`, if it cannot."""
    if require is None:
        return
    if not (folder / NAME).exists():
        yield f"the judge is not calibrated, and judge.require asks for it: {_AGAIN}"
        return
    try:
        document = load(folder / NAME)
    except InputFileError as error:
        yield f"the judge's calibration cannot be read ({error.message.splitlines()[0]}): {_AGAIN}"
        return
    if not same_judge(document, judge):
        known = document["judge"]
        yield (
            f"another judge was calibrated ({known['provider']} {known['model']} {known['prompt_version']}), not this "
            f"one ({judge.provider} {judge.model} {judge.prompt_version}): {_AGAIN}"
        )
        return
    yield from _unfit(require, document, now or datetime.now(UTC))


def _unfit(require: Require, document: CalibrationDocument, now: datetime) -> Iterator[str]:
    if why := unmeasured(document):
        yield f"{why}: {_AGAIN}"
        return
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
