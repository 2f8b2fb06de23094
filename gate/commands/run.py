"""`gate run`: the six agents, then the decision."""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from gate.commands.interrupts import Interrupts
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
    limited,
    positive,
    seconds,
    shard,
)
from gate.commands.outcome import check_outputs, exit_code, tell, tell_github, write_all
from gate.commands.progress import watching
from gate.config import DEFAULT_PATH, Config, load
from gate.errors import GateError
from gate.job import Job
from gate.plan import plan
from gate.reports.document import VerdictDocument
from gate.reports.files import load as load_verdict
from gate.toolbox import Toolbox, addresses, warn
from gate.verdicts import with_baseline
from ingest.sources import describe_stale

# Objects made before the collector looks for rings among them. Nearly all that a run makes lives to its end and has no
# rings: with the 700 of Python the search takes 3 % of the processor time of a run.
GARBAGE = (20_000, 20)


Baseline = Annotated[
    str | None,
    typer.Option("--baseline", metavar="FILE", help="compare with this verdict, of the base branch for instance"),
]
Limit = Annotated[int | None, typer.Option("--limit", parser=positive, metavar="N", help="only the first N prompts")]
Part = Annotated[
    Shard | None,
    typer.Option("--shard", parser=shard, metavar="I/N", help="only every N-th prompt, from the I-th on"),
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
    max_cost: MaxCost = None,
    max_calls: MaxCalls = None,
    max_seconds: MaxSeconds = None,
    debug: Debug = False,
) -> int:
    """Ask the model under test, check every claim of its answers against the index, and decide.

    example: gate run -o verdict.json -o report.html --fail-on warn
    """
    gc.set_threshold(*GARBAGE)
    atexit.register(gc.freeze)  # what is left goes with the process: to search it once more took 5 % of a run
    check_outputs(output)
    path = Path(config or DEFAULT_PATH)
    loaded = limited(load(path), max_cost_usd=max_cost, max_calls=max_calls, max_seconds=max_seconds)
    tools = partial(Toolbox, loaded, path.parent, limit=limit, shard=part, use_cache=not no_cache)
    if dry_run:
        with Job(loaded, tools()) as job:
            sys.stdout.write(plan(job.state))
        return 0
    base = load_verdict(Path(baseline)) if baseline is not None else None  # before anything is paid for
    with Interrupts() as interrupts:
        document = _judged(loaded, tools, interrupts)
        if base is not None:
            document = with_baseline(document, base, loaded.risk_tolerance)
        write_all(document, output, base)
        tell(document, base)
        tell_github(document, base)
    return exit_code(document, fail_on)


def _judged(config: Config, tools: Callable[..., Toolbox], interrupts: Interrupts) -> VerdictDocument:
    with watching() as watch, Job(config, tools(counting=watch.counting)) as job:
        document = job.document(watch, interrupts.allowed)
        wrong = _behind(job.tools)
    if wrong:
        warn(f"{wrong}: the claims were checked against what was indexed (run `gate ingest`, then again)")
    return document


def _behind(tools: Toolbox) -> str:
    """What is told of documents that are not as the index has them; it never ends a run that has a verdict."""
    try:
        return describe_stale(tools.store, addresses(tools.config, tools.base), Path.cwd())
    except GateError:
        return ""
