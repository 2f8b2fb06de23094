"""`gate merge`: the shards of one run into one verdict."""

from __future__ import annotations

import argparse
from pathlib import Path

DESCRIPTION = """Join the verdicts of all shards of a run (gate run --shard I/N) into the verdict of the whole run.

example: gate merge shard-1.json shard-2.json -o verdict.json"""


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    from gate.commands.options import fail_on_option, output_option

    parser.description = DESCRIPTION
    parser.add_argument("verdicts", nargs="+", metavar="VERDICT.json", help="the verdict of each shard")
    output_option(parser)
    fail_on_option(parser)
    parser.add_argument("--debug", action="store_true", help="show tracebacks")


def run(options: argparse.Namespace) -> int:
    """The exit code of the whole run's decision."""
    from gate.commands.outcome import check_outputs, exit_code, tell, write_all
    from gate.merge import merge
    from gate.regate import regate, tolerance_of
    from gate.reports.load import load

    check_outputs(options.output)
    merged = merge([load(Path(name)) for name in options.verdicts])
    document = regate(merged, tolerance_of(merged))
    write_all(document, options.output)
    tell(document)
    return exit_code(document, options.fail_on)
