"""Questions by a model: the plan with its price, the calls with their progress, and what comes of them."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from gate.commands.progress import counting
from gate.config import Config
from gate.errors import LimitError, SetupError, UsageError
from gate.generation.dataset import Wanted, choose
from gate.generation.model import Order, orders, request_of, write
from gate.providers.base import prompt_tokens
from gate.providers.budget import price_of
from gate.providers.pool import run_all
from gate.records import Chunk, Prompt
from gate.toolbox import Toolbox, model_of, shipped_embedder

_MADE = 60  # tokens that a question is assumed to be, with its JSON
_SPARE = 5  # one question more for so many: some will be alike, or unanswerable


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked of whom: the configuration is None where named paths are enough."""

    config: Config | None
    base: Path
    chunks: list[Chunk]
    wanted: Wanted
    by_model: bool
    use_cache: bool = True


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
    prompts = choose(found, task.chunks, task.wanted, shipped_embedder().embed)
    by_pattern = sum(prompt.id not in {prompt.id for prompt in found} for prompt in prompts)
    if by_pattern:
        sys.stderr.write(f"note: {by_pattern} of {len(prompts)} questions were made by patterns\n")
    return prompts


def _asked(tools: Toolbox, config: Config, wishes: list[Order]) -> list[Prompt]:
    """What the judge's model writes; the model under test where the judge has none."""
    model = tools.judge_model or tools.provider
    with counting(len(wishes), "calls") as done:
        outcome = run_all(
            lambda order: write(model, config.use_case, order),
            wishes,
            config.limits.concurrency,
            tools.budget,
            done=done,
        )
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
