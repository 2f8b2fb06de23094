"""Behind every prompt stand its probes: the same ones in every shard, and those that a model writes where it may."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.agents.generate_prompts import generate_prompts
from gate.agents.run_model import run_model
from gate.config import Config, Limits
from gate.errors import LimitError, SetupError, UsageError
from gate.providers.budget import Budget
from gate.records import Prompt
from gate.state import State
from tests.support.scripted_judge import Scripted

ANIMALS = ("cat", "dog", "eel", "fox", "gnu", "hen")
PROMPTS = [
    Prompt(f"p{n}", f"How long does the {name} sleep?", contexts=(f"The {name} sleeps for {n + 5} hours.",))
    for n, name in enumerate(ANIMALS)
]
ALL = ["consistency", "sensitivity", "retrieval_dependency"]


class Store:
    """Finds for every question a passage that repeats it, and counts."""

    def __init__(self):
        self.asked = []

    def search(self, queries, k):
        self.asked += queries
        return [[SimpleNamespace(text=query.replace("?", ": 9 days."))] for query in queries]


def asked(model=None, limit=None, shard=None, prompts=PROMPTS, target="command", context="none", **evaluation) -> Any:
    connected = {"command": ["ask"]} if target == "command" else {"model_id": "m"}
    config = Config.model_validate(
        {
            "use_case": "Help",
            "model": {"provider": target, "context": context, **connected},
            "judge": {"provider": "ollama", "model_id": "m"},
            "evaluation": {"source": "dataset", "dataset": "d", "probes": ALL, **evaluation},
            "limits": {"concurrency": 2},
        }
    )
    tools: Any = SimpleNamespace(
        limit=limit,
        shard=shard,
        judge_model=model,
        load_prompts=lambda: list(prompts),
        store=Store(),
        budget=Budget(Limits()),
    )
    return State(config=config, tools=tools, failures=[])


def made(**options):
    state = asked(**options)
    generate_prompts(state)
    return state["prompts"]


@given(st.integers(1, 4), st.none() | st.integers(1, 6))
def test_the_shards_have_the_probes_of_the_whole_run(number, limit):
    parts = [prompt for i in range(1, number + 1) for prompt in made(limit=limit, shard=(i, number))]
    assert sorted(parts, key=lambda p: p.id) == sorted(made(limit=limit), key=lambda p: p.id)


def test_the_passage_of_another_prompt_is_the_distractor():
    (probe,) = [p for p in made() if p.id == "p0~sensitivity-distractor"]
    assert set(probe.contexts) > set(PROMPTS[0].contexts)
    assert set(probe.contexts) - set(PROMPTS[0].contexts) <= {text for p in PROMPTS for text in p.contexts}


def test_a_model_that_is_given_no_contexts_has_no_probe_of_them():
    found = made(target="ollama", probes=["sensitivity"])
    assert {p.probe for p in found} == {None, "sensitivity:typos", "sensitivity:case", "sensitivity:politeness"}
    assert not [p for p in found if p.own_contexts]


def test_what_is_retrieved_is_what_is_varied():
    found = {p.id: p for p in made(target="ollama", context="retrieved")}
    assert found["p0~retrieval_dependency-contradicted"].contexts == ("How long does the cat sleep: 13 days.",)
    assert found["p0~sensitivity-case"].contexts == ("How long does the cat sleep: 9 days.",)
    assert found["p0~retrieval_dependency-withheld"].own_contexts


@pytest.mark.parametrize("shard", [None, (2, 3)])
def test_the_passages_of_a_prompt_are_searched_for_once(shard):
    state = asked(target="ollama", context="retrieved", shard=shard)
    generate_prompts(state)
    store = state["tools"].store
    for prompt in state["prompts"]:
        assert prompt.own_contexts
    model = Scripted(lambda request: "It is so.")
    state["tools"].provider = model
    run_model(state)
    assert sorted(set(store.asked)) == sorted(store.asked)
    assert set(store.asked) <= {prompt.question for prompt in PROMPTS}
    given = {answer.prompt_id: answer.contexts for answer in state["responses"]}
    mine = PROMPTS[1::3] if shard else PROMPTS
    assert {p.id: given[p.id] for p in mine} == {p.id: (p.question.replace("?", ": 9 days."),) for p in mine}


def test_an_id_that_a_probe_would_have_is_refused():
    with pytest.raises(UsageError, match="p0~sensitivity-case"):
        made(prompts=[*PROMPTS, Prompt("p0~sensitivity-case", "What?")])


def paraphrase(request):
    animal = next(name for name in ANIMALS if f"the {name} " in request.messages[1].content)
    return json.dumps({"paraphrases": [{"question": f"For what time is the {animal} asleep?"}, {"question": "Why?"}]})


def test_a_model_writes_the_paraphrases_and_the_local_ones_fill_up():
    model = Scripted(paraphrase)
    found = [p.question for p in made(model=model, generator="model", probes=["consistency"]) if p.of == "p1"]
    assert found[0] == "For what time is the dog asleep?"
    assert len(model.requests) == len(PROMPTS)
    assert found != [p.question for p in made(probes=["consistency"]) if p.of == "p1"]


def test_a_model_that_writes_nonsense_costs_failures_not_probes():
    state = asked(model=Scripted(lambda request: "no list"), generator="model")
    generate_prompts(state)
    assert state["prompts"] == made()
    assert {(failure.agent, failure.prompt_id) for failure in state["failures"]} == {
        ("generate_prompts", prompt.id) for prompt in PROMPTS
    }


def test_a_limit_is_raised_with_prompts_and_probes_written_and_no_key_ends_the_run():
    state = asked(model=Scripted(lambda request: LimitError("enough")), generator="model")
    with pytest.raises(LimitError, match="enough"):
        generate_prompts(state)
    assert state["prompts"] == made()
    with pytest.raises(SetupError):
        made(model=Scripted(lambda request: SetupError("no key")), generator="model")
