"""A plan tells prompts, calls and cost, asks nobody, and never tells a cost that it does not know."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import Config
from gate.plan import ON_TOP, plan
from gate.records import Category, Prompt
from gate.state import State
from tests.support.words_embedder import chunk

BEDROCK = {"provider": "bedrock", "model_id": "amazon.nova-lite-v1:0"}
REPLAY = {"provider": "replay", "path": "a.jsonl"}
OLLAMA = {"provider": "ollama", "model_id": "m"}
PRICED = {"prices": {"mine": {"input": 2, "output": 10}}}
MINE = {"provider": "openai", "model_id": "mine"}
DATASET = {"source": "dataset", "dataset": "d.jsonl"}


class Untouchable:
    """No model may be asked for a plan: whoever reaches for one fails."""

    limit = shard = None

    def __init__(self, prompts: int) -> None:
        self.prompts = [Prompt(f"p{n}", f"Who made part {n} of it?", list(Category)[n % 2]) for n in range(prompts)]
        names = ("red", "green", "blue", "white")
        texts = [f"The {name} tank holds nine litres. The {name} pump stops after 40 seconds." for name in names]
        self.store = SimpleNamespace(chunks=lambda: [chunk(text, f"{n}.md") for n, text in enumerate(texts)])

    def given_prompts(self) -> list[Prompt]:
        return self.prompts

    @property
    def judge_model(self) -> Any:
        raise AssertionError("a plan asked for the judge's model")

    provider = judge = judge_model


def told(model: dict[str, Any], prompts: int = 5, evaluation: dict[str, Any] = DATASET, **parts: Any) -> list[str]:
    config = Config.model_validate({"use_case": "x", "model": model, "evaluation": evaluation, **parts})
    tools: Any = Untouchable(prompts)
    return plan(State(config=config, tools=tools, failures=[])).splitlines()


def test_a_replay_costs_nothing() -> None:
    assert told(REPLAY) == [
        "prompts: 5 (edge_cases 2, factual_recall 3)",
        "answers: 5 from replay",
        "judge: local",
        "calls to the model under test: at most 0",
        "cost: 0 USD",
    ]


@given(st.integers(1, 30), st.integers(1, 9))
def test_every_answer_is_a_call_and_has_its_price(prompts: int, repeats: int) -> None:
    lines = told(MINE, prompts, {**DATASET, "repeats": repeats}, **PRICED)
    answers = prompts * repeats
    assert f"calls to the model under test: at most {answers}" in lines
    assert f"about {answers * (60 * 2 + 250 * 10) / 1e6:.4f} USD" in lines[-1]


@pytest.mark.parametrize(
    ("judge", "words"),
    [
        (OLLAMA, "ollama m"),
        ({"provider": "tiered", "escalate_to": "ollama", "model_id": "m"}, "local, then ollama m"),
        ({"provider": "local"}, "local"),
    ],
)
def test_the_judge_is_named(judge: dict[str, Any], words: str) -> None:
    lines = told(REPLAY, judge=judge)
    assert f"judge: {words}" in lines
    assert ("calls to judge: at most 5" in lines) == (words != "local")


def test_every_use_of_the_judges_model_is_a_line_of_its_own() -> None:
    evaluation = {"generator": "model", "num_prompts": 4, "repeats": 2}
    lines = told(OLLAMA, 0, evaluation, judge={**OLLAMA, "extract": "model"})
    assert [line for line in lines if line.startswith("calls ")] == [
        "calls to the model under test: at most 8",
        "calls to write the questions: at most 4",
        "calls to take answers apart: at most 8",
        "calls to judge: at most 8",
    ]
    assert lines[0].startswith("prompts: 4 (")
    assert lines[-1].startswith("cost: about 0.0000 USD")


def test_second_looks_are_calls_too_and_have_their_price() -> None:
    once = told(REPLAY, 5, {**DATASET, "repeats": 2}, judge=MINE, **PRICED)
    lines = told(REPLAY, 5, {**DATASET, "repeats": 2}, judge={**MINE, "second_look": True}, **PRICED)
    assert [line for line in lines if line not in once] == [
        "calls to judge again what is near the line: at most 20",
        lines[-1],
    ]
    each = (1100 * 2 + 200 * 10) / 1e6
    assert once[-1].startswith(f"cost: about {10 * each:.4f} USD")
    assert lines[-1].startswith(f"cost: about {30 * each:.4f} USD")


def test_what_is_asked_for_once_more_is_told_where_a_model_judges() -> None:
    assert ON_TOP in told(REPLAY, judge=OLLAMA)
    assert ON_TOP not in told(OLLAMA)


def test_a_model_writes_as_many_questions_as_are_asked_for_where_the_documents_give_fewer_without() -> None:
    evaluation = {"generator": "model", "num_prompts": 90}
    without = told(REPLAY | {"provider": "ollama", "model_id": "m"}, 0, evaluation | {"generator": "local"})
    lines = told(OLLAMA, 0, evaluation, judge=OLLAMA)
    assert without[0] != lines[0]
    assert lines[0].startswith("prompts: 90 (")
    assert "calls to the model under test: at most 90" in lines
    assert "calls to judge: at most 90" in lines


@pytest.mark.parametrize(
    ("model", "parts"),
    [(MINE, {}), (REPLAY, {"judge": MINE}), ({"provider": "command", "command": ["ask"]}, {})],
)
def test_a_cost_that_nobody_knows_is_not_zero(model: dict[str, Any], parts: dict[str, Any]) -> None:
    line = told(model, **parts)[-1]
    assert line.startswith("cost: unknown, ")
    assert "`prices`" in line
    assert "''" not in line


def test_a_command_has_the_price_of_the_model_that_is_named_for_it() -> None:
    command = {"provider": "command", "command": ["ask"]}
    assert "model.model_id" in told(command)[-1]
    assert told(command | {"model_id": "m"}, prices={"m": {"input": 1, "output": 2}})[-1].startswith("cost: about ")


def test_a_known_model_has_its_price_without_configuration() -> None:
    assert told(BEDROCK, 100)[-1].startswith(f"cost: about {100 * (60 * 0.06 + 250 * 0.24) / 1e6:.4f} USD")


ASSISTANT = {"provider": "command", "command": ["ask"]}


@pytest.mark.parametrize("repeats", [1, 3])
def test_the_probes_of_known_prompts_are_counted_and_asked_as_often_as_these(repeats: int) -> None:
    probes = ["consistency", "sensitivity", "retrieval_dependency"]
    lines = told(MINE | {"context": "retrieved"}, 4, {**DATASET, "probes": probes, "repeats": repeats}, **PRICED)
    assert lines[1:4] == [
        "probes for consistency: at most 8",
        "probes for sensitivity: at most 20",
        "probes for retrieval_dependency: at most 8",
    ]
    assert f"answers: {40 * repeats} from openai" in lines
    assert f"calls to the model under test: at most {4 * repeats}" in lines
    assert f"calls to the model under test for sensitivity: at most {20 * repeats}" in lines
    given = [int(n) for n in re.findall(r"(\d+) tokens in and 250 out a call to the model under test", lines[-1])]
    own, changed = given  # of a prompt or another way to ask it (there is no fifth piece to distract); half without
    assert own > changed > 60
    costs = {
        name: number * (tokens * 2 + 250 * 10) / 1e6 * repeats
        for name, number, tokens in (("", 4, own), *zip(probes, (8, 20, 8), (own, own, changed), strict=True))
    }
    told_costs = f"consistency {costs['consistency']:.4f}, sensitivity {costs['sensitivity']:.4f}, retrieval"
    assert f"cost: about {sum(costs.values()):.4f} USD, of which {told_costs}" in lines[-1]
    assert "call to the model under test for retrieval_dependency)" in lines[-1]


def test_only_probes_that_can_be_made_are_planned_where_the_prompts_are_known() -> None:
    """Of these questions the case and the courtesy can change, and there is no evidence."""
    lines = told(ASSISTANT, 3, {**DATASET, "probes": ["sensitivity", "retrieval_dependency"]}, prices=PRICED["prices"])
    assert lines[1:3] == ["probes for sensitivity: at most 6", "probes for retrieval_dependency: at most 0"]


def test_what_the_judges_model_writes_and_grades_for_a_measure_is_told() -> None:
    lines = told(
        MINE,
        5,
        {**DATASET, "probes": ["consistency"], "generator": "model"},
        judge=MINE,
        measures={"correctness": {"by": "model"}},
        **PRICED,
    )
    assert "probes for consistency: at most 10" in lines
    assert "calls to write paraphrases for consistency: at most 5" in lines
    assert "calls to grade answers for correctness: at most 5" in lines
    consistency = (10 * (60 * 2 + 250 * 10) + 5 * (150 * 2 + 60 * 10)) / 1e6
    assert f"consistency {consistency:.4f}, correctness {5 * (700 * 2 + 150 * 10) / 1e6:.4f} (" in lines[-1]


def test_probes_of_questions_that_a_model_will_write_are_at_most_so_many() -> None:
    lines = told(OLLAMA, 0, {"generator": "model", "num_prompts": 6, "probes": ["sensitivity"]}, judge=OLLAMA)
    assert "probes for sensitivity: at most 30" in lines
    assert "answers: 36 from ollama" in lines


@pytest.mark.parametrize(
    ("provider", "context", "calls"),
    [("openai", "none", 4), ("ollama", "retrieved", 54), ("bedrock", "none", 250), ("bedrock", "retrieved", 300)],
)
def test_calls_of_an_embedder_that_is_a_model_are_told(provider: str, context: str, calls: int) -> None:
    lines = told(MINE | {"context": context}, 50, DATASET, embedding={"provider": provider, "model_id": "e"}, **PRICED)
    assert f"calls to embed: about {calls}, not part of the cost" in lines
    assert not any("embed" in line for line in told(MINE, 50, DATASET, **PRICED))
