"""The plan takes for what a call is given what the run then puts in."""

from statistics import fmean
from types import SimpleNamespace
from typing import Any

import pytest

from gate.agents.probe_prompts import add_probes
from gate.agents.run_model import run_model
from gate.config import Config
from gate.plan_tokens import QUESTION, tokens_given
from gate.providers.base import Reply, Request, prompt_tokens
from gate.records import Category, Prompt, Usage
from gate.state import State
from tests.support.words_embedder import chunk

PROBES = ("consistency", "sensitivity", "retrieval_dependency")
LENGTHS = (900, 1500, 2100, 3000, 1200, 1800)


class Counted:
    """A model that counts what it is given, by the probe of the prompt."""

    def __init__(self) -> None:
        self.given: dict[str, list[int]] = {}

    def complete(self, request: Request) -> Reply:
        kind = request.prompt_id.partition("~")[2].partition("-")[0]
        self.given.setdefault(kind, []).append(prompt_tokens(request))
        return Reply("The red tank holds 9 litres.", Usage(), 1.0)


class Index:
    """Pieces of many lengths, of which a question finds some."""

    def __init__(self, lengths: tuple[int, ...]) -> None:
        self.pieces = [
            chunk(f"The cleaning of the tank number {n} takes {n + 7} minutes. ".ljust(size, "."), f"{n}.md")
            for n, size in enumerate(lengths)
        ]

    def chunks(self) -> list[Any]:
        return self.pieces

    def search(self, queries: list[str], k: int) -> list[list[Any]]:
        turned = [sum(map(ord, query)) % max(1, len(self.pieces)) for query in queries]
        return [(self.pieces[n:] + self.pieces[:n])[:k] for n in turned]


def state(lengths: tuple[int, ...], context: str = "retrieved", provider: str = "openai") -> State:
    config = Config.model_validate(
        {
            "use_case": "x",
            "model": {"provider": provider, "model_id": "m", "path": "a.jsonl", "context": context},
            "evaluation": {"probes": [] if provider == "replay" or context == "none" else PROBES},
        }
    )
    model: Any = Counted()
    tools: Any = SimpleNamespace(store=Index(lengths), provider=model, budget=None, judge_model=None)
    return State(config=config, tools=tools, failures=[])


@pytest.mark.parametrize("lengths", [LENGTHS, LENGTHS[:2]])
def test_it_is_what_the_run_gives(lengths: tuple[int, ...]) -> None:
    run = state(lengths)
    asked = [f"How long does the repair of the tank number {n} take?" for n in range(24)]
    prompts = [Prompt(f"p{n}", question, Category.FACTUAL_RECALL) for n, question in enumerate(asked)]
    run["prompts"] = prompts
    add_probes(run, prompts, prompts)
    run_model(run)
    given = run["tools"].provider.given  # type: ignore[attr-defined]
    for name, tokens in tokens_given(run["config"], run["tools"]).items():
        assert tokens == pytest.approx(fmean(given[name]), rel=0.12, abs=QUESTION), name


def test_another_script_has_the_tokens_of_its_bytes() -> None:
    plain, other = state(LENGTHS), state(LENGTHS)
    index: Any = other["tools"].store
    index.pieces = [chunk(one.text.replace(".", "水"), one.source) for one in index.pieces]
    few, many = (tokens_given(run["config"], run["tools"])[""] for run in (plain, other))
    assert many - QUESTION > 2.5 * (few - QUESTION)


def test_without_retrieval_it_is_a_question() -> None:
    for run in (state(LENGTHS, "none"), state(LENGTHS, provider="replay")):
        assert tokens_given(run["config"], run["tools"]) == {"": QUESTION}


def test_nothing_is_retrieved_from_an_empty_index() -> None:
    run = state(())
    assert max(tokens_given(run["config"], run["tools"]).values()) < 3 * QUESTION
