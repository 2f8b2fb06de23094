"""The run: six agents in a plain for loop over one state."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from gate.agents.extract_claims import extract_claims
from gate.agents.generate_prompts import generate_prompts
from gate.agents.retrieve_evidence import retrieve_evidence
from gate.agents.run_model import run_model
from gate.agents.score_risk import score_risk
from gate.agents.verify_claims import ENDED, verify_claims
from gate.config import Measures
from gate.errors import LimitError
from gate.judges.base import unjudged
from gate.measures.summary import decide
from gate.providers.pool import INTERRUPTED
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
    """A state with everything that is given, and with nothing yet in each key that an agent fills: whatever ends an
    agent before it has written, the next one finds something to read. `score` is there once it is made."""
    return State(
        config=config,
        tools=tools,
        failures=[],
        void=[],
        prompts=[],
        responses=[],
        claims=[],
        evidence={},
        verdicts=[],
        measures=[],
        criteria=[],
    )


def run(
    state: State,
    agents: tuple[Agent, ...] = AGENTS,
    watch: Callable[[str], None] = lambda name: None,
    guard: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> dict[str, float]:
    """Run the agents in order, each within `guard`, and return their seconds.

    A limit that is hit ends the asking, not the run: the agents that follow judge what is there, and the run is void.
    Ctrl-C while a model is asked is such a limit; Ctrl-C in other work ends the run with what is there.
    """
    seconds: dict[str, float] = {}
    for agent in agents:
        begun = time.perf_counter()
        try:
            with guard():
                watch(agent.__name__)
                agent(state)
        except LimitError as error:
            void(state, error.message)
        except KeyboardInterrupt:
            void(state, INTERRUPTED)
            break
        finally:
            seconds[agent.__name__] = time.perf_counter() - begun
    return seconds


def void(state: State, limit: str) -> None:
    """Note what ended the run, or a part of it: no decision can be made."""
    state["limit"] = limit
    if limit not in state["void"]:
        state["void"].append(limit)


def conclude(state: State) -> None:
    """Close what a limit or Ctrl-C has left open: a claim without a verdict is unjudged, and the score is that of a
    void run, also where it was the scoring that was ended."""
    found = {verdict.claim.id: verdict for verdict in state["verdicts"]}
    state["verdicts"] = [found.get(claim.id) or unjudged(claim, ENDED) for claim in state["claims"]]
    config = state["config"]
    plain = State(**state)
    plain["config"] = config.model_copy(
        update={
            "measures": Measures(),
            "judge": config.judge.model_copy(update={"criteria": ()}),
            "evaluation": config.evaluation.model_copy(update={"probes": ()}),
        }
    )
    score_risk(plain)
    state["checked"] = plain["checked"]
    state["score"] = decide(plain["score"], state["measures"], config.risk_tolerance)
