"""The probes of agent 1: behind every prompt those that vary it, made of the passages that the model is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gate.agents.run_model import RETRIEVED_CHUNKS
from gate.errors import GateError, UsageError
from gate.generation.probes import reworded, variation
from gate.generation.probes_evidence import contradicted, distracted
from gate.generation.probes_words import LONGEST, PARAPHRASES, case, paraphrases, politeness, reordered, typos
from gate.measures.base import Given
from gate.measures.table import plans
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
        given = Given(found[prompt.id], foreign, config.evaluation.seed, ways.get(prompt.id, ()))
        out += [
            _settled(config, prompt, found[prompt.id]),
            *(probe for name in config.evaluation.probes for probe in probes(name, prompt, given)),
        ]
    _check_names(out)
    state["prompts"] = out
    return stopped


def probes(name: str, prompt: Prompt, given: Given) -> Sequence[Prompt]:
    """The probes that a measure needs of one prompt; equal prompts and seeds give equal probes. None is the prompt
    itself: what cannot be varied has fewer."""
    made = MAKERS[name](prompt, given)
    return [probe for probe in made if (probe.question, probe.contexts) != (prompt.question, given.contexts)]


def _paraphrased(prompt: Prompt, given: Given) -> list[Prompt]:
    """The question in other words: as a model wrote it, and where that falls short by the local templates."""
    ways = list(dict.fromkeys([*given.paraphrases, *paraphrases(prompt.question)]))[:PARAPHRASES]
    return [reworded(prompt, given, "consistency", f"paraphrase-{n}", way) for n, way in enumerate(ways, 1)]


def _disturbed(prompt: Prompt, given: Given) -> list[Prompt]:
    """The question with small changes, and with a passage among its own that has nothing to do with it."""
    name, question = "sensitivity", prompt.question
    if len(question) > LONGEST:
        return []
    ways = {
        "typos": typos(question, given.seed),
        "case": case(question),
        "politeness": politeness(question),
        "order": reordered(question),
    }
    made = [reworded(prompt, given, name, kind, way) for kind, way in ways.items() if way is not None]
    mixed = distracted(question, given.contexts, given.foreign, given.seed)
    return made if mixed is None else [*made, variation(prompt, name, "distractor", contexts=mixed)]


def _deprived(prompt: Prompt, given: Given) -> list[Prompt]:
    """The same question without any evidence, and with evidence that says otherwise; none where there was none."""
    name = "retrieval_dependency"
    if not given.contexts:
        return []
    made = [variation(prompt, name, "withheld", contexts=())]
    turned = contradicted(prompt.question, prompt.reference, given.contexts)
    return made if turned is None else [*made, variation(prompt, name, "contradicted", contexts=turned)]


# measure -> what makes its probes of one prompt, of the kinds that its plan names
MAKERS: Mapping[str, Callable[[Prompt, Given], list[Prompt]]] = {
    "consistency": _paraphrased,
    "sensitivity": _disturbed,
    "retrieval_dependency": _deprived,
}


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
    from gate.generation.probes_model import rephrase

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
