"""`gate report`: any output again from a stored verdict, and the decision under new thresholds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gate.commands.options import Debug, FailOn, Outputs
from gate.commands.outcome import check_outputs, exit_code, tell, write_all
from gate.config import load as load_config
from gate.reports.files import load
from gate.verdicts import check_decision, decide_again


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
    --config the decision is made anew under that configuration's risk_tolerance, at no cost.

    example: gate report verdict.json -o report.html
    """
    check_outputs(output)
    document = load(Path(verdict))
    if config:
        found = load_config(Path(config), stored=True)
        document = decide_again(document, found.risk_tolerance, found.measures.thresholds())
    else:
        check_decision(document)
    write_all(document, output)
    tell(document)
    return exit_code(document, fail_on)
