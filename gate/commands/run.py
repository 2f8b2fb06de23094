"""`gate run`: its options. What it does stands in `running`, so that its help loads nothing of that."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated

import typer

from gate.commands.options import (
    ConfigFile,
    Debug,
    DryRun,
    FailOn,
    MaxCost,
    NoCache,
    Outputs,
    Shard,
    count,
    positive,
    seconds,
    shard,
)

Baseline = Annotated[
    str | None,
    typer.Option("--baseline", metavar="FILE", help="compare with this verdict, of the base branch for instance"),
]
Limit = Annotated[int | None, typer.Option("--limit", parser=positive, metavar="N", help="only the first N prompts")]
Part = Annotated[
    Shard | None,
    typer.Option("--shard", parser=shard, metavar="I/N", help="only every N-th prompt, from the I-th on"),
]
Reuse = Annotated[
    bool, typer.Option("--reuse", help="take recorded answers of finished runs too, and say how old they are")
]
MaxCalls = Annotated[
    int | None,
    typer.Option("--max-calls", parser=count, metavar="N", help="stop before more calls; 0: only what is recorded"),
]
MaxSeconds = Annotated[
    float | None,
    typer.Option("--max-seconds", parser=seconds, metavar="S", help="stop asking after this time"),
]


def run(  # noqa: PLR0913 - an option is a parameter
    config: ConfigFile = None,
    output: Outputs = None,
    fail_on: FailOn = "block",
    baseline: Baseline = None,
    limit: Limit = None,
    part: Part = None,
    dry_run: DryRun = False,
    no_cache: NoCache = False,
    reuse: Reuse = False,
    max_cost: MaxCost = None,
    max_calls: MaxCalls = None,
    max_seconds: MaxSeconds = None,
    debug: Debug = False,
) -> int:
    """Ask the model under test, check every claim of its answers against the index, and decide.

    example: gate run -o verdict.json -o report.html --fail-on warn
    """
    running = import_module("gate.commands.running")
    limits = {"max_cost_usd": max_cost, "max_calls": max_calls, "max_seconds": max_seconds}
    which = {"limit": limit, "shard": part, "use_cache": not no_cache, "reuse": reuse}
    opened = running.opener(config, output or (), limits, **which)
    code: int = running.show_plan(opened) if dry_run else running.decide(opened, output or (), baseline, fail_on)
    return code
