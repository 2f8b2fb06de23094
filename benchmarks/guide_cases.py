"""The labelled claims about the guides (training/stack/guide_*) as answers, in the form of the labelled cases.

python benchmarks/guide_cases.py OUT && python benchmarks/cases.py --cases OUT/cases.jsonl --docs OUT/docs

Faithful answers join five supported claims, subtle ones four and one that is contradicted, unsupported ones one and
three of which the guide says nothing. The reader has seen none of it; the stack's weights are fitted on the claims.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent / "training" / "stack"
LABELS = {"S": "supported", "C": "contradicted", "N": "not_in_docs"}
Row = Sequence[str]


def claims_of(guide: Path) -> list[list[str]]:
    """Label, claim and quote (empty where the guide says nothing) of each labelled claim about a guide."""
    lines = (guide / "claims.tsv").read_text(encoding="utf-8").splitlines()
    return [[*line.split("\t"), ""][:3] for line in lines]


def cases(name: str, rows: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """The answers about one guide."""
    rng = random.Random(4)  # noqa: S311
    supported, wrong, absent = ([row for row in rows if row[0] == label] for label in "SCN")
    told = iter(supported)
    for number in range(12):
        yield case(name, "faithful", number, [next(told) for _ in range(5)])
    for number in range(15):
        mixed = [*(next(told) for _ in range(4)), wrong[3 * number]]
        rng.shuffle(mixed)
        yield case(name, "subtle", number, mixed)
    for number in range(10):
        yield case(name, "unsupported", number, [next(told), *absent[4 * number : 4 * number + 3]])


def case(name: str, variant: str, number: int, rows: Sequence[Row]) -> dict[str, Any]:
    """One answer with its labelled claims."""
    return {
        "id": f"{name}-{variant}-{number}",
        "variant": variant,
        "question": f"What should I know about {name}?",
        "answer": " ".join(row[1] for row in rows),
        "claims": [{"claim": row[1], "label": LABELS[row[0]], "quote": row[2]} for row in rows],
    }


def main() -> None:
    out = Path(sys.argv[1])
    (out / "docs").mkdir(parents=True, exist_ok=True)
    found = []
    for guide in sorted(ROOT.glob("guide_*")):
        name = guide.name.removeprefix("guide_")
        for page in guide.glob("*.md"):
            (out / "docs" / f"{name}-{page.name}").write_text(page.read_text(encoding="utf-8"), encoding="utf-8")
        found += cases(name, claims_of(guide))
    (out / "cases.jsonl").write_text("".join(json.dumps(one) + "\n" for one in found), encoding="utf-8")
    print(f"{len(found)} answers in {out}")


if __name__ == "__main__":
    main()
