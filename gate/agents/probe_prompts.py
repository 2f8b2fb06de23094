"""The probes of agent 1: behind every prompt those that vary it, made of the passages that the model is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gate.agents.run_model import RETRIEVED_CHUNKS
from gate.errors import GateError, UsageError
from gate.generation.probes import ProbeInputs, make_probes
from gate.measures.base import plans
from gate.records import Prompt
from gate.state import State, attempt, each

if TYPE_CHECKING:
    from gate.config import Config
    from gate.providers.base import Provider

AGENT = "generate_prompts"


def add_probes(state: State, asked: Sequence[Prompt], prompts: Sequence[Prompt]) -> GateError | None:
    """Write `prompts`: those of this shard, each with its probes behind it; what stopped a model that writes them.

    `asked` are the prompts of the whole run: a passage of another prompt is the same one in every shard.
    Errors: UsageError for an id that a probe would have too; SetupError.
    """
    config = state["config"]
    number, place = len(asked), {prompt.id: at for at, prompt in enumerate(asked)}
    partner = {prompt.id: asked[(place[prompt.id] + max(1, number // 2)) % number] for prompt in prompts}
    found = _passages(state, list({one.id: one for one in [*prompts, *partner.values()]}.values()))
    ways, stopped = _written(state, prompts)
    out: list[Prompt] = []
    for prompt in prompts:
        foreign = found[partner[prompt.id].id] if number > 1 else ()
        given = ProbeInputs(found[prompt.id], foreign, config.evaluation.seed, ways.get(prompt.id, ()))
        out += [
            _settled(config, prompt, found[prompt.id]),
            *(probe for name in config.evaluation.probes for probe in make_probes(name, prompt, given)),
        ]
    _check_names(out)
    state["prompts"] = out
    return stopped


def gives_contexts(config: Config) -> bool:
    """Whether the contexts of a prompt reach the model under test: as messages, or told to a command."""
    return config.model.context == "retrieved" or config.model.provider == "command"


def _settled(config: Config, prompt: Prompt, found: tuple[str, ...]) -> Prompt:
    """The prompt with what was retrieved for it: the next agent need not search for it again."""
    retrieved = config.model.context == "retrieved" and found
    return replace(prompt, contexts=found, own_contexts=True) if retrieved else prompt


def _passages(state: State, prompts: Sequence[Prompt]) -> dict[str, tuple[str, ...]]:
    """prompt id -> the passages that the model is given with it."""
    config = state["config"]
    if config.model.context == "retrieved":
        pieces = state["tools"].store.search([prompt.question for prompt in prompts], RETRIEVED_CHUNKS)
        texts = [tuple(piece.text for piece in found) for found in pieces]
        return {prompt.id: found for prompt, found in zip(prompts, texts, strict=True)}
    return {prompt.id: prompt.contexts if gives_contexts(config) else () for prompt in prompts}


def _written(state: State, prompts: Sequence[Prompt]) -> tuple[dict[str, tuple[str, ...]], GateError | None]:
    """prompt id -> the paraphrases that the judge's model wrote, where the configuration lets it write."""
    from gate.generation.model import rephrase

    config = state["config"]
    wanted = any(plans()[name].rephrases for name in config.evaluation.probes)
    if not wanted or config.evaluation.generator != "model":
        return {}, None
    model: Provider | None = state["tools"].judge_model
    if model is None:
        return {}, None
    outcome = each(state, lambda prompt: rephrase(model, prompt.question), prompts, "questions rephrased")
    ways = {
        prompt.id: attempt(state, AGENT, prompt.id, done.get) or ()
        for prompt, done in zip(prompts, outcome.results, strict=True)
        if done is not None
    }
    return ways, outcome.stopped


def _check_names(prompts: Sequence[Prompt]) -> None:
    names = [prompt.id for prompt in prompts]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(
            f"the id {twice!r} is that of a probe too", "rename the prompt, or leave out evaluation.probes"
        )
