"""A question rests on what it cites: rows of tests/corpus/resting.jsonl, with the shipped embedder."""

import json
from pathlib import Path
from statistics import fmean

import pytest

from gate.generation.resting import rest
from gate.records import Prompt
from gate.toolbox import shipped_embedder

ROWS = Path(__file__).parents[2] / "corpus" / "resting.jsonl"


def prompt(question, cited, source="a.md"):
    return Prompt("p", question, reference=cited, source=source, line=1)


def test_what_answers_a_question_is_kept_and_what_speaks_of_something_else_is_dropped():
    rows = [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]
    prompts = [prompt(row["question"], row["cited"]) for row in rows]
    found = rest(prompts, [""] * len(prompts), shipped_embedder().embed)
    right = {
        side: fmean(one is side for one, row in zip(found, rows, strict=True) if row["rests"] is side)
        for side in (True, False)
    }
    assert right[True] >= 0.9
    assert right[False] >= 0.85


@pytest.mark.parametrize(("heading", "source"), [("Reset the password", "a.md"), ("", "help/reset_password.md")])
def test_the_heading_and_the_name_of_the_document_say_what_a_sentence_is_about(heading, source):
    asked = "How do I reset the password in the settings?"
    cited = "Open the settings and choose a new one."
    embed = shipped_embedder().embed
    assert rest([prompt(asked, cited, source)], [heading], embed) == [True]
    assert rest([prompt("Which wines go with oysters?", cited, source)], [heading], embed) == [False]


def test_nothing_rests_on_nothing():
    assert rest([], [], shipped_embedder().embed) == []
    assert rest([prompt("Why?", "")], [""], shipped_embedder().embed) == [False]
