"""What a run would do: `--dry-run`."""

from __future__ import annotations

from collections import Counter

from gate.agents.generate_prompts import generate_prompts
from gate.state import State

ASSUMED_INPUT, ASSUMED_OUTPUT = 60, 250  # tokens of a question without context, and of an answer


def plan(state: State) -> str:
    """The plan as text: prompts, calls, and what they may cost. Asks no model and writes nothing."""
    from gate.providers.prices import price_of

    config = state["config"]
    generate_prompts(state)
    prompts = state["prompts"]
    counts = Counter(prompt.category.value for prompt in prompts)
    calls = 0 if config.model.provider == "replay" else len(prompts) * config.evaluation.repeats
    lines = [
        f"prompts: {len(prompts)} (" + ", ".join(f"{name} {n}" for name, n in sorted(counts.items())) + ")",
        f"answers: {len(prompts) * config.evaluation.repeats} from {config.model.provider}",
        f"calls to the model under test: at most {calls}",
        f"judge: {config.judge.provider}",
    ]
    price = price_of(config.model.provider, config.model.model_id or "", config.prices)
    if not calls:
        lines.append("cost: 0 USD")
    elif price is None:
        lines.append("cost: unknown, there is no price for this model (add it under `prices`)")
    else:
        cost = calls * (ASSUMED_INPUT * price.input + ASSUMED_OUTPUT * price.output) / 1e6
        lines.append(
            f"cost: about {cost:.4f} USD (estimated at {ASSUMED_INPUT} tokens in and {ASSUMED_OUTPUT} out a call)"
        )
    return "\n".join(lines) + "\n"
