"""`gate calibrate`: how far the configured judge agrees with people's labels."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gate.calibration import Outcome
    from gate.toolbox import Toolbox

DESCRIPTION = """Compare the configured judge with labelled claims: one JSON object a line with `claim`, `evidence` (a
string or a list) and `label` (1 or 0, or supported, weakly_supported, unsupported). What it finds is kept in .gate/,
where every run of the same judge finds it. Exit code 3 if judge.require is not met, and if more claims were left
unjudged than were judged, of which nothing is kept.

example: gate calibrate labels.jsonl -o calibration.html"""


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.description = DESCRIPTION
    parser.add_argument("labels", metavar="LABELS.jsonl", help="labelled claims")
    parser.add_argument("-c", "--config", metavar="FILE", help="configuration (default .llm-reliability.yaml)")
    parser.add_argument(
        "-o", "--output", metavar="FILE", action="append", default=[], help="write .json or .html; repeatable"
    )
    parser.add_argument("--fit", action="store_true", help="fit the local judge to the labels, if that helps")
    parser.add_argument("--no-cache", action="store_true", help="ask again what is recorded")
    parser.add_argument("--debug", action="store_true", help="show tracebacks")


def run(options: argparse.Namespace) -> int:
    """0: measured and kept; 3: judge.require is not met, or most claims were left unjudged."""
    from gate.calibration import calibrate, judge_of
    from gate.calibration_check import doubts, unmeasured
    from gate.calibration_labels import read_labels
    from gate.commands.progress import watching
    from gate.config import DEFAULT_PATH, load
    from gate.reports.calibration_told import check, told
    from gate.toolbox import Toolbox

    check([Path(name) for name in options.output])
    _spare(options)
    path = Path(options.config or DEFAULT_PATH)
    config = load(path)
    labels = read_labels(Path(options.labels))
    with watching() as watch:
        watch("verify_claims")
        tools = Toolbox(
            config, path.parent, use_cache=not options.no_cache, use_fit=not options.fit, counting=watch.counting
        )
        try:
            outcome = calibrate(config, tools, labels, options.fit)
        finally:
            tools.close()
    missing = unmeasured(outcome.document)
    _write(outcome, tools, options, keep=not missing)
    sys.stdout.write(told(outcome.document))
    if missing:
        sys.stdout.write(f"  nothing was kept for runs: {missing}\n")
        return 3
    why = list(doubts(config.judge.require, tools.folder, judge_of(outcome.document)))
    for reason in why:
        sys.stdout.write(f"  a run would be inconclusive: {reason}\n")
    return 3 if why else 0


def _spare(options: argparse.Namespace) -> None:
    """Labels are work of hours. Errors: UsageError where the calibration would be written over them."""
    from gate.errors import UsageError

    labels = os.path.realpath(options.labels)
    for name in options.output:
        if os.path.realpath(name) == labels:
            raise UsageError(f"{name}: these are the labels", "name another file for the calibration")


def _write(outcome: Outcome, tools: Toolbox, options: argparse.Namespace, keep: bool) -> None:
    """The files that were asked for and, to `keep`, the calibration in the gate's folder, with the fit that it speaks
    of; what is there of an earlier one is otherwise left."""
    from gate.reports.calibration_told import render
    from gate.reports.render import write

    if keep:
        _keep(outcome, tools, options.fit)
    for place in map(Path, options.output):
        write(place, render(outcome.document, place.suffix))


def _keep(outcome: Outcome, tools: Toolbox, fit: bool) -> None:
    from gate.calibration_check import NAME
    from gate.folder import make
    from gate.judges.line import FIT, fit_text
    from gate.reports.calibration_told import render
    from gate.reports.render import write

    make(tools.folder)
    if outcome.fit is not None:
        write(tools.folder / FIT, fit_text(outcome.fit))
    elif fit:  # the judge that was measured has none
        (tools.folder / FIT).unlink(missing_ok=True)
    place = tools.folder / NAME
    write(place, render(outcome.document, place.suffix))
