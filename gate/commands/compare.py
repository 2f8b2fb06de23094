"""`gate compare`: the paired comparison of two verdicts."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gate.reports.document import Comparison

DESCRIPTION = """Compare a verdict with a baseline: new and fixed claims, a paired permutation test on the risk of each
prompt, the difference with its 95 % interval, and one word; the same for every measure that both have. The verdicts may
be of two models on the same prompts. With -o the report of the new one is written, with the comparison in it. Exit
code 1 for a regression of the risk, 3 for too few prompts.

example: gate compare base.json head.json -o comparison.html"""

_CODES = {"regression": 1, "too few prompts": 3}


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    from gate.commands.options import amount, output_option

    parser.description = DESCRIPTION
    parser.add_argument("base", metavar="BASE.json", help="the verdict to compare with")
    parser.add_argument("head", metavar="HEAD.json", help="the new verdict")
    parser.add_argument(
        "--max-increase", type=amount, default=0.0, metavar="X", help="an increase of the risk to allow"
    )
    output_option(parser)
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON")
    parser.add_argument("--debug", action="store_true", help="show tracebacks")


def _json(comparison: Comparison) -> str:
    """As JSON in which no text commands a runner: `##[` stands in texts alone, where it may be escaped."""
    return json.dumps(comparison, indent=2).replace("##[", "##\\u005b") + "\n"


def run(options: argparse.Namespace) -> int:
    """0: improvement or no difference; 1: regression; 3: too few prompts."""
    from gate.commands.outcome import check_outputs, write_all
    from gate.compare import compare
    from gate.regate import regate, tolerance_of
    from gate.reports.comparison import told
    from gate.reports.load import load

    check_outputs(options.output)
    base, head = load(Path(options.base)), load(Path(options.head))
    comparison = compare(base, head, max_increase=options.max_increase)
    if options.output:
        compared = regate({**head, "comparison": comparison}, tolerance_of(head))
        write_all(compared, options.output, base)
    sys.stdout.write(_json(comparison) if options.json else told(comparison))
    return _CODES.get(comparison["word"], 0)
