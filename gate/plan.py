"""What a run would do: `--dry-run`."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass

from gate.agents.generate_prompts import generate_prompts
from gate.config import Config
from gate.records import Category
from gate.state import State
from gate.toolbox_judge import model_of


@dataclass(frozen=True, slots=True)
class Calls:
    """So many calls to a model; `given` and `made` are the tokens assumed of each."""

    what: str
    provider: str
    model: str
    number: int
    given: int
    made: int


def plan(state: State) -> str:
    """The plan as text: prompts, calls, and what they may cost. Asks no model and writes nothing."""
    config = state["config"]
    asked = _to_be_written(state) or _known(state)
    counts = Counter(category.value for category in asked)
    answers = len(asked) * config.evaluation.repeats
    calls = list(_calls(config, answers))
    lines = [
        f"prompts: {len(asked)} (" + ", ".join(f"{name} {n}" for name, n in sorted(counts.items())) + ")",
        f"answers: {answers} from {config.model.provider}",
        f"judge: {_judge(config)}",
        *(f"calls {call.what}: at most {call.number}" for call in calls),
        _cost(config, calls),
    ]
    return "\n".join(lines) + "\n"


def _to_be_written(state: State) -> list[Category]:
    """The category of every question that a model will be asked to write; none where no model writes."""
    evaluation, tools = state["config"].evaluation, state["tools"]
    if (evaluation.source, evaluation.generator) != ("generated", "model") or tools.shard:
        return []
    from gate.generation.model import orders

    wanted = orders(tools.store.chunks(), evaluation.num_prompts, evaluation.prompt_categories, evaluation.seed)
    return [category for order in wanted for category in order.categories][: tools.limit]


def _known(state: State) -> list[Category]:
    """The category of every prompt that takes no model. Errors: those of the prompts."""
    config = state["config"]
    local = config.evaluation.model_copy(update={"generator": "local"})
    state["config"] = config.model_copy(update={"evaluation": local})
    generate_prompts(state)
    return [prompt.category for prompt in state["prompts"]]


def _calls(config: Config, answers: int) -> list[Calls]:
    """The tokens are those of a question without context and its answer; of an answer with five claims to be judged.
    What a judge is asked twice comes on top."""
    model, judge, evaluation = config.model, config.judge, config.evaluation
    asked = 0 if model.provider == "replay" else answers
    calls = [Calls("to the model under test", model.provider, model.model_id or "", asked, 60, 250)]
    if judge.served_by is None:
        return calls
    served = judge.served_by, model_of(judge, os.environ)
    if evaluation.source == "generated" and evaluation.generator == "model":
        calls.append(Calls("to write the questions", *served, evaluation.num_prompts, 900, 60))
    if judge.extract == "model":
        calls.append(Calls("to take answers apart", *served, answers, 450, 400))
    return [*calls, Calls("to judge", *served, answers, 1100, 200)]


def _judge(config: Config) -> str:
    judge = config.judge
    served = f"{judge.served_by} {model_of(judge, os.environ)}".rstrip()
    if judge.served_by is None:
        return judge.provider
    return f"local, then {served}" if judge.provider == "tiered" else served


def _cost(config: Config, calls: list[Calls]) -> str:
    from gate.providers.prices import price_of

    total = 0.0
    for call in calls:
        price = price_of(call.provider, call.model, config.prices)
        if call.number and price is None:
            return f"cost: unknown, there is no price for the model {call.model!r} (add it under `prices`)"
        if call.number and price is not None:
            total += call.number * (call.given * price.input + call.made * price.output) / 1e6
    if not any(call.number for call in calls):
        return "cost: 0 USD"
    assumed = "; ".join(f"{call.given} tokens in and {call.made} out a call {call.what}" for call in calls)
    return f"cost: about {total:.4f} USD (estimated at {assumed})"
