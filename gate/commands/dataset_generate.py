"""`gate dataset generate`: questions with reference answers and their source lines, from documents."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gate.errors import UsageError

if TYPE_CHECKING:
    from gate.config import Config
    from gate.generation.dataset import Wanted
    from gate.records import Chunk, Prompt

DESCRIPTION = """Write questions with reference answers, each with the file and line that it comes from, balanced over
documents and categories. By patterns (no key, no network), or by the judge's model of the configuration; then calls and
price are told first, and a run that was stopped goes on: what was answered is in .gate/ and is not asked twice. Exit
code 3 if some documents could not be read, 4 if a limit was hit (nothing is written).

example: gate dataset generate docs/ -n 50 -o qa.jsonl"""

CATEGORIES = ("factual_recall", "edge_cases", "policy_boundaries", "ambiguous_queries")


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked of whom: the configuration is None where named paths are enough."""

    config: Config | None
    base: Path
    chunks: list[Chunk]
    wanted: Wanted
    by_model: bool
    use_cache: bool = True


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    from gate.commands.options import amount, positive

    parser.description = DESCRIPTION
    parser.add_argument("paths", nargs="*", metavar="PATH", help="documents (default: doc_sources)")
    parser.add_argument("-o", "--output", required=True, metavar="OUT.jsonl", help="the file to write")
    parser.add_argument("-n", "--number", type=positive, metavar="N", help="how many (default: num_prompts, or 20)")
    parser.add_argument("-c", "--config", metavar="FILE", help="configuration (default .llm-reliability.yaml)")
    parser.add_argument("--generator", choices=("local", "model"), help="who writes (default: evaluation.generator)")
    parser.add_argument("--category", choices=CATEGORIES, action="append", help="only this one; repeatable")
    parser.add_argument("--seed", type=int, metavar="N", help="equal seeds give equal questions (default: seed, or 0)")
    parser.add_argument("--dry-run", action="store_true", help="show the calls and the estimated cost")
    parser.add_argument("--no-cache", action="store_true", help="ask again what is recorded")
    parser.add_argument("--max-cost", type=amount, metavar="USD", help="stop before it costs more")
    parser.add_argument("--force", action="store_true", help="write over an existing file")
    parser.add_argument("--debug", action="store_true", help="show tracebacks")


def run(options: argparse.Namespace) -> int:
    """0: written; 3: written, but some documents could not be read."""
    from gate.commands.dataset_writer import planned, written
    from gate.datasets.output import check, save
    from gate.generation.dataset import by_patterns

    target = Path(options.output)
    if not options.dry_run:
        check(target, options.force)
    task, unread = _task(options)
    if options.dry_run:
        sys.stdout.write(planned(task))
        return 0
    prompts = written(task) if task.by_model else by_patterns(task.chunks, task.wanted)
    if not prompts:
        raise UsageError(
            "no question could be made of these documents",
            "they need prose with facts, conditions or rules; try another --category, or --generator model",
        )
    save(target, [row(prompt) for prompt in prompts])
    _tell(prompts, task.wanted, options.output)
    return 3 if unread else 0


def row(prompt: Prompt) -> dict[str, object]:
    """A prompt as a line of a dataset."""
    return {
        "id": prompt.id,
        "question": prompt.question,
        "category": prompt.category.value,
        "reference": prompt.reference,
        "source": prompt.source,
        "line": prompt.line,
    }


def _task(options: argparse.Namespace) -> tuple[Task, int]:
    """The task, and how many documents could not be read."""
    from gate.cli import printable
    from gate.commands.progress import watching
    from gate.config import DEFAULT_PATH, Evaluation, load
    from gate.generation.dataset import Wanted
    from gate.records import Category
    from ingest.pieces import pieces
    from ingest.sources import Unread, open_sources

    named = Path(options.config or DEFAULT_PATH)
    config = load(named) if options.config or named.exists() or not options.paths else None
    faults: list[Unread] = []
    with watching() as watch:
        watch("reading documents")
        chunks = pieces(open_sources(_paths(options, config, named.parent)), faults.append)
    for fault in faults:
        sys.stderr.write(f"warning: {printable(str(fault))}\n")
    settings = config.evaluation if config else Evaluation()
    wanted = Wanted(
        options.number or settings.num_prompts,
        tuple(Category(name) for name in dict.fromkeys(options.category or ())) or settings.prompt_categories,
        settings.seed if options.seed is None else options.seed,
    )
    if config and options.max_cost is not None:
        limits = config.limits.model_copy(update={"max_cost_usd": options.max_cost})
        config = config.model_copy(update={"limits": limits})
    by_model = (options.generator or settings.generator) == "model"
    return Task(config, named.parent, chunks, wanted, by_model, not options.no_cache), len(faults)


def _paths(options: argparse.Namespace, config: Config | None, base: Path) -> list[str]:
    from gate.toolbox import resolve

    if options.paths:
        return list(options.paths)
    sources = config.doc_sources if config else ()
    if not sources:
        raise UsageError("there is nothing to read", "name files or folders, or give doc_sources in the configuration")
    return [source.path if source.type == "s3" else str(resolve(base, source.path)) for source in sources]


def _tell(prompts: list[Prompt], wanted: Wanted, output: str) -> None:
    from gate.cli import printable

    counts = Counter(prompt.category.value for prompt in prompts)
    kinds = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    sources = len({prompt.source for prompt in prompts})
    documents = f"{sources} document{'s' if sources != 1 else ''}"
    plural = "s" if len(prompts) != 1 else ""
    if len(prompts) < wanted.number:
        sys.stderr.write(
            f"warning: {len(prompts)} of {wanted.number} questions: the documents give no more that differ\n"
        )
    if empty := _empty(counts, wanted):
        sys.stderr.write(f"warning: no question could be made for {', '.join(empty)}\n")
    sys.stdout.write(printable(f"wrote  {output}: {len(prompts)} question{plural} from {documents} ({kinds})\n"))
    sys.stdout.write(printable("use    evaluation: {source: dataset, dataset: " + output + "}\n"))


def _empty(counts: Counter[str], wanted: Wanted) -> list[str]:
    """The categories that were asked for and have no question, although their turn came."""
    empty: list[str] = []
    for place, category in enumerate(wanted.categories):
        if place - len(empty) < wanted.number and not counts[category.value]:
            empty.append(category.value)
    return empty
