"""`gate dataset import`: files of other tools as questions or recorded answers."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gate.datasets.formats import Converted

DESCRIPTION = """Convert files of other tools: BeyondChats conversations with their contexts, CSV, promptfoo tests,
Ragas and DeepEval datasets, OpenAI chat logs. Rows with answers are recorded answers (evaluation.source: recorded),
rows without are questions (dataset). What was left out is counted on stderr. Exit code 2 for a file of no known format.

example: gate dataset import chat.json context.json -o answers.jsonl"""

FORMATS = ("auto", "beyondchats", "csv", "promptfoo", "ragas", "deepeval", "openai")


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.description = DESCRIPTION
    parser.add_argument("files", nargs="+", metavar="FILE", help="what to convert; contexts beside their conversation")
    parser.add_argument("-o", "--output", required=True, metavar="OUT.jsonl", help="the file to write")
    parser.add_argument("--format", choices=FORMATS, default="auto", help="what the files are (default: by content)")
    parser.add_argument("--force", action="store_true", help="write over an existing file")
    parser.add_argument("--debug", action="store_true", help="show tracebacks")


def run(options: argparse.Namespace) -> int:
    """0: written."""
    from gate.datasets.formats import convert
    from gate.datasets.output import check, save

    target = Path(options.output)
    check(target, options.force)
    converted = convert([Path(name) for name in options.files], options.format)
    save(target, converted.rows)
    _tell(converted, options.output)
    return 0


def _tell(converted: Converted, output: str) -> None:
    """What was written, how it is used, and what is not in it."""
    from gate.cli import printable
    from gate.datasets.rows import told

    if converted.ledger.counts:
        sys.stderr.write("left out:\n")
        sys.stderr.writelines(f"  {printable(line)}\n" for line in converted.ledger.told())
    formats = ", ".join(converted.formats)
    sys.stdout.write(printable(f"wrote  {output}: {told(converted.rows)}, from {formats}\n"))
    if "answer" in converted.rows[0]:
        use = "evaluation: {source: recorded}, model: {provider: replay, path: " + output + "}"
    else:
        use = "evaluation: {source: dataset, dataset: " + output + "}"
    sys.stdout.write(printable(f"use    {use}\n"))
