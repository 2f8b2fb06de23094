"""Claims with ids and places, faults kept to one answer; where a model fails the local extractor stands in."""

from __future__ import annotations

import pytest

from gate.agents.extract_claims import extract_claims
from gate.claims.local import Extracted, LocalExtractor
from gate.errors import BadReplyError, LimitError, SetupError
from gate.records import Answer, Failure, Prompt
from gate.state import State
from tests.support.states import state_of

TEXTS = ["The lid is blue.", "The pump is red. The door is green.", "It hums."]
SENTENCES = ["The lid is blue.", "The pump is red.", "The door is green.", "It hums."]


class Fake:
    """Takes an answer for one claim; fails on the second of TEXTS."""

    def __init__(self, error: Exception, remote: bool) -> None:
        self.error, self.remote = error, remote

    def extract(self, answer: str, question: str) -> list[Extracted]:
        if answer == TEXTS[1]:
            raise self.error
        return [Extracted(answer, 0, len(answer))]


def state(extractor: object, texts: list[str]) -> State:
    prompts = [Prompt(f"q{n}", f"Does part {n} float?") for n in range(len(texts))]
    answers = [Answer(f"q{n}", f"q{n}", text) for n, text in enumerate(texts)]
    return state_of({"extractor": extractor}, {"limits": {"concurrency": 1}}, prompts=prompts, responses=answers)


def claims(given: State) -> list[str]:
    return [claim.text for claim in given["claims"]]


def test_claims_have_ids_and_places_and_probes_have_none() -> None:
    given = state(LocalExtractor(), ["It is red. It is round.", "I don't know.", "Yes.", "It is loud."])
    given["prompts"][3] = Prompt("q3", "Is it loud?", probe="consistency:x", of="q0")
    given["responses"].append(Answer("q0#1", "q0", "It is blue.", repeat=1))
    extract_claims(given)
    assert [(c.id, c.prompt_id, c.answer_id) for c in given["claims"]] == [
        ("q0:0", "q0", "q0"),
        ("q0:1", "q0", "q0"),
        ("q2:0", "q2", "q2"),
        ("q0#1:0", "q0", "q0#1"),
    ]
    texts = {answer.id: answer.text for answer in given["responses"]}
    said = [texts[c.answer_id][c.start : c.end] for c in given["claims"]]
    assert said == claims(given) == ["It is red.", "It is round.", "Yes.", "It is blue."]


@pytest.mark.parametrize(("remote", "left"), [(False, [TEXTS[0], TEXTS[2]]), (True, SENTENCES)])
def test_a_fault_costs_one_answer_and_where_a_model_fails_the_local_extractor_stands_in(
    remote: bool, left: list[str]
) -> None:
    given = state(Fake(BadReplyError("not JSON", kind="malformed"), remote), TEXTS)
    extract_claims(given)
    assert claims(given) == left
    assert given["failures"] == [Failure("extract_claims", "q1", "malformed", "not JSON")]


@pytest.mark.parametrize(("remote", "left"), [(False, TEXTS[:1]), (True, SENTENCES)])
def test_a_limit_keeps_what_was_found_and_leaves_no_answer_without_claims_behind_a_model(
    remote: bool, left: list[str]
) -> None:
    given = state(Fake(LimitError("no money"), remote), TEXTS)
    with pytest.raises(LimitError):
        extract_claims(given)
    assert claims(given) == left


def test_a_fault_of_the_set_up_ends_the_run() -> None:
    with pytest.raises(SetupError):
        extract_claims(state(Fake(SetupError("no key"), True), TEXTS))
