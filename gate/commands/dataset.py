"""`gate dataset`: questions with reference answers, from documents or from the files of other tools."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated, Literal, get_args

import typer

from gate.commands.options import PLAIN, ConfigFile, DatasetFile, Debug, Force, Group, positive, printable
from gate.commands.progress import counting
from gate.config import DEFAULT_PATH, load
from gate.datasets.convert import check, convert, describe_rows, save
from gate.errors import UsageError
from gate.reports.files import check as check_place
from gate.reports.files import render_json, write
from gate.retrieval import Asked, describe, read_labelled
from gate.retrieval import check as measure
from gate.store.ranking import DEPTH
from gate.toolbox import Toolbox, bare


class DatasetCommands(Group):
    """The commands of `gate dataset`."""

    table = {
        "generate": ("gate.commands.generate:generate", "questions with reference answers from documents"),
        "import": ("gate.commands.dataset:convert_files", "conversations and datasets of other tools"),
        "retrieval": ("gate.commands.dataset:retrieval", "how well the index finds the labelled sources"),
    }


app = typer.Typer(cls=DatasetCommands, subcommand_metavar="COMMAND", **PLAIN)


@app.callback()
def dataset() -> None:
    """Make the files that evaluation.source: dataset and recorded read: `generate` writes questions from
    documents, `import` converts what other tools have. `retrieval` measures the index with them.

    example: gate dataset generate docs/ -n 50 -o qa.jsonl
    """


Format = Literal[
    "auto", "beyondchats", "csv", "promptfoo", "promptfoo-results", "ragas", "deepeval", "agent-evals", "openai",
    "opentelemetry", "phoenix", "langfuse", "langsmith", "inspect",
]  # fmt: skip


def convert_files(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="what to convert; contexts beside their conversation")
    ],
    output: DatasetFile,
    format: Annotated[
        Format, typer.Option("--format", metavar="FORMAT", help=f"what the files are: {', '.join(get_args(Format))}")
    ] = "auto",
    force: Force = False,
    debug: Debug = False,
) -> int:
    """Convert files of other tools: conversations (BeyondChats, OpenAI), traces (OpenTelemetry, Phoenix, Langfuse,
    LangSmith), tests and results (promptfoo, Ragas, DeepEval, ai-agent-evals, Inspect), tables. Rows with answers are
    recorded answers (evaluation.source: recorded), rows without are questions (dataset). What was left out is counted
    on stderr. Exit code 2 for a file of no known format.

    example: gate dataset import chat.json context.json -o answers.jsonl
    """
    check(Path(output), force)
    converted = convert([Path(name) for name in files], format)
    save(Path(output), converted.rows)
    if converted.ledger.counts:
        sys.stderr.write("left out:\n")
        sys.stderr.writelines(f"  {printable(line)}\n" for line in converted.ledger.describe())
    formats = ", ".join(converted.formats)
    if "answer" in converted.rows[0]:
        use = f"{{source: recorded}}, model: {{provider: replay, path: {output}}}"
    else:
        use = f"{{source: dataset, dataset: {output}}}"
    told = f"wrote  {output}: {describe_rows(converted.rows)}, from {formats}\nuse    evaluation: {use}\n"
    sys.stdout.write(printable(told))
    return 0


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
        write(Path(output), render_json(document))
    sys.stdout.write(describe(document))
    return 0
