"""Agent 1: the prompts, from recorded answers, from a dataset, or generated from the indexed documents."""

from __future__ import annotations

from collections.abc import Iterable

from gate.errors import UsageError
from gate.generation.local import generate, same
from gate.providers.base import Provider
from gate.records import Chunk, Prompt
from gate.state import State, attempt

RETRIEVED_CHUNKS = 4  # that the model under test is given with `context: retrieved`
AGENT = "generate_prompts"


def generate_prompts(state: State) -> None:
    """Write `prompts`. Errors: InputFileError for a bad file, UsageError where there is nothing to ask; SetupError,
    and LimitError with the prompts already written, where a model writes them."""
    tools, evaluation = state["tools"], state["config"].evaluation
    if evaluation.source != "generated":
        _choose(state, tools.given_prompts())
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
    from gate.providers.pool import run_all

    tools, config = state["tools"], state["config"]
    if tools.shard:
        raise UsageError(
            "questions that a model writes may differ from shard to shard",
            "write them once with `gate dataset generate`, and use evaluation.source: dataset",
        )
    evaluation = config.evaluation
    asked = orders(chunks, evaluation.num_prompts, evaluation.prompt_categories, evaluation.seed)
    outcome = run_all(
        lambda order: write(model, config.use_case, order), asked, config.limits.concurrency, tools.budget
    )
    written = [p for done in outcome.results if done for p in attempt(state, AGENT, "", done.get) or ()]
    _choose(state, _distinct([*written, *local])[: evaluation.num_prompts])
    if outcome.stopped is not None:
        raise outcome.stopped


def _with_probes(state: State, prompts: list[Prompt]) -> list[Prompt]:
    """Every prompt, and behind it the probes that vary it."""
    from gate.generation.probes import Given, probes

    tools, config = state["tools"], state["config"]
    contexts = [prompt.contexts for prompt in prompts]
    if config.model.context == "retrieved":
        found = tools.store.search([prompt.question for prompt in prompts], RETRIEVED_CHUNKS)
        contexts = [tuple(piece.text for piece in pieces) for pieces in found]
    out: list[Prompt] = []
    for place, prompt in enumerate(prompts):
        foreign = contexts[(place + len(prompts) // 2) % len(prompts)]
        given = Given(contexts[place], foreign, config.evaluation.seed)
        out += [prompt, *(probe for name in config.evaluation.probes for probe in probes(name, prompt, given))]
    return out


def _distinct(prompts: Iterable[Prompt]) -> list[Prompt]:
    """The prompts without those that ask the same again."""
    seen: dict[str, Prompt] = {}
    for prompt in prompts:
        seen.setdefault(same(prompt.question), prompt)
    return list(seen.values())


def _choose(state: State, prompts: list[Prompt]) -> None:
    """Write the first `limit` prompts, and of those every n-th for a shard (i, n), 1-based: together they are all."""
    limit, shard = state["tools"].limit, state["tools"].shard
    prompts = prompts[:limit] if limit is not None else prompts
    prompts = prompts[shard[0] - 1 :: shard[1]] if shard else prompts
    state["prompts"] = _with_probes(state, prompts) if state["config"].evaluation.probes else prompts
    if not prompts and not shard:  # the last shards of a small run may have nothing to do
        raise UsageError(
            "there is nothing to ask: no prompt could be made or is left",
            "index documents with prose (gate ingest), name another dataset, or ask for fewer shards",
        )
