"""`gate report`: any output again from a stored verdict, and the decision under new thresholds."""

from __future__ import annotations

import argparse
from pathlib import Path

DESCRIPTION = """Render a stored verdict again, as .json .html .sarif .xml (JUnit) .md, or on the terminal. With
--config the decision is made anew under that configuration's risk_tolerance, at no cost.

example: gate report verdict.json -o report.html"""


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    from gate.commands.options import fail_on_option, output_option

    parser.description = DESCRIPTION
    parser.add_argument("verdict", metavar="VERDICT.json", help="a verdict that gate run wrote")
    output_option(parser)
    parser.add_argument("-c", "--config", metavar="FILE", help="decide anew by this configuration's thresholds")
    fail_on_option(parser)
    parser.add_argument("--debug", action="store_true", help="show tracebacks")


def run(options: argparse.Namespace) -> int:
    """The exit code of the (new) decision."""
    from gate.commands.outcome import check_outputs, exit_code, tell, write_all
    from gate.regate import check_decision, regate
    from gate.reports.load import load

    check_outputs(options.output)
    document = load(Path(options.verdict))
    if options.config:
        from gate.config import load as load_config

        config = load_config(Path(options.config), stored=True)
        document = regate(document, config.risk_tolerance, config.measures.thresholds())
    else:
        check_decision(document)
    write_all(document, options.output)
    tell(document)
    return exit_code(document, options.fail_on)
