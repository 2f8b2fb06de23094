"""The judge on a hundred plain sentences, each with a right and a plainly wrong claim: what passes is listed.

python benchmarks/plain_pairs.py            # benchmarks/plain_pairs.tsv: sentence, right claim, wrong claim

Each sentence stands on a page with three others. The pairs were looked at, and checks were made for some of them.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from running import ROOT

sys.path.insert(0, str(ROOT))

from gate.judges.local import LocalJudge
from gate.judges.reader import Reader
from gate.providers.local_embedder import LocalEmbedder
from gate.records import Item, Label
from training.stack.corpus import item, passages

BESIDE = (-7, -13, 11)  # the other sentences of a page, by their distance in the list


def items(rows: list[list[str]]) -> list[Item]:
    """For each row the right claim and the wrong one, with the page as evidence."""
    found = []
    for n, (sentence, *claims) in enumerate(rows):
        others = [rows[(n + step) % len(rows)][0] for step in BESIDE]
        page = passages("page.md", "\n\n".join([*others[:2], sentence, others[2]]))
        found += [item(f"{n}:{side}", claim, page) for side, claim in zip(("right", "wrong"), claims, strict=True)]
    return found


def main() -> None:
    rows = [line.split("\t") for line in Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8").splitlines()]
    verdicts = LocalJudge(LocalEmbedder(), reader=Reader()).judge(items(rows))
    called = Counter((verdict.claim.id.partition(":")[2], verdict.label) for verdict in verdicts)
    for side in ("right", "wrong"):
        print(side, {str(label): called[side, label] for label in Label})
    for verdict in verdicts:
        if verdict.claim.id.endswith("wrong") and verdict.label is Label.SUPPORTED:
            print(f"  {verdict.confidence:.2f} {verdict.claim.text}")


if __name__ == "__main__":
    main()
