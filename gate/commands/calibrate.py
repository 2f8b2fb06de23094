"""`gate calibrate`: how far the configured judge agrees with people's labels."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from gate.anchors import anchors_text
from gate.calibration import Calibration, judge_of, read_labels
from gate.calibration import calibrate as measure
from gate.commands.options import ConfigFile, Debug, NoCache
from gate.commands.progress import watching
from gate.config import DEFAULT_PATH, Config, load
from gate.errors import UsageError
from gate.files import make_folder
from gate.judge_quality import NAME, doubts, unmeasured
from gate.judges.base import calibration_name
from gate.judges.line import FIT, fit_text
from gate.reports.calibration_report import FORMS, describe, render
from gate.reports.files import check, write
from gate.toolbox import Toolbox

Calibrations = Annotated[
    list[str] | None, typer.Option("-o", "--output", metavar="FILE", help="write .json or .html; repeatable")
]


def calibrate(  # noqa: PLR0913 - an option is a parameter
    labels: Annotated[str, typer.Argument(metavar="LABELS.jsonl", help="labelled claims")],
    config: ConfigFile = None,
    output: Calibrations = None,
    fit: Annotated[bool, typer.Option("--fit", help="fit the local judge to the labels, if that helps")] = False,
    anchors: Annotated[
        str | None,
        typer.Option("--anchors", metavar="FILE", help="write claims that show when the model changes"),
    ] = None,
    no_cache: NoCache = False,
    debug: Debug = False,
) -> int:
    """Compare the configured judge with labelled claims: one JSON object a line with `claim`, `evidence` (a
    string or a list) and `label` (1 or 0, or supported, weakly_supported, unsupported). Lines with `criterion`,
    `answer` and `label` measure the judge by one of judge.criteria. What it finds is kept in .gate/, where every run
    of the same judge finds it. Exit code 3 if judge.require is not met, and if more claims were left unjudged than
    were judged, of which nothing is kept.

    example: gate calibrate labels.jsonl -o calibration.html
    """
    outputs, anchored = [Path(name) for name in output or ()], [Path(anchors)] if anchors else []
    for place in outputs:
        check(place, FORMS, "calibration")
    _spare(labels, [*outputs, *anchored])
    path = Path(config or DEFAULT_PATH)
    loaded = load(path)
    labelled = read_labels(Path(labels))
    open_tools = partial(Toolbox, loaded, path.parent, use_cache=not no_cache, use_fit=not fit)
    with watching() as watch, closing(open_tools(counting=watch.counting)) as tools:
        watch("verify_claims")
        outcome = measure(loaded, tools, labelled, fit)
    code = _conclude(outcome, loaded, tools.folder, outputs, fit)
    for place in anchored:
        with watching() as watch, closing(open_tools(counting=watch.counting)) as tools:
            watch("verify_claims")
            write(place, anchors_text(tools, labelled))
    return code


def _conclude(outcome: Calibration, config: Config, folder: Path, outputs: Sequence[Path], fit: bool) -> int:
    """Keep, write and print what was found; the exit code."""
    missing = unmeasured(outcome.document)
    if not missing:
        _keep(outcome, folder, fit)
    for place in outputs:
        write(place, render(outcome.document, place.suffix))
    sys.stdout.write(describe(outcome.document))
    if missing:
        sys.stdout.write(f"  nothing was kept for runs: {missing}\n")
        return 3
    if outcome.document.get("criterion"):
        return 0
    why = list(doubts(config.judge.require, folder, judge_of(outcome.document)))
    sys.stdout.writelines(f"  a run would be inconclusive: {reason}\n" for reason in why)
    return 3 if why else 0


def _spare(labels: str, outputs: Sequence[Path]) -> None:
    """Labels are work of hours. Errors: UsageError where the calibration would be written over them."""
    for place in outputs:
        if os.path.realpath(place) == os.path.realpath(labels):
            raise UsageError(f"{place}: these are the labels", "name another file for the calibration")


def _keep(outcome: Calibration, folder: Path, fit: bool) -> None:
    """Write the calibration into the gate's folder, with the fit that it speaks of."""
    make_folder(folder)
    if outcome.fit is not None:
        write(folder / FIT, fit_text(outcome.fit))
    elif fit:  # the judge that was measured has none
        (folder / FIT).unlink(missing_ok=True)
    criterion = outcome.document.get("criterion")
    write(folder / (calibration_name(criterion) if criterion else NAME), render(outcome.document, Path(NAME).suffix))
