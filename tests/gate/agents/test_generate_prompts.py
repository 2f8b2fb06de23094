"""Which prompts a run asks, from where, and which of them a shard gets; behind every prompt its probes."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.agents.generate_prompts import generate_prompts
from gate.agents.run_model import run_model
from gate.errors import LimitError, SetupError, UsageError
from gate.generation.questions import normalise_question
from gate.records import Prompt
from tests.support.scripted_judge import Scripted
from tests.support.states import state_of
from tests.support.words_embedder import chunk

CHUNKS = [
    chunk(f"The {name} tank holds {n} litres. The {name} pump stops after {n}0 seconds.", f"{name}.md", 1, name)
    for n, name in enumerate(("red", "green", "blue"), 3)
]
ANIMALS = ("cat", "dog", "eel", "fox", "gnu", "hen")
PROMPTS = [
    Prompt(f"p{n}", f"How long does the {name} sleep?", contexts=(f"The {name} sleeps for {n + 5} hours.",))
    for n, name in enumerate(ANIMALS)
]
PROBES = ["consistency", "sensitivity", "retrieval_dependency"]


class Store:
    """Finds for every question a passage that repeats it, and counts."""

    def __init__(self):
        self.asked = []

    def chunks(self):
        return iter(CHUNKS)

    def search(self, queries, k):
        self.asked += queries
        return [[SimpleNamespace(text=query.replace("?", ": 9 days."))] for query in queries]


def state(model=None, limit=None, shard=None, prompts=PROMPTS, target="command", context="none", **evaluation) -> Any:
    connected = {"command": ["ask"]} if target == "command" else {"model_id": "m"}
    values = {
        "model": {"provider": target, "context": context, **connected},
        "judge": {"provider": "ollama", "model_id": "m"},
        "evaluation": {"source": "dataset", "dataset": "d"} | evaluation,
        "limits": {"concurrency": 2},
    }
    tools = {"limit": limit, "shard": shard, "judge_model": model, "store": Store()}
    return state_of({**tools, "load_prompts": lambda: list(prompts)}, values)


def generated(model=None, **options) -> Any:
    made = state(model, source="generated", dataset=None, generator="model", num_prompts=4, **options)
    generate_prompts(made)
    return made


def made(**options):
    given = state(**options)
    generate_prompts(given)
    return given["prompts"]


@given(st.integers(1, 8), st.none() | st.integers(1, 6), st.sampled_from([[], PROBES]))
def test_the_shards_are_the_limited_run_with_its_probes_and_share_nothing(number, limit, probes):
    parts = [made(limit=limit, shard=(i, number), probes=probes) for i in range(1, number + 1)]
    whole = made(limit=limit, probes=probes)
    assert sorted(sum(parts, []), key=lambda p: p.id) == sorted(whole, key=lambda p: p.id)
    sizes = [sum(prompt.probe is None for prompt in part) for part in parts]
    assert max(sizes) - min(sizes) <= 1


def test_a_run_without_prompts_is_refused_but_a_shard_without_is_not():
    with pytest.raises(UsageError, match="nothing to ask"):
        made(prompts=[])
    assert made(shard=(3, 3), limit=2) == []


def test_a_prompt_about_a_tag_that_no_source_has_is_refused():
    with pytest.raises(UsageError, match="'p' is about 'v3', a tag that no source"):
        made(prompts=[Prompt("p", "How?", about=("v3",))])


def test_a_model_writes_and_the_local_questions_fill_up():
    entry = {"category": "factual_recall", "sentences": [1], "question": "How much fits into the tank of this machine?"}
    model = Scripted(lambda request: json.dumps({"questions": [entry]}))
    found = generated(model)
    questions = [normalise_question(prompt.question) for prompt in found["prompts"]]
    assert questions[0] == "howmuchfitsintothetankofthismachine"
    assert len(questions) == len(set(questions)) == 4
    assert {request.role for request in model.requests} == {"writer"}
    assert found["failures"] == []


def test_a_model_that_writes_nonsense_costs_failures_not_questions():
    found = generated(Scripted(lambda request: "no JSON"))
    assert len(found["prompts"]) == 4
    assert {failure.agent for failure in found["failures"]} == {"generate_prompts"}


def test_a_limit_is_raised_with_the_prompts_already_written_and_no_key_ends_the_run():
    given = state(Scripted(lambda request: LimitError("enough")), source="generated", dataset=None, generator="model")
    with pytest.raises(LimitError, match="enough"):
        generate_prompts(given)
    assert given["prompts"]
    with pytest.raises(SetupError):
        generated(Scripted(lambda request: SetupError("no key")))


def test_a_shard_does_not_let_a_model_write():
    model = Scripted()
    with pytest.raises(UsageError, match="differ from shard to shard"):
        generated(model, shard=(1, 2))
    assert model.requests == []


def test_the_passage_of_another_prompt_is_the_distractor():
    (probe,) = [p for p in made(probes=PROBES) if p.id == "p0~sensitivity-distractor"]
    assert set(probe.contexts) > set(PROMPTS[0].contexts)
    assert set(probe.contexts) - set(PROMPTS[0].contexts) <= {text for p in PROMPTS for text in p.contexts}


def test_a_model_that_is_given_no_contexts_has_no_probe_of_them():
    found = made(target="ollama", probes=["sensitivity"])
    assert {p.probe for p in found} == {None, "sensitivity:typos", "sensitivity:case", "sensitivity:politeness"}
    assert not [p for p in found if p.own_contexts]


def test_what_is_retrieved_is_what_is_varied():
    found = {p.id: p for p in made(target="ollama", context="retrieved", probes=PROBES)}
    assert found["p0~retrieval_dependency-contradicted"].contexts == ("How long does the cat sleep: 13 days.",)
    assert found["p0~sensitivity-case"].contexts == ("How long does the cat sleep: 9 days.",)
    assert found["p0~retrieval_dependency-withheld"].own_contexts


@pytest.mark.parametrize("shard", [None, (2, 3)])
def test_the_passages_of_a_prompt_are_searched_for_once(shard):
    given = state(target="ollama", context="retrieved", shard=shard, probes=PROBES)
    generate_prompts(given)
    assert all(prompt.own_contexts for prompt in given["prompts"])
    given["tools"].provider = Scripted(lambda request: "It is so.")
    run_model(given)
    asked = given["tools"].store.asked
    assert sorted(set(asked)) == sorted(asked)
    assert set(asked) <= {prompt.question for prompt in PROMPTS}
    contexts = {answer.prompt_id: answer.contexts for answer in given["responses"]}
    for prompt in PROMPTS[1::3] if shard else PROMPTS:
        assert contexts[prompt.id] == (prompt.question.replace("?", ": 9 days."),)


def test_an_id_that_a_probe_would_have_is_refused():
    with pytest.raises(UsageError, match="p0~sensitivity-case"):
        made(prompts=[*PROMPTS, Prompt("p0~sensitivity-case", "What?")], probes=PROBES)


def paraphrase(request):
    animal = next(name for name in ANIMALS if f"the {name} " in request.messages[1].content)
    return json.dumps({"paraphrases": [{"question": f"For what time is the {animal} asleep?"}, {"question": "Why?"}]})


def test_a_model_writes_the_paraphrases_and_the_local_ones_fill_up():
    model = Scripted(paraphrase)
    found = [p.question for p in made(model=model, generator="model", probes=["consistency"]) if p.of == "p1"]
    assert found[0] == "For what time is the dog asleep?"
    assert len(found) == len([p for p in made(probes=["consistency"]) if p.of == "p1"])
    assert len(model.requests) == len(PROMPTS)


def test_a_model_that_fails_on_paraphrases_costs_failures_not_probes():
    given = state(Scripted(lambda request: "no list"), generator="model", probes=PROBES)
    generate_prompts(given)
    assert given["prompts"] == made(probes=PROBES)
    assert {(failure.agent, failure.prompt_id) for failure in given["failures"]} == {
        ("generate_prompts", prompt.id) for prompt in PROMPTS
    }
    given = state(Scripted(lambda request: LimitError("enough")), generator="model", probes=PROBES)
    with pytest.raises(LimitError, match="enough"):
        generate_prompts(given)
    assert given["prompts"] == made(probes=PROBES)
    with pytest.raises(SetupError):
        made(model=Scripted(lambda request: SetupError("no key")), generator="model", probes=PROBES)
