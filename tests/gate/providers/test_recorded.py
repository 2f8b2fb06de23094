"""Files of questions and answers: what is read, and what is refused with its line."""

import json
from pathlib import Path
from typing import Any

import pytest

from gate.errors import InputFileError
from gate.providers.recorded import read_answers, read_dataset
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
    }
    (read,) = read_answers(write(tmp_path, line))
    assert (read.prompt.id, read.prompt.question, read.prompt.reference) == ("a", "How long?", "5 s")
    assert (read.prompt.contexts, read.prompt.line, read.answer) == (("The time-out is 5 s.",), 1, "Five seconds.")
    assert (read.model, read.latency_ms, read.usage, read.created_at) == ("m", 12.5, Usage(3, 4), "2025-01-01")
    assert read.extra == {"variant": {"deep": [1]}}


def test_tokens_that_are_not_there_are_not_zero(tmp_path: Path) -> None:
    first, second = read_answers(
        write(tmp_path, {"question": "q", "answer": "a"}, {"question": "r", "answer": "a", "output_tokens": 2})
    )
    assert first.usage is None
    assert second.usage == Usage(0, 2)


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
        ([{"question": "q", "answer": None}], ":1: `answer` is missing"),
        ([{"question": "q", "answer": 5}], ":1: `answer` must be a string, not a number"),
        ([{"question": " ", "answer": "a"}], ":1: `question` is empty"),
        (
            [{"id": "x", "question": "q", "answer": "a"}, {"id": " x ", "question": "r", "answer": "a"}],
            ":2: the id 'x' is already used in line 1",
        ),
        (
            [{"id": 1, "question": "q", "answer": "a"}, {"id": "1", "question": "r", "answer": "a"}],
            ":2: the id '1' is already used",
        ),
        ([{"id": True, "question": "q", "answer": "a"}], ":1: `id` must be a string"),
        ([{"question": "q", "answer": "a", "latency_ms": "fast"}], ":1: `latency_ms` must be a number"),
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
    odd = write(tmp_path, {"question": "q", "category": ["x"], "answer": "a"})
    assert read_answers(odd)[0].prompt.category is Category.FACTUAL_RECALL
