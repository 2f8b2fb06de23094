"""`gate dataset generate`: questions by patterns or by a model: the plan with its price, the calls, the file."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

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
    printable,
    whole,
)
from gate.commands.progress import counting, watching
from gate.config import DEFAULT_PATH, Config, DocSource, Evaluation, load
from gate.datasets.convert import check, save
from gate.errors import LimitError, SetupError, UsageError
from gate.generation.questions import Order, Wanted, by_patterns, choose, orders, request_of, write
from gate.judges.reader import shipped_reader
from gate.providers.base import prompt_tokens
from gate.providers.budget import price_of
from gate.providers.connect import model_of
from gate.providers.pool import run_all
from gate.records import Category, Chunk, Prompt
from gate.reports.words import count
from gate.toolbox import Toolbox, documents_of, shipped_embedder
from ingest.base import Unread
from ingest.index import load_chunks
from ingest.sources import open_sources

_MADE = 60  # tokens that a question is assumed to be, with its JSON
_SPARE = 5  # one question more for so many: some will be alike, or unanswerable
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


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked of whom: the configuration is None where named paths are enough."""

    config: Config | None
    base: Path
    chunks: list[Chunk]
    wanted: Wanted
    by_model: bool
    use_cache: bool = True


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
    chunks, unread = _pieces(paths or (documents_of(loaded, path.parent) if loaded else []))
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
    prompts = written(task) if task.by_model else by_patterns(task.chunks, task.wanted, shipped_reader().score)
    if not prompts:
        raise UsageError(
            "no question could be made of these documents",
            "they need prose with facts, conditions or rules; try another --category, or --generator model",
        )
    save(Path(output), [row(prompt) for prompt in prompts])
    _tell(prompts, task.wanted, output)


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


def _pieces(sources: Sequence[str | DocSource]) -> tuple[list[Chunk], int]:
    """The documents in pieces, and how many could not be read; each of those is named on stderr."""
    if not sources:
        raise UsageError("there is nothing to read", "name files or folders, or give doc_sources in the configuration")
    faults: list[Unread] = []
    with watching() as watch:
        watch("reading documents")
        chunks = load_chunks(open_sources(sources), faults.append)
    sys.stderr.writelines(f"warning: {printable(str(fault))}\n" for fault in faults)
    return chunks, len(faults)


def _tell(prompts: list[Prompt], wanted: Wanted, output: str) -> None:
    """What was written, how it is used, and what is missing."""
    counts = Counter(prompt.category.value for prompt in prompts)
    kinds = ", ".join(f"{name} {number}" for name, number in sorted(counts.items()))
    if len(prompts) < wanted.number:
        sys.stderr.write(
            f"warning: {len(prompts)} of {wanted.number} questions: the documents give no more that differ\n"
        )
    if empty := _empty(counts, wanted):
        sys.stderr.write(f"warning: no question could be made for {', '.join(empty)}\n")
    documents = count(len({prompt.source for prompt in prompts}), "document")
    told = f"wrote  {output}: {count(len(prompts), 'question')} from {documents} ({kinds})\n"
    sys.stdout.write(printable(f"{told}use    evaluation: {{source: dataset, dataset: {output}}}\n"))


def _empty(counts: Counter[str], wanted: Wanted) -> list[str]:
    """The categories that were asked for and have no question, although their turn came."""
    empty: list[str] = []
    for place, category in enumerate(wanted.categories):
        if place - len(empty) < wanted.number and not counts[category.value]:
            empty.append(category.value)
    return empty


def planned(task: Task) -> str:
    """What a run would do, as text. Asks no model and writes nothing. Errors: UsageError where no model is there."""
    documents = len({chunk.source for chunk in task.chunks})
    head = f"questions: at most {task.wanted.number} from {documents} documents ({len(task.chunks)} pieces)\n"
    if not task.by_model:
        return f"{head}written: by patterns, no calls\ncost: 0 USD\n"
    return head + _price(_config(task), _orders(task))


def written(task: Task) -> list[Prompt]:
    """The questions; what the model falls short of is made by patterns.

    Errors: UsageError where the configuration has no model; those of the provider if nothing came of any call;
    LimitError if a limit was hit or the run was interrupted (what was answered is recorded).
    """
    config, wishes = _config(task), _orders(task)
    sys.stderr.write(_price(config, wishes))
    with closing(Toolbox(config, task.base, use_cache=task.use_cache)) as tools:
        found = _asked(tools, config, wishes)
    prompts = choose(found, task.chunks, task.wanted, shipped_embedder().embed, shipped_reader().score)
    by_pattern = sum(prompt.id not in {prompt.id for prompt in found} for prompt in prompts)
    if by_pattern:
        sys.stderr.write(f"note: {by_pattern} of {len(prompts)} questions were made by patterns\n")
    return prompts


def _asked(tools: Toolbox, config: Config, wishes: list[Order]) -> list[Prompt]:
    """What the judge's model writes; the model under test where the judge has none."""
    model = tools.judge_model or tools.provider
    with counting(len(wishes), "calls") as done:
        ask = partial(write, model, config.use_case)
        outcome = run_all(ask, wishes, config.limits.concurrency, tools.budget, done=done)
    finished = [entry for entry in outcome.results if entry is not None]
    if isinstance(outcome.stopped, LimitError):
        raise LimitError(
            f"{outcome.stopped.message}; {len(finished)} of {len(wishes)} calls are done, nothing was written",
            "run the same again: what was answered is recorded and is not asked twice",
        )
    if outcome.stopped is not None:
        raise outcome.stopped
    faults = [entry.error for entry in finished if entry.error is not None]
    if faults and len(faults) == len(wishes):
        raise faults[0]
    if faults:
        sys.stderr.write(
            f"warning: {len(faults)} of {len(wishes)} calls gave no question ({faults[0].message[:200]})\n"
        )
    return [prompt for entry in finished if entry.error is None for prompt in entry.get()]


def _config(task: Task) -> Config:
    """The configuration, if it has a model that can write."""
    config = task.config
    if config is not None and (config.judge.served_by or config.model.provider not in ("replay", "command")):
        return config
    raise UsageError(
        "--generator model needs a model that writes the questions",
        "give a configuration with `judge: {provider: ollama, model_id: ...}` (or bedrock, openai, tiered)",
    )


def _orders(task: Task) -> list[Order]:
    wanted = replace(task.wanted, number=task.wanted.number + -(-task.wanted.number // _SPARE))
    asked = orders(task.chunks, wanted.number, wanted.categories, wanted.seed)
    found = [order for order in asked if request_of("", order) is not None]
    if not found:
        raise SetupError("there is no sentence to ask about in these documents", "name documents with prose")
    return found


def _price(config: Config, wishes: list[Order]) -> str:
    """Calls and cost, before anything is asked; tokens in are counted, tokens out assumed."""
    provider = config.judge.served_by or config.model.provider
    model = model_of(config.judge, os.environ) if config.judge.served_by else config.model.model_id or ""
    requests = [request for order in wishes if (request := request_of(config.use_case, order))]
    given = sum(prompt_tokens(request) for request in requests)
    made = _MADE * sum(len(order.categories) for order in wishes)
    calls = f"calls: at most {len(wishes)} to {provider} {model}\n"
    price = price_of(provider, model, config.prices)
    if price is None:
        return f"{calls}cost: unknown, there is no price for the model {model!r} (add it under `prices`)\n"
    cost = (given * price.input + made * price.output) / 1e6
    return f"{calls}cost: about {cost:.4f} USD (estimated at {given:,} tokens in and {made:,} out)\n"
