"""Answers with the spans that must be claims and those that must not: the share found holds a floor."""

import json
from pathlib import Path

from gate.claims.local import extract

CORPUS = Path(__file__).parents[2] / "corpus" / "claims.jsonl"
KEPT = 0.97  # of the spans that state something
DROPPED = 0.78  # of those that do not
HALF = 0.5  # of a span's characters: from there on a claim says it


def said(answer: str, question: str, span: str) -> bool:
    """Whether claims hold most of a span."""
    start = answer.index(span)
    inside = (min(c.end, start + len(span)) - max(c.start, start) for c in extract(answer, question))
    return sum(length for length in inside if length > 0) >= HALF * len(span)


def test_the_share_of_the_corpus_that_is_found() -> None:
    rows = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").split("\n") if line]
    kept = [said(row["answer"], row["question"], span) for row in rows for span in row["claims"]]
    dropped = [not said(row["answer"], row["question"], span) for row in rows for span in row["none"]]
    assert sum(kept) / len(kept) >= KEPT, f"{sum(kept)} of {len(kept)} claims are found"
    assert sum(dropped) / len(dropped) >= DROPPED, f"{sum(dropped)} of {len(dropped)} other spans are left out"
