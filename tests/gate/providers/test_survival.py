"""Runs that are killed, and servers that go away: nothing that was answered is asked again."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gate.agents.run_model import run_model
from gate.config import Config, Limits
from gate.errors import SetupError
from gate.providers.budget import Budget
from gate.providers.calls import Calls
from gate.providers.chain import Chain, Patience
from gate.records import Prompt
from gate.state import State
from tests.support.fake_models import FakeModels

PROMPTS, CONCURRENCY = 60, 4


RUN = """
import sys
from pathlib import Path
from types import SimpleNamespace
from gate.agents.run_model import run_model
from gate.config import Config, Limits
from gate.providers.budget import Budget
from gate.providers.calls import Calls
from gate.providers.chain import Chain
from gate.providers.connect import connect
from gate.providers.calls import Locks
from gate.records import Prompt

url, folder, prompts, concurrency = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
config = Config.model_validate({"use_case": "x", "model": {"provider": "openai", "model_id": "m"},
                                "limits": {"concurrency": concurrency}})
budget = Budget(Limits())
calls, turns = Calls(folder / "calls.sqlite"), Locks(folder / "calls.lock", budget.sleep)
provider = Chain(budget, calls, concurrency, locks=turns).around(connect("openai", "m", {}, url))
state = {"config": config, "tools": SimpleNamespace(provider=provider, budget=budget), "failures": [],
         "prompts": [Prompt(f"p{n}", f"Question {n}?") for n in range(prompts)]}
run_model(state)
print(len(state["responses"]), budget.spent().cached_calls, flush=True)
"""


def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path, server: FakeModels) -> None:
    server.latency = 0.02
    command = [sys.executable, "-c", RUN, server.url, str(tmp_path), str(PROMPTS), str(CONCURRENCY)]
    kills = 4
    for kill in range(kills):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
            while len(server.sent) < 10 * kill and run.poll() is None:
                threading.Event().wait(0.001)
            os.kill(run.pid, signal.SIGKILL)
    asked = len(server.sent)
    done = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    answered, cached = int(done[0]), int(done[1])
    assert answered == PROMPTS
    distinct = {str(body["messages"]) for _, _, body in server.sent}
    assert len(distinct) == PROMPTS
    assert len(server.sent) <= PROMPTS + kills * CONCURRENCY
    assert cached >= asked - kills * CONCURRENCY > 0


def test_two_runs_at_once_pay_once(tmp_path: Path, server: FakeModels) -> None:
    server.latency = 0.05
    command = [sys.executable, "-c", RUN, server.url, str(tmp_path), str(PROMPTS), str(CONCURRENCY)]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    told = [run.communicate()[0].split() for run in runs]
    assert [int(answered) for answered, _ in told] == [PROMPTS, PROMPTS]
    assert len(server.sent) == PROMPTS
    assert sum(int(cached) for _, cached in told) == PROMPTS


@pytest.mark.parametrize("provider", ["openai", "ollama", "bedrock"])
def test_a_server_that_stops_ends_the_run_and_costs_no_answer(
    tmp_path: Path, server: FakeModels, remote: Any, provider: str
) -> None:
    calls, budget = Calls(tmp_path / "calls.sqlite"), Budget(Limits())
    chained = Chain(budget, calls, patience=Patience(first=0.0)).around(remote(provider))
    config = Config.model_validate(
        {"use_case": "x", "model": {"provider": "ollama", "model_id": "m"}, "limits": {"concurrency": 1}}
    )

    def stopping(request: Any) -> Any:
        if len(server.sent) == 3:
            server.faults = ["reset"]  # what was open breaks
            server.close()  # and nobody listens any more
        return chained.complete(request)

    tools: Any = SimpleNamespace(provider=SimpleNamespace(complete=stopping), budget=budget)
    prompts = [Prompt(f"p{number}", f"Question {number}?") for number in range(6)]
    state = State(config=config, tools=tools, failures=[], prompts=prompts)
    with pytest.raises(SetupError, match="refused|cannot be reached"):
        run_model(state)
    assert [answer.prompt_id for answer in state["responses"]] == ["p0", "p1", "p2"]
    assert state["failures"] == []
    calls.close()
