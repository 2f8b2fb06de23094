"""Recorded answers: what is read and refused with its line, and the right answer for a prompt."""

import json
from pathlib import Path
from typing import Any

import pytest

from gate.errors import BadReplyError, InputFileError, SetupError
from gate.providers.base import Message, Request
from gate.providers.replay import Replay, read_answers, read_dataset
from gate.records import Category, Usage


def write(folder: Path, *lines: dict[str, Any]) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_an_answer_keeps_every_field(tmp_path: Path) -> None:
    line = {
        "id": "a",
        "question": "How long?",
        "answer": "Five seconds.",
        "reference": "5 s",
        "contexts": ["The time-out is 5 s."],
        "model": "m",
        "latency_ms": 12.5,
        "input_tokens": 3,
        "output_tokens": 4,
        "created_at": "2025-01-01",
        "variant": {"deep": [1]},
        "tags": ["time"],
        "about": ["v2"],
    }
    (read,) = read_answers(write(tmp_path, line))
    assert (read.prompt.id, read.prompt.question, read.prompt.reference) == ("a", "How long?", "5 s")
    assert (read.prompt.contexts, read.prompt.line, read.answer) == (("The time-out is 5 s.",), 1, "Five seconds.")
    assert (read.prompt.tags, read.prompt.about) == (("time",), ("v2",))
    assert (read.model, read.latency_ms, read.usage) == ("m", 12.5, Usage(3, 4))


def test_an_answer_may_be_a_list_of_parts(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "Press \ud800."}, {"type": "image_url", "image_url": {"url": "x"}}]
    (read,) = read_answers(write(tmp_path, {"question": "How?", "answer": parts}))
    assert read.answer == "Press \ufffd.\n[image]"


def test_checks_that_cannot_be_decided_are_named_with_their_line(tmp_path: Path) -> None:
    good = {"question": "x", "answer": "y", "checks": {"contains": "30 days", "max_chars": 9}}
    path = write(tmp_path, good, {**good, "checks": {"regex": "("}})
    for read in (read_dataset, read_answers):
        with pytest.raises(InputFileError, match=r"answers\.jsonl:2: `checks`: regex has the pattern"):
            read(path)
    (made,) = read_dataset(write(tmp_path, good))
    assert made.checks == {"contains": ("30 days",), "max_chars": 9}
    assert hash(made)


def test_an_id_without_a_name_follows_the_question_not_the_line(tmp_path: Path) -> None:
    one = [item.id for item in read_dataset(write(tmp_path, {"question": "x"}, {"question": "y"}, {"question": "y"}))]
    two = [item.id for item in read_dataset(write(tmp_path, {"question": "y"}, {"question": "x"}))]
    assert one[0] == two[1]
    assert one[1] == two[0]
    assert one[2] == one[1] + "-2"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([{"answer": "a"}], ":1: `question` is missing"),
        ([{"question": "q"}], ":1: `answer` is missing"),
        ([{"question": "q", "answer": 5}], ":1: `answer` must be a string, not a number"),
        (
            [{"id": 1, "question": "q", "answer": "a"}, {"id": " 1 ", "question": "r"}],
            ":2: the id '1' is already used in",
        ),
        ([], "there is nothing in it"),
    ],
)
def test_faults_name_file_and_line(tmp_path: Path, lines: list[dict[str, Any]], told: str) -> None:
    with pytest.raises(InputFileError) as caught:
        read_answers(write(tmp_path, *lines))
    assert "answers.jsonl" in caught.value.message
    assert told in caught.value.message
    if "already" not in told:
        assert "a line needs `question` and `answer`" in caught.value.hint


def test_a_dataset_has_our_categories_and_a_log_may_have_its_own(tmp_path: Path) -> None:
    known = write(tmp_path, {"question": "q", "category": "edge_cases", "answer": "a"})
    assert read_dataset(known)[0].category is Category.EDGE_CASES
    assert read_answers(known)[0].prompt.category is Category.EDGE_CASES
    foreign = write(tmp_path, {"question": "q", "category": "billing", "answer": "a"})
    assert read_answers(foreign)[0].prompt.category is Category.FACTUAL_RECALL
    with pytest.raises(InputFileError, match=r":1: `category` must be one of factual_recall, "):
        read_dataset(foreign)


def replay(folder: Path, *lines: dict[str, Any]) -> Replay:
    return Replay(write(folder, *lines))


