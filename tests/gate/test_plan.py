"""A plan tells prompts, calls and cost, asks nobody, and never tells a cost that it does not know."""

import re
from statistics import fmean
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.agents.generate_prompts import add_probes
from gate.agents.run_model import run_model
from gate.config import Config
from gate.plan import ON_TOP, QUESTION, plan, tokens_given
from gate.providers.base import Reply, Request, prompt_tokens
from gate.records import Category, Prompt, Usage
from gate.state import State
from tests.support.words_embedder import chunk

REPLAY = {"provider": "replay", "path": "a.jsonl"}
OLLAMA = {"provider": "ollama", "model_id": "m"}
MINE = {"provider": "openai", "model_id": "mine"}
ASSISTANT = {"provider": "command", "command": ["ask"]}
PRICED = {"prices": {"mine": {"input": 2, "output": 10}}}
DATASET = {"source": "dataset", "dataset": "d.jsonl"}
PROBES = ("consistency", "sensitivity", "retrieval_dependency")
LENGTHS = (900, 1500, 2100, 3000, 1200, 1800)


class Untouchable:
    """No model may be asked for a plan: whoever reaches for one fails."""

    limit = shard = None

    def __init__(self, prompts: int) -> None:
        self.prompts = [Prompt(f"p{n}", f"Who made part {n} of it?", list(Category)[n % 2]) for n in range(prompts)]
        names = ("red", "green", "blue", "white")
        texts = [f"The {name} tank holds nine litres. The {name} pump stops after 40 seconds." for name in names]
        self.store = SimpleNamespace(chunks=lambda: [chunk(text, f"{n}.md") for n, text in enumerate(texts)])

    def load_prompts(self) -> list[Prompt]:
        return self.prompts

    @property
    def judge_model(self) -> Any:
        raise AssertionError("a plan asked for the judge's model")

    provider = judge = judge_model


def planned(model: dict[str, Any], prompts: int = 5, evaluation: dict[str, Any] = DATASET, **parts: Any) -> list[str]:
    config = Config.model_validate({"use_case": "x", "model": model, "evaluation": evaluation, **parts})
    tools: Any = Untouchable(prompts)
    return plan(State(config=config, tools=tools, failures=[])).splitlines()


def test_a_replay_costs_nothing() -> None:
    assert planned(REPLAY) == [
        "prompts: 5 (edge_cases 2, factual_recall 3)",
        "answers: 5 from replay",
        "judge: local",
        "calls to the model under test: at most 0",
        "cost: 0 USD",
    ]


@given(st.integers(1, 30), st.integers(1, 9))
def test_every_answer_is_a_call_and_has_its_price(prompts: int, repeats: int) -> None:
    lines = planned(MINE, prompts, {**DATASET, "repeats": repeats}, **PRICED)
    answers = prompts * repeats
    assert f"calls to the model under test: at most {answers}" in lines
    assert f"about {answers * (60 * 2 + 250 * 10) / 1e6:.4f} USD" in lines[-1]


def test_the_judge_is_named_and_what_it_may_be_asked_once_more() -> None:
    tiered = {"provider": "tiered", "escalate_to": "ollama", "model_id": "m"}
    for judge, words in ((OLLAMA, "ollama m"), (tiered, "local, then ollama m"), ({}, "local")):
        lines = planned(REPLAY, judge=judge)
        assert f"judge: {words}" in lines
        assert ("calls to judge: at most 5" in lines) == (ON_TOP in lines) == (words != "local")


def test_every_use_of_the_judges_model_is_a_line_of_its_own() -> None:
    evaluation = {"generator": "model", "num_prompts": 90, "repeats": 2}
    lines = planned(OLLAMA, 0, evaluation, judge={**OLLAMA, "extract": "model", "criteria": ["a", "b"]})
    assert lines[0].startswith("prompts: 90 (")  # as many as are asked for, however few the documents give
    assert [line for line in lines if line.startswith("calls ")] == [
        "calls to the model under test: at most 180",
        "calls to write the questions: at most 90",
        "calls to take answers apart: at most 180",
        "calls to judge: at most 180",
        "calls to judge by criteria: at most 360",
    ]


def test_second_looks_are_calls_too_and_have_their_price() -> None:
    once = planned(REPLAY, 5, {**DATASET, "repeats": 2}, judge=MINE, **PRICED)
    lines = planned(REPLAY, 5, {**DATASET, "repeats": 2}, judge={**MINE, "second_look": True}, **PRICED)
    each = (1100 * 2 + 200 * 10) / 1e6
    assert "calls to judge again what is near the line: at most 20" in lines
    assert once[-1].startswith(f"cost: about {10 * each:.4f} USD")
    assert lines[-1].startswith(f"cost: about {30 * each:.4f} USD")


@pytest.mark.parametrize(("model", "parts"), [(MINE, {}), (REPLAY, {"judge": MINE}), (ASSISTANT, {})])
def test_a_cost_that_nobody_knows_is_not_zero(model: dict[str, Any], parts: dict[str, Any]) -> None:
    line = planned(model, **parts)[-1]
    assert line.startswith("cost: unknown, ")
    assert "`prices`" in line
    assert "''" not in line


def test_a_known_model_has_its_price_and_a_command_that_of_the_model_named_for_it() -> None:
    bedrock = {"provider": "bedrock", "model_id": "amazon.nova-lite-v1:0"}
    assert planned(bedrock, 100)[-1].startswith(f"cost: about {100 * (60 * 0.06 + 250 * 0.24) / 1e6:.4f} USD")
    priced = {"m": {"input": 1, "output": 2}}
    assert planned(ASSISTANT | {"model_id": "m"}, prices=priced)[-1].startswith("cost: about ")


