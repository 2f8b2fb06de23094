"""`gate dataset`: questions with reference answers, from documents or from the files of other tools."""

from __future__ import annotations

import argparse
import importlib

DESCRIPTION = """Make the files that evaluation.source: dataset and recorded read: `generate` writes questions from
documents, `import` converts what other tools have. `retrieval` measures the index with them.

example: gate dataset generate docs/ -n 50 -o qa.jsonl"""

# name -> (module, one line of help), as in gate.cli
COMMANDS: dict[str, tuple[str, str]] = {
    "generate": ("gate.commands.dataset_generate", "questions with reference answers from documents"),
    "import": ("gate.commands.dataset_import", "conversations and datasets of other tools"),
    "retrieval": ("gate.commands.dataset_retrieval", "how well the index finds the labelled sources"),
}


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the commands."""
    parser.description = DESCRIPTION
    commands = parser.add_subparsers(dest="dataset_command", metavar="COMMAND", required=True)
    for name, (module, text) in COMMANDS.items():
        sub = commands.add_parser(
            name, help=text, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
        )
        importlib.import_module(module).add(sub)


def run(options: argparse.Namespace) -> int:
    """The exit code of the chosen command."""
    code: int = importlib.import_module(COMMANDS[options.dataset_command][0]).run(options)
    return code
