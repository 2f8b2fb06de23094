"""Answers that need a small inference, and others that sound alike and need none: wrong ones that pass, right ones that
are doubted, and those of which the judge says that they are about a case, by kind.

    python benchmarks/inferences.py

Each line of inferences.jsonl is a short document, a question, an answer, and whether it is right. The question is about
a case of the asker's own, or of the kind LOOK_UP: the document answers it outright. Nothing is trained on these.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from gate.api import judge
from gate.records import Label

CASES = Path(__file__).with_suffix(".jsonl")
LOOK_UP = "look-up"


def main() -> None:
    """Judge each answer against its document alone, and print a line for each kind."""
    count: Counter[tuple[str, bool, str]] = Counter()
    for raw in CASES.read_text(encoding="utf-8").splitlines():
        row = json.loads(raw)
        verdicts = judge(row["question"], row["answer"], contexts=[row["doc"]])
        passes = bool(verdicts) and all(one.label is Label.SUPPORTED for one in verdicts)
        for kind in (row["kind"], *(["all cases"] if row["kind"] != LOOK_UP else [])):
            count[kind, row["right"], "all"] += 1
            count[kind, row["right"], "passed"] += passes
            count[kind, row["right"], "case"] += any(one.case for one in verdicts)
    for kind in sorted({kind for kind, *_ in count}, key=lambda name: (name in ("all cases", LOOK_UP), name)):
        right, wrong = ({name: count[kind, good, name] for name in ("all", "passed", "case")} for good in (True, False))
        print(
            f"{kind}: {wrong['passed']} of {wrong['all']} wrong ones pass, {right['all'] - right['passed']} of "
            f"{right['all']} right ones are doubted; {right['case'] + wrong['case']} called a case"
        )


if __name__ == "__main__":
    main()
