"""Agent 1: the prompts, from recorded answers, from a dataset, or generated from the indexed documents."""

from __future__ import annotations

from collections.abc import Iterable

from gate.agents.probe_prompts import add_probes
from gate.errors import UsageError
from gate.generation.dataset import generate, normalise_question
from gate.providers.base import Provider
from gate.records import Chunk, Prompt
from gate.state import State, attempt, each

AGENT = "generate_prompts"


def generate_prompts(state: State) -> None:
    """Write `prompts`. Errors: InputFileError for a bad file, UsageError where there is nothing to ask; SetupError,
    and LimitError with the prompts already written, where a model writes them."""
    tools, evaluation = state["tools"], state["config"].evaluation
    if evaluation.source != "generated":
        _choose(state, tools.load_prompts())
        return
    chunks = list(tools.store.chunks())
    local = generate(chunks, evaluation.num_prompts, evaluation.prompt_categories, evaluation.seed)
    if evaluation.generator == "model" and tools.judge_model is not None:
        _write(state, tools.judge_model, chunks, local)
    else:
        _choose(state, local)


def _write(state: State, model: Provider, chunks: list[Chunk], local: list[Prompt]) -> None:
    """One call for each sampled chunk, several at once; where the model falls short the local questions fill up."""
    from gate.generation.model import orders, write

    tools, config = state["tools"], state["config"]
    if tools.shard:
        raise UsageError(
            "questions that a model writes may differ from shard to shard",
            "write them once with `gate dataset generate`, and use evaluation.source: dataset",
        )
    evaluation = config.evaluation
    asked = orders(chunks, evaluation.num_prompts, evaluation.prompt_categories, evaluation.seed)
    outcome = each(state, lambda order: write(model, config.use_case, order), asked, "calls for questions")
    written = [p for done in outcome.results if done for p in attempt(state, AGENT, "", done.get) or ()]
    _choose(state, _distinct([*written, *local])[: evaluation.num_prompts])
    if outcome.stopped is not None:
        raise outcome.stopped


def _distinct(prompts: Iterable[Prompt]) -> list[Prompt]:
    """The prompts without those that ask the same again."""
    seen: dict[str, Prompt] = {}
    for prompt in prompts:
        seen.setdefault(normalise_question(prompt.question), prompt)
    return list(seen.values())


def _choose(state: State, prompts: list[Prompt]) -> None:
    """Write the first `limit` prompts, and of those every n-th for a shard (i, n), 1-based: together they are all.
    Errors: SetupError, and LimitError with the prompts written, where a model writes their paraphrases."""
    limit, shard = state["tools"].limit, state["tools"].shard
    asked = prompts[:limit] if limit is not None else prompts
    state["prompts"] = chosen = asked[shard[0] - 1 :: shard[1]] if shard else asked
    if not chosen and not shard:  # the last shards of a small run may have nothing to do
        raise UsageError(
            "there is nothing to ask: no prompt could be made or is left",
            "index documents with prose (gate ingest), name another dataset, or ask for fewer shards",
        )
    if chosen and state["config"].evaluation.probes:
        stopped = add_probes(state, asked, chosen)
        if stopped is not None:
            raise stopped
