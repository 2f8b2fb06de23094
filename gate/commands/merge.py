"""`gate merge`: the shards of one run into one verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gate.commands.options import Debug, FailOn, Outputs
from gate.commands.outcome import check_outputs, exit_code, tell, write_all
from gate.reports.files import load
from gate.verdicts import decide_again, tolerance_of
from gate.verdicts import merge as merge_shards


def merge(
    verdicts: Annotated[list[str], typer.Argument(metavar="VERDICT.json", help="the verdict of each shard")],
    output: Outputs = None,
    fail_on: FailOn = "block",
    debug: Debug = False,
) -> int:
    """Join the verdicts of all shards of a run (gate run --shard I/N) into the verdict of the whole run.

    example: gate merge shard-1.json shard-2.json -o verdict.json
    """
    check_outputs(output)
    merged = merge_shards([load(Path(name)) for name in verdicts])
    document = decide_again(merged, tolerance_of(merged))
    write_all(document, output)
    tell(document)
    return exit_code(document, fail_on)
