"""What the shipped judge makes of short answers about four pages: data with a floor on the score."""

from __future__ import annotations

import json
from pathlib import Path

from gate.claims.local import LocalExtractor
from gate.config import JudgeSettings
from gate.judges.local import open_local
from gate.records import Claim, Evidence, Item, Label

CORPUS = Path(__file__).parents[2] / "corpus"
SUPPORTED, REFUSED = 0.85, 0.75  # share of the right answers that pass, and of the others that do not


def test_right_answers_pass_and_others_do_not() -> None:
    pages = json.loads((CORPUS / "documents.json").read_text(encoding="utf-8"))
    rows = [json.loads(line) for line in (CORPUS / "judge.jsonl").read_text(encoding="utf-8").splitlines()]
    items = []
    for row in rows:
        (claim,) = LocalExtractor().extract(row["answer"], row["question"])[:1]
        page = pages[row["document"]]
        passage = Evidence("page.md", 1, page, 1.0, lines=tuple(range(1, page.count("\n") + 2)))
        made = Claim("a:0", "a", "a", claim.text, claim.start, claim.end, claim.context, claim.header)
        items.append(Item(made, (passage,), row["question"], row["answer"]))
    verdicts = open_local(JudgeSettings(), None, None, lambda _: None).judge(items)
    passed = [verdict.label is Label.SUPPORTED for verdict in verdicts]
    right = [got for got, row in zip(passed, rows, strict=True) if row["label"] == "supported"]
    wrong = [got for got, row in zip(passed, rows, strict=True) if row["label"] != "supported"]
    assert sum(right) >= SUPPORTED * len(right)
    assert sum(wrong) <= (1 - REFUSED) * len(wrong)
