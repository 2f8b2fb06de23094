"""Answers that need a small inference: wrong ones that pass and right ones that are doubted, by kind.

    python benchmarks/inferences.py

Each line of inferences.jsonl is a short document, a question about a case of the asker's own, an answer, and whether it
is right. Nothing is trained on these.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from gate.api import judge
from gate.records import Label

CASES = Path(__file__).with_suffix(".jsonl")


def main() -> None:
    """Judge each answer against its document alone, and print a line for each kind."""
    count: Counter[tuple[str, bool, bool]] = Counter()
    for raw in CASES.read_text(encoding="utf-8").splitlines():
        row = json.loads(raw)
        verdicts = judge(row["question"], row["answer"], contexts=[row["doc"]])
        passes = bool(verdicts) and all(one.label is Label.SUPPORTED for one in verdicts)
        for kind in (row["kind"], "all"):
            count[kind, row["right"], passes] += 1
    for kind in sorted({kind for kind, _, _ in count}, key=lambda name: (name == "all", name)):
        passed, caught = count[kind, False, True], count[kind, False, False]
        doubted, kept = count[kind, True, False], count[kind, True, True]
        told = f"{passed} of {passed + caught} wrong ones pass, {doubted} of {doubted + kept} right ones are doubted"
        print(f"{kind}: {told}")


if __name__ == "__main__":
    main()
