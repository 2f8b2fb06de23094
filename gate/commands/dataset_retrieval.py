"""`gate dataset retrieval`: how well the index finds the labelled sources of questions."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gate.errors import UsageError

if TYPE_CHECKING:
    from gate.config import Config

DESCRIPTION = """Hit rate, MRR, recall and nDCG at k of the index, by words (BM25), by vectors (kNN) and both fused, as
a run searches. Every question has a labelled `source` and `line`, or several as `sources`; `gate dataset generate`
writes such files. Each figure has its 95 % interval; the questions that find no labelled line are listed.

example: gate dataset retrieval qa.jsonl -k 5 -o retrieval.json"""


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.description = DESCRIPTION
    parser.add_argument("questions", metavar="QA.jsonl", help="questions with labelled sources")
    parser.add_argument("-c", "--config", metavar="FILE", help="configuration (default .llm-reliability.yaml)")
    parser.add_argument("-k", type=_depth, default=5, metavar="N", help="how many chunks count, 1 to 50")
    parser.add_argument("-o", "--output", metavar="FILE.json", help="write the figures and all questions")
    parser.add_argument("--debug", action="store_true", help="show tracebacks")


def run(options: argparse.Namespace) -> int:
    """0: measured."""
    from gate.commands.dataset_progress import counting
    from gate.reports.render import write
    from gate.reports.retrieval_document import render
    from gate.reports.retrieval_told import told
    from gate.retrieval import Asked, check
    from gate.retrieval_labels import read_labelled
    from gate.toolbox import Toolbox

    _check_output(options.output)
    config, base = _config(options.config)
    asked = Asked(Path(options.questions).name, *read_labelled(Path(options.questions)))
    tools = Toolbox(config, base)
    try:
        store = tools.store
        with counting(len(asked.questions), "questions") as done:
            document = check(asked, store, options.k, tools.embedder.name, done)
    finally:
        tools.close()
    if options.output:
        write(Path(options.output), render(document))
    sys.stdout.write(told(document))
    return 0


def _depth(text: str) -> int:
    from gate.commands.options import positive
    from gate.store.reading import DEPTH

    number = positive(text)
    if number > DEPTH:
        raise argparse.ArgumentTypeError(f"{number} is more than the {DEPTH} chunks that a search ranks")
    return number


def _check_output(name: str | None) -> None:
    """Refuse, before anything is computed, what could not be written in the end. Errors: UsageError."""
    from gate.reports.render import check

    if name is None:
        return
    if Path(name).suffix.lower() != ".json":
        raise UsageError(f"{name}: the figures are written as JSON", "end the name with .json")
    check(Path(name))


def _config(name: str | None) -> tuple[Config, Path]:
    """The configuration and its folder; without one, the index and the embedder that `gate ingest PATH` takes."""
    from gate.config import DEFAULT_PATH, load
    from gate.toolbox_ingest import bare

    path = Path(name or DEFAULT_PATH)
    return (load(path) if name or path.exists() else bare()), path.parent
