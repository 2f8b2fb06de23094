"""`gate dataset`: questions with reference answers, from documents or from the files of other tools."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Literal

import typer

from gate.commands.base import PLAIN, Group, printable
from gate.commands.options import (
    ConfigFile,
    DatasetFile,
    Debug,
    DryRun,
    Force,
    MaxCost,
    NoCache,
    limited,
    positive,
    whole,
)
from gate.commands.progress import counting, watching
from gate.commands.questions import Task, planned, written
from gate.config import DEFAULT_PATH, Config, Evaluation, load
from gate.datasets.convert import Converted, check, convert, describe_rows, save
from gate.errors import UsageError
from gate.generation.dataset import Wanted, by_patterns
from gate.records import Category, Chunk, Prompt
from gate.reports.files import check as check_place
from gate.reports.files import write
from gate.reports.retrieval import describe, render
from gate.retrieval import Asked, read_labelled
from gate.retrieval import check as measure
from gate.store.ranking import DEPTH
from gate.toolbox import Toolbox, bare, resolve
from ingest.base import Unread
from ingest.index import load_chunks
from ingest.sources import open_sources


class Commands(Group):
    """The commands of `gate dataset`."""

    table = {
        "generate": ("gate.commands.dataset:generate", "questions with reference answers from documents"),
        "import": ("gate.commands.dataset:convert_files", "conversations and datasets of other tools"),
        "retrieval": ("gate.commands.dataset:retrieval", "how well the index finds the labelled sources"),
    }


app = typer.Typer(cls=Commands, subcommand_metavar="COMMAND", **PLAIN)


@app.callback()
def dataset() -> None:
    """Make the files that evaluation.source: dataset and recorded read: `generate` writes questions from
    documents, `import` converts what other tools have. `retrieval` measures the index with them.

    example: gate dataset generate docs/ -n 50 -o qa.jsonl
    """


Format = Literal["auto", "beyondchats", "csv", "promptfoo", "ragas", "deepeval", "openai"]


def convert_files(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="what to convert; contexts beside their conversation")
    ],
    output: DatasetFile,
    format: Annotated[Format, typer.Option("--format", help="what the files are (default: by content)")] = "auto",
    force: Force = False,
    debug: Debug = False,
) -> int:
    """Convert files of other tools: BeyondChats conversations with their contexts, CSV, promptfoo tests,
    Ragas and DeepEval datasets, OpenAI chat logs. Rows with answers are recorded answers (evaluation.source: recorded),
    rows without are questions (dataset). What was left out is counted on stderr. Exit code 2 for a file of no known
    format.

    example: gate dataset import chat.json context.json -o answers.jsonl
    """
    check(Path(output), force)
    converted = convert([Path(name) for name in files], format)
    save(Path(output), converted.rows)
    _tell_converted(converted, output)
    return 0


def _tell_converted(converted: Converted, output: str) -> None:
    """What was written, how it is used, and what is not in it."""
    if converted.ledger.counts:
        sys.stderr.write("left out:\n")
        sys.stderr.writelines(f"  {printable(line)}\n" for line in converted.ledger.describe())
    formats = ", ".join(converted.formats)
    sys.stdout.write(printable(f"wrote  {output}: {describe_rows(converted.rows)}, from {formats}\n"))
    if "answer" in converted.rows[0]:
        use = "evaluation: {source: recorded}, model: {provider: replay, path: " + output + "}"
    else:
        use = "evaluation: {source: dataset, dataset: " + output + "}"
    sys.stdout.write(printable(f"use    {use}\n"))


def depth(text: str) -> int:
    """How many chunks of a search count. Errors: typer.BadParameter."""
    number = positive(text)
    if number > DEPTH:
        raise typer.BadParameter(f"{number} is more than the {DEPTH} chunks that a search ranks")
    return number


def retrieval(
    questions: Annotated[str, typer.Argument(metavar="QA.jsonl", help="questions with labelled sources")],
    config: ConfigFile = None,
    k: Annotated[int, typer.Option("-k", parser=depth, metavar="N", help="how many chunks count, 1 to 50")] = 5,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE.json", help="write the figures and all questions")
    ] = None,
    debug: Debug = False,
) -> int:
    """Hit rate, MRR, recall and nDCG at k of the index, by words (BM25), by vectors (kNN) and both fused, as
    a run searches. Every question has a labelled `source` and `line`, or several as `sources`; `gate dataset generate`
    writes such files. Each figure has its 95 % interval; the questions that find no labelled line are listed.

    example: gate dataset retrieval qa.jsonl -k 5 -o retrieval.json
    """
    if output is not None:
        if Path(output).suffix.lower() != ".json":
            raise UsageError(f"{output}: the figures are written as JSON", "end the name with .json")
        check_place(Path(output))
    path = Path(config or DEFAULT_PATH)
    loaded = load(path) if config or path.exists() else bare()  # else the index that `gate ingest PATH` takes
    asked = Asked(Path(questions).name, *read_labelled(Path(questions)))
    with closing(Toolbox(loaded, path.parent)) as tools:
        store = tools.store  # without an index it ends before the bar is shown
        with counting(len(asked.questions), "questions") as done:
            document = measure(asked, store, k, tools.embedder.name, done)
    if output:
        write(Path(output), render(document))
    sys.stdout.write(describe(document))
    return 0


Number = Annotated[
    int | None,
    typer.Option("-n", "--number", parser=positive, metavar="N", help="how many (default: num_prompts, or 20)"),
]
Generator = Annotated[
    Literal["local", "model"] | None, typer.Option("--generator", help="who writes (default: evaluation.generator)")
]
Categories = Annotated[
    list[Category] | None,
    typer.Option("--category", metavar="NAME", help=f"only this one of {', '.join(Category)}; repeatable"),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", parser=whole, metavar="N", help="equal seeds give equal questions (default: seed, or 0)"),
]


def generate(  # noqa: PLR0913 - an option is a parameter
    output: DatasetFile,
    paths: Annotated[list[str] | None, typer.Argument(metavar="PATH", help="documents (default: doc_sources)")] = None,
    number: Number = None,
    config: ConfigFile = None,
    generator: Generator = None,
    category: Categories = None,
    seed: Seed = None,
    dry_run: DryRun = False,
    no_cache: NoCache = False,
    max_cost: MaxCost = None,
    force: Force = False,
    debug: Debug = False,
) -> int:
    """Write questions with reference answers, each with the file and line that it comes from, balanced over
    documents and categories. By patterns (no key, no network), or by the judge's model of the configuration; then
    calls and price are told first, and a run that was stopped goes on: what was answered is in .gate/ and is not asked
    twice. Exit code 3 if some documents could not be read, 4 if a limit was hit (nothing is written).

    example: gate dataset generate docs/ -n 50 -o qa.jsonl
    """
    if not dry_run:
        check(Path(output), force)
    path = Path(config or DEFAULT_PATH)
    loaded = limited(load(path), max_cost_usd=max_cost) if config or path.exists() or not paths else None
    settings = loaded.evaluation if loaded else Evaluation()
    chunks, unread = _pieces(paths or _sources(loaded, path.parent))
    categories = tuple(dict.fromkeys(category or ())) or settings.prompt_categories
    wanted = Wanted(number or settings.num_prompts, categories, settings.seed if seed is None else seed)
    by_model = (generator or settings.generator) == "model"
    task = Task(loaded, path.parent, chunks, wanted, by_model, not no_cache)
    if dry_run:
        sys.stdout.write(planned(task))
        return 0
    _write(task, output)
    return 3 if unread else 0


def _write(task: Task, output: str) -> None:
    prompts = written(task) if task.by_model else by_patterns(task.chunks, task.wanted)
    if not prompts:
        raise UsageError(
            "no question could be made of these documents",
            "they need prose with facts, conditions or rules; try another --category, or --generator model",
        )
    save(Path(output), [row(prompt) for prompt in prompts])
    _tell_generated(prompts, task.wanted, output)


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


def _pieces(addresses: Sequence[str]) -> tuple[list[Chunk], int]:
    """The documents in pieces, and how many could not be read; each of those is named on stderr."""
    faults: list[Unread] = []
    with watching() as watch:
        watch("reading documents")
        chunks = load_chunks(open_sources(addresses), faults.append)
    sys.stderr.writelines(f"warning: {printable(str(fault))}\n" for fault in faults)
    return chunks, len(faults)


def _sources(config: Config | None, base: Path) -> list[str]:
    sources = config.doc_sources if config else ()
    if not sources:
        raise UsageError("there is nothing to read", "name files or folders, or give doc_sources in the configuration")
    return [source.path if source.type == "s3" else str(resolve(base, source.path)) for source in sources]


def _tell_generated(prompts: list[Prompt], wanted: Wanted, output: str) -> None:
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
