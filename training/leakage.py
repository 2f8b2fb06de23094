"""Training data that shares a sentence with anything measured: found, dropped by the trainer, and checked."""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from gate.judges import windows
from gate.records import Evidence
from training import data, pairs, reworded

CASES = Path("../shared/data/cases")
INFERENCES = Path(__file__).parents[1] / "benchmarks" / "inferences.jsonl"
MIN_WORDS = 5
_END = re.compile(r"(?<=[.!?:])\s+|\n+")
_WORD = re.compile(r"\w+")


def keys(texts: Iterable[str]) -> Iterator[str]:
    """The sentences of texts as bare lower-case words; those of fewer than five words say too little to count."""
    for text in texts:
        for sentence in _END.split(text):
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


def measured(shared: Path, cases: Path) -> set[str]:
    """Sentences of every dev and test row, of the benchmark of inferences, and of the labelled cases and the documents
    that they cite."""
    found: set[str] = set()
    for role in ("dev", "test"):
        for row in data.load_public(shared, role):
            found.update(keys((row.claim, row.evidence)))
    for path in sorted(cases.glob("*.jsonl")):
        found.update(keys(_strings(data.load_lines(path))))
    found.update(keys(_strings(data.load_lines(INFERENCES))))
    for path in sorted((cases.parent / "docs").rglob("*.md")):
        found.update(keys([path.read_text(encoding="utf-8", errors="replace")]))
    return found


def texts_of(row: data.Row) -> Sequence[str]:
    """What training sees of a row; ContractNLI's claims are seen in our own words only, and what is long in windows,
    where its sentences may end elsewhere."""
    claims = reworded.variants(row.claim) if row.dataset == "contractnli" else (row.claim,)
    cut = windows.pieces([Evidence("", 1, row.evidence, 1.0)]) if len(row.evidence.split()) > pairs.SHORT else []
    return (*claims, row.evidence, *(piece.text for piece in cut))


def _told(pair: pairs.Pair) -> Sequence[str]:
    """What a pair gives away: a courtesy, which claims nothing, may stand in many places."""
    return (pair.evidence,) if pair.target == (data.NO_CLAIM,) else (pair.claim, pair.evidence)


def clean(train: Sequence[data.Row], held_out: set[str]) -> list[data.Row]:
    """Training rows without those that share a sentence with the measured ones, and without all rows of their group."""
    dirty = {row.group for row in train if any(key in held_out for key in keys(texts_of(row)))}
    return [row for row in train if row.group not in dirty]


def clean_documents(documents: Sequence[data.Document], held_out: set[str]) -> list[data.Document]:
    """The documents to train on: not kept for development, and without a sentence of what is measured."""
    return [one for one in documents if not one.dev and not any(key in held_out for key in keys(one.lines))]


def load_clean(shared: Path, cases: Path) -> tuple[list[data.Document], list[data.Row]]:
    """Documents and rows to train on."""
    held_out = measured(shared, cases)
    rows = [*data.load_claims(), *data.load_public(shared)]
    return clean_documents(data.load_documents(), held_out), clean(rows, held_out)


def main(argv: Sequence[str] | None = None) -> int:
    """Print how much of each set is dropped; exit 1 if a trained pair still shares a sentence, else 0."""
    parser = argparse.ArgumentParser(prog="python -m training.leakage", description=main.__doc__)
    parser.add_argument("--data", type=Path, default=data.SHARED)
    parser.add_argument("--cases", type=Path, default=CASES)
    args = parser.parse_args(argv)
    held_out = measured(args.data, args.cases)
    documents, rows = data.load_documents(), [*data.load_claims(), *data.load_public(args.data)]
    kept, left = clean_documents(documents, held_out), clean(rows, held_out)
    dev = sum(one.dev for one in documents)
    print(f"{len(documents)} documents: {dev} kept for development, {len(documents) - dev - len(kept)} dropped")
    for name in sorted({row.dataset for row in rows}):
        before, after = (sum(row.dataset == name for row in part) for part in (rows, left))
        print(f"{name:34} {before:6} rows, {before - after:4} dropped")
    made = pairs.epoch(kept, left, random.Random(0))
    shared = [one for one in made if any(key in held_out for key in keys(_told(one)))]
    for one in shared[:10]:
        print(f"SHARED {one.group}: {json.dumps(one.claim[:80])}")
    print(f"{len(made)} pairs of one epoch against {len(held_out)} held-out sentences: {len(shared)} share one")
    return 1 if shared else 0


if __name__ == "__main__":
    sys.exit(main())
