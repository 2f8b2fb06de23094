"""`gate compare`: the paired comparison of two verdicts."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from gate.commands.options import Debug, Outputs, amount
from gate.commands.outcome import check_outputs, write_all
from gate.compare import compare as compare_verdicts
from gate.reports.files import load
from gate.reports.terminal import describe_comparison
from gate.verdicts import decide_again, tolerance_of

_CODES = {"regression": 1, "too few prompts": 3}


def compare(
    base: Annotated[str, typer.Argument(metavar="BASE.json", help="the verdict to compare with")],
    head: Annotated[str, typer.Argument(metavar="HEAD.json", help="the new verdict")],
    max_increase: Annotated[
        float, typer.Option("--max-increase", parser=amount, metavar="X", help="an increase of the risk to allow")
    ] = 0.0,
    output: Outputs = None,
    as_json: Annotated[bool, typer.Option("--json", help="print the comparison as JSON")] = False,
    debug: Debug = False,
) -> int:
    """Compare a verdict with a baseline: new and fixed claims, a paired permutation test on the risk of each
    prompt, the difference with its 95 % interval, and one word; the same for every measure that both have. The
    verdicts may be of two models on the same prompts. With -o the report of the new one is written, with the
    comparison in it. Exit code 1 for a regression of the risk, 3 for too few prompts.

    example: gate compare base.json head.json -o comparison.html
    """
    check_outputs(output)
    before, after = load(Path(base)), load(Path(head))
    comparison = compare_verdicts(before, after, max_increase=max_increase)
    if output:
        write_all(decide_again({**after, "comparison": comparison}, tolerance_of(after)), output, before)
    # `##[` commands a runner. It stands in texts alone, where JSON may escape it.
    text = (
        json.dumps(comparison, indent=2).replace("##[", "##\\u005b") + "\n"
        if as_json
        else describe_comparison(comparison)
    )
    sys.stdout.write(text)
    return _CODES.get(comparison["word"], 0)
