"""Agent 1: the prompts, from recorded answers, from a dataset, or generated from the indexed documents."""

from __future__ import annotations

from gate.errors import UsageError
from gate.generation.local import generate
from gate.records import Prompt
from gate.state import State


def generate_prompts(state: State) -> None:
    """Write `prompts`. Errors: InputFileError for a bad file, UsageError where there is nothing to ask."""
    tools, evaluation = state["tools"], state["config"].evaluation
    if evaluation.source == "generated":
        prompts = generate(tools.store.chunks(), evaluation.num_prompts, evaluation.prompt_categories, evaluation.seed)
    else:
        prompts = tools.given_prompts()
    state["prompts"] = _chosen(prompts, tools.limit, tools.shard)
    if not state["prompts"] and not tools.shard:  # the last shards of a small run may have nothing to do
        raise UsageError(
            "there is nothing to ask: no prompt could be made or is left",
            "index documents with prose (gate ingest), name another dataset, or ask for fewer shards",
        )


def _chosen(prompts: list[Prompt], limit: int | None, shard: tuple[int, int] | None) -> list[Prompt]:
    """The first `limit` prompts, and of those every n-th for a shard (i, n), 1-based: together the shards are all."""
    prompts = prompts[:limit] if limit is not None else prompts
    return prompts[shard[0] - 1 :: shard[1]] if shard else prompts