@pytest.mark.parametrize("repeats", [1, 3])
def test_the_probes_of_known_prompts_are_counted_and_asked_as_often_as_these(repeats: int) -> None:
    evaluation = {**DATASET, "probes": PROBES, "repeats": repeats}
    lines = planned(MINE | {"context": "retrieved"}, 4, evaluation, **PRICED)
    assert lines[1:4] == [f"probes for {name}: at most {n}" for name, n in zip(PROBES, (8, 20, 8), strict=True)]
    given = [int(n) for n in re.findall(r"(\d+) tokens in and 250 out a call to the model under test", lines[-1])]
    own, changed = given  # of a prompt or another way to ask it (there is no fifth piece to distract); half without
    assert own > changed > 60
    costs = {
        name: number * (tokens * 2 + 250 * 10) / 1e6 * repeats
        for name, number, tokens in (("", 4, own), *zip(PROBES, (8, 20, 8), (own, own, changed), strict=True))
    }
    shares = f"consistency {costs['consistency']:.4f}, sensitivity {costs['sensitivity']:.4f}, retrieval"
    assert f"cost: about {sum(costs.values()):.4f} USD, of which {shares}" in lines[-1]


def test_only_probes_that_can_be_made_are_planned_where_the_prompts_are_known() -> None:
    """Of these questions the case and the courtesy can change, and there is no evidence."""
    lines = planned(ASSISTANT, 3, {**DATASET, "probes": ["sensitivity", "retrieval_dependency"]}, **PRICED)
    assert lines[1:3] == ["probes for sensitivity: at most 6", "probes for retrieval_dependency: at most 0"]
    written = {"generator": "model", "num_prompts": 6, "probes": ["sensitivity"]}
    lines = planned(OLLAMA, 0, written, judge=OLLAMA)
    assert {"probes for sensitivity: at most 30", "answers: 36 from ollama"} <= set(lines)


def test_what_the_judges_model_writes_and_grades_for_a_measure_is_told() -> None:
    evaluation = {**DATASET, "probes": ["consistency"], "generator": "model"}
    lines = planned(MINE, 5, evaluation, judge=MINE, measures={"correctness": {"by": "model"}}, **PRICED)
    assert "probes for consistency: at most 10" in lines
    assert "calls to write paraphrases for consistency: at most 5" in lines
    assert "calls to grade answers for correctness: at most 5" in lines
    consistency = (10 * (60 * 2 + 250 * 10) + 5 * (150 * 2 + 60 * 10)) / 1e6
    assert f"consistency {consistency:.4f}, correctness {5 * (700 * 2 + 150 * 10) / 1e6:.4f} (" in lines[-1]


@pytest.mark.parametrize(
    ("provider", "context", "calls"), [("openai", "none", 4), ("ollama", "retrieved", 54), ("bedrock", "none", 250)]
)
def test_calls_of_an_embedder_that_is_a_model_are_told(provider: str, context: str, calls: int) -> None:
    embedding = {"provider": provider, "model_id": "e"}
    lines = planned(MINE | {"context": context}, 50, DATASET, embedding=embedding, **PRICED)
    assert f"calls to embed: about {calls}, not part of the cost" in lines
    assert not any("embed" in line for line in planned(MINE, 50, DATASET, **PRICED))


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

    def __init__(self, lengths: tuple[int, ...], end: str) -> None:
        texts = [f"The cleaning of the tank number {n} takes {n + 7} minutes. ".ljust(size, end) for n, size in
                 enumerate(lengths)]  # fmt: skip
        self.pieces = [chunk(text, f"{n}.md") for n, text in enumerate(texts)]

    def chunks(self) -> list[Any]:
        return self.pieces

    def search(self, queries: list[str], k: int) -> list[list[Any]]:
        turned = [sum(map(ord, query)) % max(1, len(self.pieces)) for query in queries]
        return [(self.pieces[n:] + self.pieces[:n])[:k] for n in turned]


def state(lengths: tuple[int, ...] = LENGTHS, end: str = ".", **model: str) -> State:
    model = {"provider": "openai", "model_id": "m", "context": "retrieved", **model}
    probes = PROBES if model["context"] == "retrieved" else ()
    config = Config.model_validate({"use_case": "x", "model": model, "evaluation": {"probes": probes}})
    counting: Any = Counted()
    tools: Any = SimpleNamespace(store=Index(lengths, end), provider=counting, budget=None, judge_model=None)
    return State(config=config, tools=tools, failures=[])


@pytest.mark.parametrize("lengths", [LENGTHS, LENGTHS[:2]])
def test_the_tokens_of_a_plan_are_what_the_run_gives(lengths: tuple[int, ...]) -> None:
    run = state(lengths)
    asked = [f"How long does the repair of the tank number {n} take?" for n in range(24)]
    prompts = run["prompts"] = [Prompt(f"p{n}", question) for n, question in enumerate(asked)]
    add_probes(run, prompts, prompts)
    run_model(run)
    given = run["tools"].provider.given  # type: ignore[attr-defined]
    for name, tokens in tokens_given(run["config"], run["tools"]).items():
        assert tokens == pytest.approx(fmean(given[name]), rel=0.12, abs=QUESTION), name
