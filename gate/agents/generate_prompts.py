"""Agent 1: the prompts, from recorded answers, from a dataset, or generated from the indexed documents; behind each
its probes, made of the passages that the model is given with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gate.agents.run_model import RETRIEVED_CHUNKS
from gate.conversation import sought
from gate.errors import GateError, UsageError
from gate.judges.reader import shipped_reader
from gate.measures.summary import plans
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
    from gate.generation.questions import Wanted, by_patterns  # recorded answers and datasets do without

    chunks = list(tools.store.chunks())
    wanted = Wanted(evaluation.num_prompts, tuple(evaluation.prompt_categories), evaluation.seed)
    local = by_patterns(chunks, wanted, shipped_reader().score)
    if evaluation.generator == "model" and tools.judge_model is not None:
        _write(state, tools.judge_model, chunks, local)
    else:
        _choose(state, local)


def _write(state: State, model: Provider, chunks: list[Chunk], local: list[Prompt]) -> None:
    """One call for each sampled chunk, several at once; where the model falls short the local questions fill up."""
    from gate.generation.questions import normalise_question, orders, write

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
    distinct: dict[str, Prompt] = {}
    for prompt in [*written, *local]:
        distinct.setdefault(normalise_question(prompt.question), prompt)
    _choose(state, list(distinct.values())[: evaluation.num_prompts])
    if outcome.stopped is not None:
        raise outcome.stopped


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
    _check_tags(state, chosen)
    if chosen and state["config"].evaluation.probes:
        add_probes(state, asked, chosen)


def add_probes(state: State, asked: Sequence[Prompt], prompts: Sequence[Prompt]) -> None:
    """Write `prompts`: those of this shard, each with its probes behind it.

    `asked` are the prompts of the whole run: a passage of another prompt is the same one in every shard.
    Errors: UsageError for an id that a probe would have too; SetupError, and LimitError with the prompts written.
    """
    from gate.generation.probes import ProbeInputs, make_probes

    config = state["config"]
    number, place = len(asked), {prompt.id: at for at, prompt in enumerate(asked)}
    partner = {prompt.id: asked[(place[prompt.id] + max(1, number // 2)) % number] for prompt in prompts}
    found = _passages(state, list({one.id: one for one in [*prompts, *partner.values()]}.values()))
    ways, stopped = _written(state, prompts)
    out: list[Prompt] = []
    for prompt in prompts:
        own, foreign = found[prompt.id], found[partner[prompt.id].id] if number > 1 else ()
        given = ProbeInputs(own, foreign, config.evaluation.seed, ways.get(prompt.id, ()))
        # What was retrieved for it, the next agent need not search for again.
        settled = config.model.context == "retrieved" and own
        out.append(replace(prompt, contexts=own, own_contexts=True) if settled else prompt)
        out += [probe for name in config.evaluation.probes for probe in make_probes(name, prompt, given)]
    _check_names(out)
    state["prompts"] = out
    if stopped is not None:
        raise stopped


def _passages(state: State, prompts: Sequence[Prompt]) -> dict[str, tuple[str, ...]]:
    """prompt id -> the passages that reach the model with it: as messages, or told to a program."""
    model = state["config"].model
    if model.context == "retrieved":
        pieces = state["tools"].store.search(list(map(sought, prompts)), RETRIEVED_CHUNKS)
        texts = [tuple(piece.text for piece in found) for found in pieces]
        return {prompt.id: found for prompt, found in zip(prompts, texts, strict=True)}
    return {prompt.id: prompt.contexts if model.is_program else () for prompt in prompts}


def _written(state: State, prompts: Sequence[Prompt]) -> tuple[dict[str, tuple[str, ...]], GateError | None]:
    """prompt id -> the paraphrases that the judge's model wrote, where the configuration lets it write."""
    from gate.generation.questions import rephrase

    config = state["config"]
    wanted = any(plans()[name].rephrases for name in config.evaluation.probes)
    model = state["tools"].judge_model if wanted and config.evaluation.generator == "model" else None
    if model is None:
        return {}, None
    outcome = each(state, lambda prompt: rephrase(model, prompt.question), prompts, "questions rephrased")
    ways = {
        prompt.id: attempt(state, AGENT, prompt.id, done.get) or ()
        for prompt, done in zip(prompts, outcome.results, strict=True)
        if done is not None
    }
    return ways, outcome.stopped


def _check_tags(state: State, prompts: Sequence[Prompt]) -> None:
    """Errors: UsageError for a prompt about a tag that no source has: it would have no evidence."""
    known = {tag for source in state["config"].doc_sources for tag in source.tags}
    for prompt in prompts:
        if strange := sorted({*prompt.about} - known):
            raise UsageError(
                f"the prompt {prompt.id!r} is about {strange[0]!r}, a tag that no source of documents has",
                "give a source that tag (doc_sources: [{path: docs/v2, tags: [v2]}]) and run gate ingest",
            )


def _check_names(prompts: Sequence[Prompt]) -> None:
    names = [prompt.id for prompt in prompts]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(
            f"the id {twice!r} is that of a probe too", "rename the prompt, or leave out evaluation.probes"
        )
