"""Training rows that share a sentence with anything measured: found, dropped by the trainer, and checked."""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from training import mixture, reworded, rows, windows

_WORD = re.compile(r"\w+")
MIN_WORDS = 5


def keys(texts: Iterable[str]) -> Iterator[str]:
    """The sentences of texts as bare lower-case words; those of fewer than five words say too little to count."""
    for text in texts:
        for sentence in windows.sentences(text):
            bare = _WORD.findall(sentence.lower())
            if len(bare) >= MIN_WORDS:
                yield " ".join(bare)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def measured(data: Path, cases: Path | None) -> set[str]:
    """Sentences of every dev and test row, and of the labelled cases and the documents that they cite."""
    found: set[str] = set()
    for role in ("dev", "test"):
        for row in rows.load(data, role):
            found.update(keys((row.claim, row.evidence)))
    if cases and cases.exists():
        for path in sorted(cases.glob("*.jsonl")):
            with path.open(encoding="utf-8") as lines:
                for line in lines:
                    found.update(keys(_strings(json.loads(line))))
        for path in sorted((cases.parent / "docs").rglob("*.md")):
            found.update(keys([path.read_text(encoding="utf-8", errors="replace")]))
    return found


def texts_of(row: rows.Row) -> Sequence[str]:
    """What training sees of a row; ContractNLI's claims are seen in our own words only."""
    claims = reworded.variants(row.claim) if row.dataset == "contractnli" else (row.claim,)
    return (*claims, row.evidence)


def clean(train: Sequence[rows.Row], held_out: set[str]) -> list[rows.Row]:
    """Training rows without those that share a sentence with the measured ones, and without all rows of their group."""
    dirty = {r.group for r in train if any(k in held_out for k in keys(texts_of(r)))}
    return [r for r in train if r.group not in dirty]


def main(argv: Sequence[str] | None = None) -> int:
    """Print how many rows of each set are dropped; exit 1 if a trained pair still shares a sentence, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/judge"))
    parser.add_argument("--cases", type=Path, default=Path("../shared/data/cases"))
    args = parser.parse_args(argv)
    held_out = measured(args.data, args.cases)
    train = rows.load(args.data, "train")
    left = clean(train, held_out)
    say = sys.stdout.write
    for name in sorted({r.dataset for r in train}):
        before, after = (sum(r.dataset == name for r in part) for part in (train, left))
        say(f"{name:24} {before:6} rows, {before - after:4} dropped\n")
    pairs = mixture.epoch(left, random.Random(0), 1.0, 1.0)
    shared = [p for p in pairs if any(k in held_out for k in keys((p.claim, p.evidence)))]
    for pair in shared[:10]:
        say(f"SHARED {pair.source}: {pair.claim[:80]!r}\n")
    say(f"{len(pairs)} pairs of one epoch against {len(held_out)} held-out sentences: {len(shared)} share one\n")
    return 1 if shared else 0


if __name__ == "__main__":
    sys.exit(main())
