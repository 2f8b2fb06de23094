"""`gate report`, `gate merge` and `gate compare`: what is made of stored verdicts, at no cost."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from gate.commands.options import Debug, FailOn, Outputs, amount
from gate.commands.outcome import check_outputs, exit_code, tell, write_all
from gate.compare import compare as compare_verdicts
from gate.config import load as load_config
from gate.reports.files import load
from gate.reports.terminal import describe_comparison
from gate.verdicts import check_decision, decide_again, hold_again, tolerance_of, waive_again
from gate.verdicts import merge as merge_shards
from gate.waivers import load_waivers

_CODES = {"regression": 1, "too few prompts": 3}


def report(
    verdict: Annotated[str, typer.Argument(metavar="VERDICT.json", help="a verdict that gate run wrote")],
    output: Outputs = None,
    config: Annotated[
        str | None,
        typer.Option("-c", "--config", metavar="FILE", help="decide anew by this configuration's thresholds"),
    ] = None,
    fail_on: FailOn = "block",
    debug: Debug = False,
) -> int:
    """Render a stored verdict again, as .json .html .sarif .xml (JUnit) .md, or on the terminal. With
    --config the decision is made anew under that configuration's risk_tolerance, waivers, thresholds of measures and
    evaluation.pass, at no cost.

    example: gate report verdict.json -o report.html
    """
    check_outputs(output)
    document = load(Path(verdict))
    if config:
        found = load_config(Path(config), stored=True)
        accepted = load_waivers(Path(config).parent / found.risk_tolerance.waivers)
        document = waive_again(document, accepted, datetime.now(UTC).date())
        document = hold_again(document, found.evaluation.pass_)
        document = decide_again(document, found.risk_tolerance, found.measures.thresholds())
    else:
        check_decision(document)
    write_all(document, output)
    tell(document)
    return exit_code(document, fail_on)


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
    """Compare a verdict with a baseline: the claims that are new and wrong, fixed, or no longer said, a paired
    permutation test on the risk of each prompt, the difference with its 95 % interval, and one word; the same for
    every measure that both have. The verdicts may be of two models on the same prompts. With -o the report of the
    new one is written, with the comparison in it. Exit code 1 for a regression of the risk, 3 for too few prompts.

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
