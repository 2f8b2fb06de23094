"""`gate run`: the six agents, then the decision."""

from __future__ import annotations

import argparse
import atexit
import gc
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gate.commands.interrupts import Interrupts
    from gate.config import Config
    from gate.job import Job
    from gate.providers.pool import Counting
    from gate.reports.document import VerdictDocument
    from gate.toolbox import Toolbox

# Objects made before the collector looks for rings among them. Nearly all that a run makes lives to its end and has no
# rings: with the 700 of Python the search takes 3 % of the processor time of a run.
GARBAGE = (20_000, 20)
DESCRIPTION = """Ask the model under test, check every claim of its answers against the index, and decide.

example: gate run -o verdict.json -o report.html --fail-on warn"""


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    from gate.commands.options import amount, count, fail_on_option, output_option, positive, seconds, shard

    parser.description = DESCRIPTION
    parser.add_argument("-c", "--config", metavar="FILE", help="configuration (default .llm-reliability.yaml)")
    output_option(parser)
    fail_on_option(parser)
    parser.add_argument("--baseline", metavar="FILE", help="compare with this verdict, of the base branch for instance")
    parser.add_argument("--limit", type=positive, metavar="N", help="only the first N prompts")
    parser.add_argument("--shard", type=shard, metavar="I/N", help="only every N-th prompt, from the I-th on")
    parser.add_argument("--dry-run", action="store_true", help="show the plan, the calls and the estimated cost")
    parser.add_argument("--no-cache", action="store_true", help="ask again what is recorded")
    parser.add_argument("--max-cost", type=amount, metavar="USD", help="stop before the run costs more")
    parser.add_argument("--max-calls", type=count, metavar="N", help="stop before more calls; 0: only the record")
    parser.add_argument("--max-seconds", type=seconds, metavar="S", help="stop asking after this time")
    parser.add_argument("--debug", action="store_true", help="show tracebacks")


def run(options: argparse.Namespace) -> int:
    """The exit code of the decision."""
    from gate.commands.interrupts import Interrupts
    from gate.commands.outcome import check_outputs, exit_code, tell, tell_github, write_all

    gc.set_threshold(*GARBAGE)
    atexit.register(gc.freeze)  # what is left goes with the process: to search it once more took 5 % of a run
    check_outputs(options.output)
    config, base = configuration(options)
    if options.dry_run:
        sys.stdout.write(_plan(options, config, base))
        return 0
    baseline = _baseline(options.baseline)
    with Interrupts() as interrupts:
        document = _judged(options, config, base, interrupts)
        if baseline is not None:
            from gate.regate import against

            document = against(document, baseline, config.risk_tolerance)
        write_all(document, options.output, baseline)
        tell(document, baseline)
        tell_github(document, baseline)
    return exit_code(document, options.fail_on)


def _baseline(name: str | None) -> VerdictDocument | None:
    """The verdict to compare with, read before anything is paid for."""
    if name is None:
        return None
    from gate.reports.load import load

    return load(Path(name))


def configuration(options: argparse.Namespace) -> tuple[Config, Path]:
    """(the configuration with the flags' limits, its folder)."""
    from gate.config import DEFAULT_PATH, load

    path = Path(options.config or DEFAULT_PATH)
    config = load(path)
    given = {"max_cost_usd": options.max_cost, "max_calls": options.max_calls, "max_seconds": options.max_seconds}
    limits = config.limits.model_copy(update={key: value for key, value in given.items() if value is not None})
    return config.model_copy(update={"limits": limits}), path.parent


def _job(options: argparse.Namespace, config: Config, base: Path, counting: Counting | None = None) -> Job:
    from gate.job import Job
    from gate.providers.pool import uncounted
    from gate.toolbox import Toolbox

    tools = Toolbox(
        config,
        base,
        limit=options.limit,
        shard=options.shard,
        use_cache=not options.no_cache,
        counting=counting or uncounted,
    )
    return Job(config, tools)


def _judged(options: argparse.Namespace, config: Config, base: Path, interrupts: Interrupts) -> VerdictDocument:
    from gate.commands.progress import watching

    with watching() as watch, _job(options, config, base, watch.counting) as job:
        document = job.document(watch, interrupts.allowed)
        wrong = _behind(job.tools)
    if wrong:
        from gate.toolbox_chain import warn

        warn(f"{wrong}: the claims were checked against what was indexed (run `gate ingest`, then again)")
    return document


def _behind(tools: Toolbox) -> str:
    """What is told of documents that are not as the index has them; it never ends a run that has a verdict."""
    from gate.errors import GateError
    from gate.toolbox_ingest import addresses
    from ingest.stale import behind

    try:
        return behind(tools.store, addresses(tools.config, tools.base), Path.cwd())
    except GateError:
        return ""


def _plan(options: argparse.Namespace, config: Config, base: Path) -> str:
    from gate.plan import plan

    with _job(options, config, base) as job:
        return plan(job.state)
