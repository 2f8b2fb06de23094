"""Replay: the right recorded answer for a prompt, and a fault where there is none."""

import json
from pathlib import Path
from typing import Any

import pytest

from gate.errors import BadReplyError, SetupError
from gate.providers.base import Message, Request
from gate.providers.replay import Replay
from gate.records import Usage


def replay(folder: Path, *lines: dict[str, Any]) -> Replay:
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return Replay(path)


def ask(question: str, prompt_id: str = "", repeat: int = 0) -> Request:
    return Request((Message("user", question),), repeat=repeat, prompt_id=prompt_id, question=question)


def test_the_id_goes_before_the_question(tmp_path: Path) -> None:
    provider = replay(
        tmp_path, {"id": "a", "question": "same", "answer": "one"}, {"id": "b", "question": "same", "answer": "two"}
    )
    assert provider.complete(ask("same", "b")).text == "two"
    assert provider.complete(ask(" same\n", "elsewhere")).text == "one"


def test_an_answer_to_another_question_is_none_although_it_has_the_id(tmp_path: Path) -> None:
    """The dataset was written anew, with the same row numbers as ids; the answers are those of before."""
    older = {"id": "1", "question": "How long is the warranty?", "answer": "Two years."}
    provider = replay(tmp_path, older, {"id": "2", "question": "What does it cost?", "answer": "Nine euros."})
    assert provider.complete(ask("how long is  the warranty?", "1")).text == "Two years."
    assert provider.complete(ask("What does it cost?", "1")).text == "Nine euros."
    with pytest.raises(BadReplyError, match="line 1 has its id and answers 'How long is the warranty") as caught:
        provider.complete(ask("Who pays the return?", "1"))
    assert caught.value.kind == "missing"


def test_what_was_measured_then_is_told_now(tmp_path: Path) -> None:
    line = {"question": "q", "answer": "a", "model": "gpt-x", "latency_ms": 9, "input_tokens": 5, "output_tokens": 6}
    reply = replay(tmp_path, line).complete(ask("q"))
    assert (reply.model, reply.latency_ms, reply.usage) == ("gpt-x", 9.0, Usage(5, 6))


def test_tokens_that_nobody_counted_are_marked_as_estimated(tmp_path: Path) -> None:
    reply = replay(tmp_path, {"question": "q", "answer": "a" * 40}).complete(ask("q"))
    assert reply.usage.estimated
    assert reply.usage.output_tokens == 10
    assert reply.model == "answers.jsonl"


def test_an_answer_that_names_no_model_is_not_taken_for_that_of_another(tmp_path: Path) -> None:
    lines = {"question": "q", "answer": "a", "model": "gpt-x"}, {"question": "r", "answer": "b"}
    provider = replay(tmp_path, *lines)
    assert provider.complete(ask("r")).model == "answers.jsonl"
    told = Replay(tmp_path / "answers.jsonl", "own-model")
    assert [told.complete(ask(question)).model for question in "qr"] == ["gpt-x", "own-model"]


def test_repeats_are_the_further_answers_to_the_same_question(tmp_path: Path) -> None:
    provider = replay(tmp_path, {"id": "a", "question": "q", "answer": "one"}, {"question": "q", "answer": "two"})
    assert provider.complete(ask("q", "a", 1)).text == "two"
    with pytest.raises(SetupError, match="2 recorded answer") as caught:
        provider.complete(ask("q", "a", 2))
    assert "repeats" in caught.value.hint


@pytest.mark.parametrize(("answer", "question", "kind"), [("a", "other", "missing"), ("  \n", "q", "empty")])
def test_no_answer_is_a_fault_of_that_prompt(tmp_path: Path, answer: str, question: str, kind: str) -> None:
    provider = replay(tmp_path, {"question": "q", "answer": answer})
    with pytest.raises(BadReplyError) as caught:
        provider.complete(ask(question))
    assert caught.value.kind == kind
