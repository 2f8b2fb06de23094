"""`gate audit`: judge logged answers in bulk."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from gate.audit.engines import Engine, Work, in_process, on_cores, on_ray
from gate.audit.job import Errand, Judging, against, look
from gate.audit.job import audit as conduct
from gate.audit.monitor import Watched, load_watched, render_watched, watch, with_nights
from gate.audit.report import FORMS, describe, report
from gate.audit.rows import Setup, arrow
from gate.audit.summary import Audit, load_summary
from gate.commands.options import ConfigFile, Debug, FailOn, positive, whole
from gate.commands.progress import counting
from gate.config import DEFAULT_PATH
from gate.errors import UsageError
from gate.process import cores
from gate.reports.files import check, write

SAMPLE = 1000
UNMOVED = "An inconclusive audit counts for no night: the monitor stays as it was."
_CODES = {"deploy": 0, "warn": 0, "block": 1, "inconclusive": 3}
Answers = Annotated[list[str], typer.Argument(metavar="ANSWERS", help="files, patterns, folders or s3:// addresses")]
Summaries = Annotated[
    list[str] | None,
    typer.Option("-o", "--output", metavar="FILE", help="write the summary as .json .md or .html; repeatable"),
]
All = Annotated[bool, typer.Option("--all", help="judge all answers, not a sample")]
Drawn = Annotated[
    int | None, typer.Option("--sample", parser=positive, metavar="N", help=f"judge N answers (default {SAMPLE:,})")
]
Seed = Annotated[int, typer.Option("--seed", parser=whole, metavar="N", help="draws another sample")]
To = Annotated[str | None, typer.Option("--to", metavar="FOLDER", help="for the verdicts (default: in .gate/audit)")]
Form = Annotated[Literal["jsonl", "parquet"], typer.Option("--form", help="of the verdicts")]
Who = Annotated[Literal["local", "ray"], typer.Option("--engine", help="who does the work")]
Workers = Annotated[
    int | None,
    typer.Option("--workers", parser=positive, metavar="N", help="processes (default: one a core; with a model 1)"),
]
Address = Annotated[
    str, typer.Option("--address", metavar="ADDRESS", help="of a Ray cluster (default: this machine alone)")
]
Earlier = Annotated[
    str | None, typer.Option("--baseline", metavar="SUMMARY.json", help="an earlier summary, to see what changed")
]


State = Annotated[
    str | None,
    typer.Option(
        "--monitor", metavar="STATE.json", help="add these days to earlier ones: exit 1 if the risk surely rose"
    ),
]


def audit(  # noqa: PLR0913 - the options of the command
    answers: Answers,
    config: ConfigFile = None,
    output: Summaries = None,
    everything: All = False,
    sample: Drawn = None,
    seed: Seed = 0,
    to: To = None,
    form: Form = "jsonl",
    engine: Who = "local",
    workers: Workers = None,
    address: Address = "",
    baseline: Earlier = None,
    monitor: State = None,
    fail_on: FailOn = "block",
    debug: Debug = False,
) -> int:
    """Judge logged answers (JSONL or Parquet) by the configured index and judge. Each answer gets a line of verdicts,
    and all together a summary: the risk by day, tag and document, the worst answers, what changed. Without --all a
    sample is judged, and the summary says how many answers one percentage point takes. An audit that was stopped goes
    on where it was.

    example: gate audit 'logs/*.jsonl' --sample 500 -o audit.html
    """
    outputs = [Path(name) for name in output or ()]
    _check(outputs, everything, sample, form)
    earlier = load_summary(Path(baseline)) if baseline else None
    setup = Setup.at(config or DEFAULT_PATH)
    seen = look(setup)
    nights = _nights(Path(monitor), seen) if monitor else None
    order = Errand(answers, None if everything else sample or SAMPLE, seed, Path(to) if to else None, form == "parquet")
    summary, folder = conduct(order, Work(setup), seen, _engine(engine, workers, address, seen), counting)
    summary = against(summary, earlier) if earlier else summary
    summary, watched = _watched(summary, nights) if nights else (summary, None)
    for path in outputs:
        write(path, report(summary, path.suffix, watched))
    if watched:  # last: a night must not count whose report could not be written
        write(Path(monitor or ""), render_watched(watched))
    sys.stdout.write(describe(summary, folder))
    return 1 if (summary.decision, fail_on) == ("warn", "warn") else _CODES[summary.decision]


def _check(outputs: Sequence[Path], everything: bool, sample: int | None, form: str) -> None:
    for place in outputs:
        check(place, FORMS, "summary")
    if everything and sample is not None:
        raise UsageError("--all judges every answer and --sample some", "leave one of the two out")
    if form == "parquet":
        arrow()


def _nights(place: Path, seen: Judging) -> Callable[[], Watched]:
    """What loads the state, once more when the audit is done: another one may have written it. Errors: as load_watched,
    before any work."""
    load = partial(load_watched, place, seen.tolerance.warn_threshold, seen.judge)
    load()
    return load


def _watched(summary: Audit, nights: Callable[[], Watched]) -> tuple[Audit, Watched | None]:
    """The summary with what its monitor says, and the state to keep; None where no night counts."""
    if summary.decision == "inconclusive":
        return replace(summary, notes=(*summary.notes, UNMOVED)), None
    watched = watch(nights(), summary, datetime.now(UTC).date().isoformat())
    return with_nights(summary, watched), watched


def _engine(name: str, workers: int | None, address: str, seen: Judging) -> Engine:
    """Who does the work. Errors: UsageError for a combination in which a limit would not hold."""
    count = workers or (1 if seen.served else cores())
    if address and name != "ray":
        raise UsageError("--address names a Ray cluster", "add --engine ray")
    if seen.served and seen.limited and (count > 1 or name == "ray"):
        raise UsageError(
            "limits of cost and calls hold within one process", "use --workers 1; limits.concurrency is for speed"
        )
    if name == "ray":
        return on_ray(count, address)
    return in_process if count == 1 else on_cores(count)
