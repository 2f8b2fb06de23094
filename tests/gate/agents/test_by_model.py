"""Agents 1 and 3 where a model does their work: what it fails at is done locally, and said."""

import json
from types import SimpleNamespace

import pytest

from gate.agents.extract_claims import extract_claims
from gate.agents.generate_prompts import generate_prompts
from gate.claims.base import Extracted
from gate.config import Config
from gate.errors import BadReplyError, LimitError, SetupError, UsageError
from gate.providers.budget import Budget
from gate.records import Answer, Chunk
from gate.state import State
from tests.support.scripted_judge import Scripted

TEXTS = ["The pump is red. The door is green.", "The lid is blue."]
CHUNKS = [
    Chunk(f"c{n}", f"The pump{n} runs at 40 watts. The pump{n} is made of brass and steel.", f"{n}.md", "", (1,))
    for n in range(4)
]


class Remote:
    """Takes an answer for one claim, but for those that it was given an error for."""

    remote = True

    def __init__(self, errors: dict[str, Exception]) -> None:
        self.errors = errors

    def extract(self, answer: str, question: str) -> list[Extracted]:
        if answer in self.errors:
            raise self.errors[answer]
        return [Extracted(answer, 0, len(answer))]


def state(**tools: object) -> State:
    config = Config.model_validate(
        {
            "use_case": "Pumps",
            "model": {"provider": "replay", "path": "-"},
            "judge": {"provider": "openai", "model_id": "m"},
            "evaluation": {"generator": "model", "num_prompts": 4},
            "limits": {"concurrency": 1},
        }
    )
    made = State(config=config, failures=[], void=[])
    given = {"budget": Budget(config.limits), "limit": None, "shard": None, **tools}
    made["tools"] = SimpleNamespace(**given)  # type: ignore[typeddict-item]
    made["responses"] = [Answer(f"q{n}", f"q{n}", text) for n, text in enumerate(TEXTS)]
    return made


def claims(given: State) -> list[str]:
    return [claim.text for claim in given["claims"]]


def test_a_model_takes_answers_apart() -> None:
    given = state(extractor=Remote({}))
    extract_claims(given)
    assert claims(given) == TEXTS


def test_where_the_model_fails_the_local_extractor_stands_in() -> None:
    given = state(extractor=Remote({TEXTS[0]: BadReplyError("cut off", kind="malformed")}))
    extract_claims(given)
    assert claims(given) == ["The pump is red.", "The door is green.", "The lid is blue."]
    assert [(f.agent, f.prompt_id, f.kind) for f in given["failures"]] == [("extract_claims", "q0", "malformed")]


def test_a_limit_leaves_no_answer_without_claims() -> None:
    given = state(extractor=Remote({TEXTS[0]: LimitError("enough")}))
    with pytest.raises(LimitError):
        extract_claims(given)
    assert claims(given) == ["The pump is red.", "The door is green.", "The lid is blue."]


def test_a_fault_of_the_set_up_ends_the_run() -> None:
    with pytest.raises(SetupError):
        extract_claims(state(extractor=Remote({TEXTS[0]: SetupError("no key")})))


class Store:
    def chunks(self) -> list[Chunk]:
        return CHUNKS


def writer(script) -> State:
    return state(store=Store(), judge_model=Scripted(script))


def one_question(request) -> str:
    pump = request.messages[-1].content.split("The pump")[1][0]
    kind = request.messages[-1].content.split("- ")[1].split(":")[0]
    return json.dumps({"questions": [{"category": kind, "sentences": [1], "question": f"How strong is pump {pump}?"}]})


def test_a_model_writes_the_questions() -> None:
    given = writer(one_question)
    generate_prompts(given)
    assert sorted(prompt.question for prompt in given["prompts"]) == [f"How strong is pump {n}?" for n in range(4)]
    assert len(given["tools"].judge_model.requests) == 4  # type: ignore[attr-defined]


def test_what_it_does_not_write_is_made_locally() -> None:
    given = writer(
        lambda request: BadReplyError("empty", kind="empty") if "pump1" in str(request) else one_question(request)
    )
    generate_prompts(given)
    assert len({prompt.question for prompt in given["prompts"]}) == 4
    assert [(f.agent, f.kind) for f in given["failures"]] == [("generate_prompts", "empty")]


def test_a_limit_still_leaves_questions() -> None:
    given = writer(lambda request: LimitError("enough"))  # type: ignore[arg-type,return-value]
    with pytest.raises(LimitError):
        generate_prompts(given)
    assert len(given["prompts"]) == 4


def test_shards_must_not_write_their_own() -> None:
    given = writer(one_question)
    given["tools"].shard = (1, 2)
    with pytest.raises(UsageError, match="shard"):
        generate_prompts(given)
