"""The run: six agents in a plain for loop over one state."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from gate.agents.extract_claims import extract_claims
from gate.agents.generate_prompts import generate_prompts
from gate.agents.retrieve_evidence import retrieve_evidence
from gate.agents.run_model import run_model
from gate.agents.score_risk import score_risk
from gate.agents.verify_claims import verify_claims
from gate.errors import LimitError
from gate.state import State

if TYPE_CHECKING:
    from gate.config import Config
    from gate.toolbox import Toolbox

Agent = Callable[[State], None]
AGENTS: tuple[Agent, ...] = (
    generate_prompts,
    run_model,
    extract_claims,
    retrieve_evidence,
    verify_claims,
    score_risk,
)


def start(config: Config, tools: Toolbox) -> State:
    """A state with everything that is given and nothing that an agent writes."""
    return State(config=config, tools=tools, failures=[], void=[])


def run(
    state: State, agents: tuple[Agent, ...] = AGENTS, watch: Callable[[str], None] = lambda name: None
) -> dict[str, float]:
    """Run the agents in order and return their seconds.

    A limit that is hit ends the asking, not the run: the agents that follow judge what is there, and the run is void.
    """
    seconds: dict[str, float] = {}
    for agent in agents:
        watch(agent.__name__)
        begun = time.perf_counter()
        try:
            agent(state)
        except LimitError as error:
            state["void"].append(error.message)
            state["limit"] = error.message
        seconds[agent.__name__] = time.perf_counter() - begun
    return seconds