def ask(question: str, prompt_id: str = "", repeat: int = 0) -> Request:
    return Request((Message("user", question),), repeat=repeat, prompt_id=prompt_id, question=question)


def test_an_answer_to_another_question_is_none_although_it_has_the_id(tmp_path: Path) -> None:
    """The dataset was written anew, with the same row numbers as ids; the answers are those of before."""
    older = {"id": "1", "question": "How long is the warranty?", "answer": "Two years."}
    provider = replay(tmp_path, older, {"id": "2", "question": "What does it cost?", "answer": "Nine euros."})
    assert provider.complete(ask("how long is  the warranty?", "1")).text == "Two years."
    assert provider.complete(ask("What does it cost?", "1")).text == "Nine euros."
    with pytest.raises(BadReplyError, match="line 1 has its id and answers 'How long is the warranty") as caught:
        provider.complete(ask("Who pays the return?", "1"))
    assert caught.value.kind == "missing"


def test_what_was_measured_then_is_told_now_and_what_was_not_is_an_estimate(tmp_path: Path) -> None:
    line = {"question": "q", "answer": "a", "model": "gpt-x", "latency_ms": 9, "input_tokens": 5, "output_tokens": 6}
    provider = replay(tmp_path, line, {"question": "r", "answer": "a" * 40})
    reply, bare = provider.complete(ask("q")), provider.complete(ask("r"))
    assert (reply.model, reply.latency_ms, reply.usage) == ("gpt-x", 9.0, Usage(5, 6))
    assert (bare.model, bare.usage.output_tokens, bare.usage.estimated) == ("answers.jsonl", 10, True)


def test_the_id_goes_before_the_question_and_repeats_are_its_further_answers(tmp_path: Path) -> None:
    provider = replay(tmp_path, {"id": "a", "question": "q", "answer": "one"}, {"question": "q", "answer": "two"})
    assert provider.complete(ask(" q\n", "a")).text == "one"
    assert provider.complete(ask("q", "a", 1)).text == "two"
    with pytest.raises(SetupError, match="2 recorded answer") as caught:
        provider.complete(ask("q", "a", 2))
    assert "repeats" in caught.value.hint


def test_the_same_question_in_two_conversations_has_two_answers(tmp_path: Path) -> None:
    def row(before: str, answer: str) -> dict[str, Any]:
        turns = [{"role": "user", "content": before}, {"role": "assistant", "content": "x"}]
        return {"messages": [*turns, {"role": "user", "content": "And then?"}], "answer": answer}

    rows = [row("Pool?", "It closes."), row("Gym?", "It opens.")]
    prompts = read_dataset(write(tmp_path, *rows))
    provider = replay(tmp_path, *rows[::-1])
    told = [provider.complete(Request(p.messages, prompt_id=p.id, question=p.question)).text for p in prompts]
    assert told == ["It closes.", "It opens."]
    again = [{**rows[0], "messages": [*rows[0]["messages"]]}]
    again[0]["messages"][1] = {"role": "assistant", "content": "said otherwise"}
    assert read_dataset(write(tmp_path, *again))[0].id == prompts[0].id
    with pytest.raises(BadReplyError, match="no recorded answer"):
        provider.complete(ask("And then?"))


@pytest.mark.parametrize(("answer", "question", "kind"), [("a", "other", "missing"), ("  \n", "q", "empty")])
def test_no_answer_is_a_fault_of_that_prompt(tmp_path: Path, answer: str, question: str, kind: str) -> None:
    provider = replay(tmp_path, {"question": "q", "answer": answer})
    with pytest.raises(BadReplyError) as caught:
        provider.complete(ask(question))
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    ("error", "shown"), [("overloaded", r"\(overloaded\)$"), ({"code": 7}, "empty$"), ("\ud800", "\ufffd")]
)
def test_an_empty_answer_says_why(tmp_path: Path, error: Any, shown: str) -> None:
    provider = replay(tmp_path, {"question": "q", "answer": "", "error": error})
    with pytest.raises(BadReplyError, match=shown):
        provider.complete(ask("q"))


def test_a_prompt_knows_the_file_and_line_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, {"question": "x", "answer": "a"}, {"question": "y", "answer": "b"})
    monkeypatch.chdir(tmp_path)
    assert [(one.asked_in, one.line) for one in read_dataset(path)] == [(path.name, 1), (path.name, 2)]
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    assert read_answers(path)[0].prompt.asked_in == ""
