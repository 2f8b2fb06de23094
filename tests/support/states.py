"""The state of a run for one agent: a configuration, and tools made for a test."""

from types import SimpleNamespace
from typing import Any

from gate.config import Config
from gate.providers.budget import Budget
from gate.state import State


def state_of(tools: dict[str, Any], values: dict[str, Any] | None = None, **keys: Any) -> State:
    """`values` are of the configuration, which replays by default; a budget is among the tools."""
    config = Config.model_validate({"use_case": "x", "model": {"provider": "replay", "path": "-"}, **(values or {})})
    made: Any = SimpleNamespace(**{"budget": Budget(config.limits), "limit": None, "shard": None, **tools})
    return State(config=config, tools=made, failures=[], void=[], **keys)
