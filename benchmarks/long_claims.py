"""What a judge whose reader sees so much of a claim makes of longer ones: true claims joined, and a wrong one behind.

`python benchmarks/long_claims.py`: of the answers about invented manuals (`training/stack/case_*`, on whose claims,
each by itself, the stack is fitted), four supported claims as one statement, and three with a contradicted one at the
end; those that the reader does not see whole. `in parts`: as `gate run` judges them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from gate.claims.local import extract
from gate.judges.base import Judge
from gate.judges.by_parts import ByParts
from gate.judges.local import LocalJudge
from gate.judges.reader import SHIPPED, Reader
from gate.providers.local_embedder import LocalEmbedder
from gate.records import Item
from training.stack.corpus import Search, item, passages

FOLDERS = sorted((Path(__file__).parents[1] / "training" / "stack").glob("case_*"))
TRUE = 3  # supported claims in front


def lowered(claim: str) -> str:
    """A sentence as a clause behind an `and`."""
    bare = claim.rstrip(".")
    return bare if bare[:2].isupper() or not bare[0].isalpha() else bare[0].lower() + bare[1:]


def joined(claims: Sequence[str]) -> str:
    first, *others = claims
    return ", ".join([first.rstrip("."), *(f"and {lowered(other)}" for other in others)]) + "."


def samples(reader: Reader) -> dict[str, list[Item]]:
    """The items by what they are: `true`, or `wrong at the end`."""
    found: dict[str, list[Item]] = {"true": [], "wrong at the end": []}
    for folder in FOLDERS:
        pages = sorted(folder.rglob("*.md"))
        search = Search([p for page in pages for p in passages(page.name, page.read_text(encoding="utf-8"))])
        for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            by = {
                label: [c["claim"] for c in case["claims"] if c["label"] == label]
                for label in ("supported", "contradicted")
            }
            for kind, last in (("true", by["supported"][TRUE:]), ("wrong at the end", by["contradicted"])):
                if len(by["supported"]) >= TRUE and last:
                    text = joined([*by["supported"][:TRUE], last[0]])
                    if not reader.fits(text):
                        found[kind].append(item(case["id"], text, search.best(text, 8)))
    return found


def extracted(reader: Reader) -> tuple[int, int]:
    """How many claims are extracted from the answers, and how many of these are so long."""
    cases = [json.loads(line) for f in FOLDERS for line in (f / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    claims = [claim.text for case in cases for claim in extract(case["answer"], case["question"])]
    return len(claims), sum(not reader.fits(claim) for claim in claims)


def main() -> None:
    reader = Reader(SHIPPED)
    every, long = extracted(reader)
    print(f"{long} of {every} extracted claims are longer than the reader sees\n")
    whole = LocalJudge(LocalEmbedder(), reader=reader)
    given = samples(reader)
    judges: dict[str, Judge] = {"as far as the reader sees": whole, "in parts": ByParts(whole, reader.fits)}
    print("| they are | judged | supported | weakly_supported | unsupported |\n| --- | --- | ---: | ---: | ---: |")
    for kind, items in given.items():
        for name, judge in judges.items():
            counts = Counter(verdict.label.value for verdict in judge.judge(items))
            cells = [str(counts[label]) for label in ("supported", "weakly_supported", "unsupported")]
            print(f"| {kind} ({len(items)}) | {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
