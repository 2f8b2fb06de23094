"""The retriever's figures on a terminal: every figure with its interval, what fails, and nothing hostile obeyed."""

from __future__ import annotations

import json
import re

from gate.reports.retrieval import MEASURES, SCHEMA_VERSION, WAYS, describe, render


def question(number, failed=False, **more):
    return {
        "id": f"q{number}",
        "question": f"Question {number}?",
        "expected": [{"source": "docs/a.md", "line": 12, "indexed": True}],
        "ranks": {"bm25": 9, "knn": None, "fused": 12 if failed else 1},
        "failed": failed,
        "found": {"source": "docs/b.md", "line": 4, "text": "Something\nelse."} if failed else None,
        **more,
    }


def document(*questions, **more):
    figure = {"value": 0.5, "interval": [0.25, 0.75]}
    return {
        "schema_version": SCHEMA_VERSION,
        "data": "qa.jsonl",
        "k": 5,
        "depth": 50,
        "documents": 2,
        "chunks": 30,
        "index": "0" * 64,
        "embedder": "words",
        "left_out": 0,
        "not_indexed": 0,
        "figures": {way: dict.fromkeys(MEASURES, figure) for way in WAYS},
        "questions": list(questions),
        **more,
    }


def test_the_table_and_a_failing_question():
    text = describe(document(question(1), question(2, failed=True)))
    assert "questions  qa.jsonl: 2 questions with a labelled source\nindex      2 documents, 30 chunks\n\n" in text
    assert re.search(r"\n +BM25 +kNN +fused\n", text)
    for name in ("hit rate@5", "MRR@5", "recall@5", "nDCG@5"):
        assert re.search(rf"\n  {name} +(0\.500 \(0\.250 to 0\.750\) *){{3}}\n", text)
    assert text.endswith(
        "1 of 2 questions finds no labelled place among its first 5 (fused)\n"
        "  q2  Question 2?\n"
        "    expected  docs/a.md:12  (found at rank: BM25 9, fused 12)\n"
        "    found     docs/b.md:4  Something else.\n"
    )
    assert max(map(len, text.splitlines())) <= 90


def test_many_failures_and_many_places_are_cut_short():
    places = [{"source": "docs/a.md", "line": line, "indexed": True} for line in range(1, 7)]
    text = describe(document(*(question(number, failed=True, expected=places) for number in range(25))))
    assert "docs/a.md:1, docs/a.md:2, docs/a.md:3, and 3 more" in text
    assert "q9" in text
    assert "q10" not in text
    assert "and 15 more: -o FILE.json has all of them" in text


def test_strangers_text_commands_neither_terminal_nor_runner():
    bad = "\x1b[2J\n::error::pwned \u202e" + "x" * 5000
    found = {"source": bad, "line": 1, "text": bad}
    expected = [{"source": bad, "line": 1, "indexed": True}]
    hostile = question(1, failed=True, id=bad, question=bad, expected=expected, found=found)
    text = describe(document(hostile, data=bad))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert not re.search(r"(?m)^\s*::", text)
    assert json.loads(render(document(hostile)))["questions"][0]["question"] == bad
