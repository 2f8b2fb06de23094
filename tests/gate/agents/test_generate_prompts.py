"""Which prompts a run asks, from where, and which of them a shard gets."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.agents.generate_prompts import generate_prompts
from gate.config import Config, Limits
from gate.errors import LimitError, SetupError, UsageError
from gate.generation.dataset import normalise_question
from gate.providers.budget import Budget
from gate.records import Prompt
from gate.state import State
from tests.support.scripted_judge import Scripted
from tests.support.words_embedder import chunk

CHUNKS = [
    chunk(f"The {name} tank holds {n} litres. The {name} pump stops after {n}0 seconds.", f"{name}.md", 1, name)
    for n, name in enumerate(("red", "green", "blue"), 3)
]
PROMPTS = [Prompt(f"p{n}", f"Question {n}?") for n in range(10)]


def state(limit=None, shard=None, model=None, load_prompts=lambda: list(PROMPTS), chunks=CHUNKS, **evaluation) -> Any:
    config = Config.model_validate(
        {
            "use_case": "Help",
            "model": {"provider": "ollama", "model_id": "m"},
            "judge": {"provider": "ollama", "model_id": "m"},
            "evaluation": evaluation,
            "limits": {"concurrency": 2},
        }
    )
    tools: Any = SimpleNamespace(
        limit=limit,
        shard=shard,
        judge_model=model,
        load_prompts=load_prompts,
        store=SimpleNamespace(chunks=lambda: iter(chunks)),
        budget=Budget(Limits()),
    )
    return State(config=config, tools=tools, failures=[])


def ids(**options):
    made = state(source="dataset", dataset="d", **options)
    generate_prompts(made)
    return [prompt.id for prompt in made["prompts"]]


def written(question):
    entry = {"category": "factual_recall", "sentences": [1], "question": question}
    return json.dumps({"questions": [entry]})


@given(st.integers(1, 12), st.none() | st.integers(1, 12))
def test_the_shards_are_the_limited_run_and_share_nothing(number, limit):
    parts = [ids(limit=limit, shard=(i, number)) for i in range(1, number + 1)]
    assert sorted(sum(parts, [])) == sorted(ids(limit=limit))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_a_run_without_prompts_is_refused_but_a_shard_without_is_not():
    with pytest.raises(UsageError, match="nothing to ask"):
        ids(load_prompts=list)
    assert ids(shard=(3, 3), limit=2) == []


def test_a_model_writes_and_the_local_questions_fill_up():
    model = Scripted(lambda request: written("How much fits into the tank of this machine?"))
    made = state(model=model, generator="model", num_prompts=4)
    generate_prompts(made)
    questions = [normalise_question(prompt.question) for prompt in made["prompts"]]
    assert questions[0] == "howmuchfitsintothetankofthismachine"
    assert len(questions) == len(set(questions)) == 4
    assert model.requests
    assert {request.role for request in model.requests} == {"writer"}
    assert made["failures"] == []


def test_a_model_that_writes_nonsense_costs_failures_not_questions():
    made = state(model=Scripted(lambda request: "no JSON"), generator="model", num_prompts=4)
    generate_prompts(made)
    assert len(made["prompts"]) == 4
    assert made["failures"]
    assert {failure.agent for failure in made["failures"]} == {"generate_prompts"}


def test_a_model_that_cannot_be_reached_ends_the_run():
    with pytest.raises(SetupError):
        generate_prompts(state(model=Scripted(lambda request: SetupError("no key")), generator="model"))


def test_a_limit_is_raised_with_the_prompts_already_written():
    made = state(model=Scripted(lambda request: LimitError("enough")), generator="model", num_prompts=4)
    with pytest.raises(LimitError, match="enough"):
        generate_prompts(made)
    assert len(made["prompts"]) == 4


def test_a_shard_does_not_let_a_model_write():
    model = Scripted()
    with pytest.raises(UsageError, match="differ from shard to shard"):
        generate_prompts(state(model=model, generator="model", shard=(1, 2)))
    assert model.requests == []
