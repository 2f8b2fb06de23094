"""How well a reader separates labels on development or test data: AUC per set, long evidence read in windows."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training import rows, windows

Scorer = Callable[[Sequence[tuple[str, str]]], NDArray[np.float32]]
TOP = 3
WHOLE = 70

DEV = ("docs_apache.dev", "wice_claim.dev", "expertqa.dev", "conjnli.dev")
TEST = ("contractnli.test", "fm2.test", "q2.test")


def auc(good: NDArray[np.float64], bad: NDArray[np.float64]) -> float:
    """Area under the ROC curve (Mann-Whitney): how often a good score exceeds a bad one, ties counting half."""
    both = np.concatenate([good, bad])
    _, place, count = np.unique(both, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(count) - (count - 1) / 2)[place]
    n, m = len(good), len(bad)
    return float((ranks[:n].sum() - n * (n + 1) / 2) / (n * m)) if n and m else float("nan")


def balanced(good: NDArray[np.float64], bad: NDArray[np.float64]) -> float:
    """Best balanced accuracy over all thresholds (chosen on these same rows: a development figure)."""
    cuts = np.concatenate([good, bad])
    return float(max((np.mean(good >= c) + np.mean(bad < c)) / 2 for c in cuts))


def pooled(rows_: Sequence[rows.Row], score: Scorer, top: int = TOP) -> NDArray[np.float64]:
    """For each row the highest log odds of "supported" and of "contradicted" over its best windows, float64 (n, 2)."""
    pairs: list[tuple[str, str]] = []
    ends: list[int] = []
    for row in rows_:
        short = len(row.evidence.split()) <= WHOLE
        found = [row.evidence] if short else windows.best(row.claim, windows.units(row.evidence), top)
        pairs.extend((row.claim, w) for w in found)
        ends.append(len(pairs))
    p = np.clip(score(pairs)[:, :2].astype(np.float64), 1e-7, 1 - 1e-7)
    odds = np.log(p / (1 - p))
    return np.array([odds[a:b].max(0) for a, b in zip([0, *ends[:-1]], ends, strict=True)]).reshape(-1, 2)


def figures(name: str, rows_: Sequence[rows.Row], score: Scorer) -> dict[str, float]:
    """AUC of supported against every other label of the set, and against all of them, by the odds of support.

    `contradicted, less contradiction` takes the odds of contradiction off, which tells these two apart better.
    """
    both = pooled(rows_, score)
    value, less = both[:, 0], both[:, 0] - both[:, 1]
    label = np.array([r.label for r in rows_])
    good = value[label == 1]
    out = {"all": auc(good, value[label == 0]), "balanced": balanced(good, value[label == 0])}
    for other in sorted({r.name for r in rows_ if not r.label and r.name}):
        bad = np.array([r.name == other and not r.label for r in rows_])
        out[other] = auc(good, value[bad])
        if other.startswith("contradict"):
            out[f"{other}, less contradiction"] = auc(less[label == 1], less[bad])
    return out


def report(names: Sequence[str], data: Path, score: Scorer) -> str:
    """The figures of several sets as lines of text."""
    lines = []
    for name in names:
        found = figures(name, rows.read(data / f"{name}.jsonl.gz"), score)
        lines.append(f"{name:22} " + "  ".join(f"{key} {value:.3f}" for key, value in found.items()))
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures of an exported reader; by default on the development sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/judge"))
    parser.add_argument("--model", type=Path, default=Path("gate/models/reader"))
    parser.add_argument("--test", action="store_true", help="the test sets in place of the development sets")
    args = parser.parse_args(argv)
    from gate.judges.reader import Reader

    sys.stdout.write(report(TEST if args.test else DEV, args.data, Reader(args.model).score) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
