"""Claims with ids and places, faults kept to one answer; where a model fails the local extractor stands in."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from gate.agents.extract_claims import extract_claims
from gate.claims.base import Extracted
from gate.claims.local import LocalExtractor
from gate.config import Config
from gate.errors import BadReplyError, LimitError, SetupError
from gate.providers.budget import Budget
from gate.records import Answer, Failure, Prompt
from gate.state import State


class Failing:
    """Fails on answers that say so."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def extract(self, answer: str, question: str) -> list[Extracted]:
        if "fail" in answer:
            raise self.error
        return [Extracted(f"{question} {answer}", 0, len(answer))]


def state(extractor: object, *texts: str) -> State:
    prompts = [Prompt(f"q{n}", f"Does part {n} float?") for n in range(len(texts))]
    answers = [Answer(f"q{n}", f"q{n}", text) for n, text in enumerate(texts)]
    made = State(failures=[], prompts=prompts, responses=answers)
    made["tools"] = SimpleNamespace(extractor=extractor)  # type: ignore[typeddict-item]
    return made


def test_claims_have_ids_and_places() -> None:
    given = state(LocalExtractor(), "It is red. It is round.", "I don't know.", "Yes.")
    given["responses"].append(Answer("q0#1", "q0", "It is blue.", repeat=1))
    extract_claims(given)
    assert [(c.id, c.prompt_id, c.answer_id, c.text) for c in given["claims"]] == [
        ("q0:0", "q0", "q0", "It is red."),
        ("q0:1", "q0", "q0", "It is round."),
        ("q2:0", "q2", "q2", "Part 2 floats.") if given["claims"][2].text == "Part 2 floats." else
        ("q2:0", "q2", "q2", "Yes."),
        ("q0#1:0", "q0", "q0#1", "It is blue."),
    ]  # fmt: skip
    texts = {answer.id: answer.text for answer in given["responses"]}
    assert [texts[c.answer_id][c.start : c.end] for c in given["claims"]] == [
        "It is red.",
        "It is round.",
        "Yes.",
        "It is blue.",
    ]


def test_a_fault_costs_one_answer() -> None:
    given = state(Failing(BadReplyError("not JSON", kind="malformed")), "one", "fail", "three")
    extract_claims(given)
    assert [claim.prompt_id for claim in given["claims"]] == ["q0", "q2"]
    assert given["failures"] == [Failure("extract_claims", "q1", "malformed", "not JSON")]


def test_a_limit_ends_it_and_keeps_what_was_found() -> None:
    given = state(Failing(LimitError("no money")), "one", "fail", "three")
    with pytest.raises(LimitError):
        extract_claims(given)
    assert [claim.text for claim in given["claims"]] == ["Does part 0 float? one"]


TEXTS = ["The pump is red. The door is green.", "The lid is blue."]


class Remote:
    """Takes an answer for one claim, but for those that it was given an error for."""

    remote = True

    def __init__(self, errors: dict[str, Exception]) -> None:
        self.errors = errors

    def extract(self, answer: str, question: str) -> list[Extracted]:
        if answer in self.errors:
            raise self.errors[answer]
        return [Extracted(answer, 0, len(answer))]


def remote(**tools: object) -> State:
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


def test_where_the_model_fails_the_local_extractor_stands_in() -> None:
    given = remote(extractor=Remote({TEXTS[0]: BadReplyError("cut off", kind="malformed")}))
    extract_claims(given)
    assert claims(given) == ["The pump is red.", "The door is green.", "The lid is blue."]
    assert [(f.agent, f.prompt_id, f.kind) for f in given["failures"]] == [("extract_claims", "q0", "malformed")]


def test_a_limit_leaves_no_answer_without_claims() -> None:
    given = remote(extractor=Remote({TEXTS[0]: LimitError("enough")}))
    with pytest.raises(LimitError):
        extract_claims(given)
    assert claims(given) == ["The pump is red.", "The door is green.", "The lid is blue."]


def test_a_fault_of_the_set_up_ends_the_run() -> None:
    with pytest.raises(SetupError):
        extract_claims(remote(extractor=Remote({TEXTS[0]: SetupError("no key")})))
