"""How often `decide_on: corrected` decides wrongly, over judges, sizes of runs, labels and likeness within prompts.

    PYTHONPATH=. python benchmarks/corrected.py            # 2,000 runs a cell
    PYTHONPATH=. python benchmarks/corrected.py --runs 200

A run is drawn at the hypothesis: its true share of claims that are not supported is the deploy threshold (a deploy is
false) or the warn threshold (a block is false). The calibration is drawn, too. `point` decides by the measured risk
alone, `interval` by its interval, which both take the judge at its word.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections import defaultdict

import numpy as np

from gate.statistics.intervals import JudgeError, Moments, Sample, correct, decided, sample_of, wilson

DEPLOY, WARN = 0.10, 0.25
WEIGHTS = np.array([0.0, 0.5, 1.0])
# Shares of the judge's labels (supported, weakly supported, unsupported) on claims that are supported, and on others.
GOOD = {"fine": (0.96, 0.03, 0.01), "fair": (0.88, 0.08, 0.04)}
BAD = {"fine": (0.05, 0.10, 0.85), "fair": (0.20, 0.30, 0.50)}
CELLS = tuple(itertools.product(GOOD, BAD, (12, 40, 120), (1, 4), (0.0, 0.1, 0.3), (60, 300)))


def drawn_run(
    rng: np.random.Generator, share: float, cell: tuple[str, str, int, int, float, int]
) -> tuple[Sample, float]:
    """(what a run measures, its mean): claims of a prompt are wrong together by a beta-binomial of that correlation."""
    good, bad, prompts, claims, alike, _ = cell
    wrong = np.full(prompts, share)
    if alike:
        wrong = rng.beta(share * (1 - alike) / alike, (1 - share) * (1 - alike) / alike, prompts)
    counts = 1 + rng.poisson(claims - 1, prompts)
    amiss = rng.binomial(counts, wrong)
    labels = rng.multinomial(amiss, BAD[bad]) + rng.multinomial(counts - amiss, GOOD[good])
    sums, squares = labels @ WEIGHTS, float((labels @ WEIGHTS**2).sum())
    found = sample_of(Moments.of(list(zip(sums.tolist(), counts.tolist(), strict=True)), squares))
    return found, found.mean


def drawn_error(rng: np.random.Generator, cell: tuple[str, str, int, int, float, int]) -> JudgeError:
    """The judge's error as so many labels of either kind show it."""
    figures = []
    for shares in (GOOD[cell[0]], BAD[cell[1]]):
        counts = rng.multinomial(cell[5], shares) + 0.5
        mean = float(counts @ WEIGHTS / counts.sum())
        figures += [mean, math.sqrt((float(counts @ WEIGHTS**2 / counts.sum()) - mean**2) / (counts.sum() + 1))]
    return JudgeError(*figures)


def false_shares(cell: tuple[str, str, int, int, float, int], runs: int, seed: int) -> dict[str, tuple[float, float]]:
    """(false deploys, false blocks) per way to decide."""
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for which, share, word in ((0, DEPLOY, "deploy"), (1, WARN, "block")):
        rng = np.random.default_rng(seed + which)
        for _ in range(runs):
            sample, mean = drawn_run(rng, share, cell)
            error = drawn_error(rng, cell)
            low, high = wilson(mean, sample.size)
            found["corrected"][which] += decided(correct(sample, error), DEPLOY, WARN) == word
            found["point"][which] += (mean <= DEPLOY) if word == "deploy" else (mean > WARN)
            found["interval"][which] += (high <= DEPLOY) if word == "deploy" else (low > WARN)
    return {name: (counts[0] / runs, counts[1] / runs) for name, counts in found.items()}


def main() -> None:
    """Print the false decisions: the mean and the worst cell of each way to decide."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2000)
    args = parser.parse_args()
    cells = {cell: false_shares(cell, args.runs, 10 * at) for at, cell in enumerate(CELLS)}
    print(f"{len(CELLS)} cells of {args.runs} runs; at the thresholds {DEPLOY} and {WARN}")
    for name in ("point", "interval", "corrected"):
        for which, word in enumerate(("false deploys", "false blocks")):
            shares = [found[name][which] for found in cells.values()]
            worst = max(cells, key=lambda cell: cells[cell][name][which])
            print(f"{name:10} {word:14} mean {np.mean(shares):.3f}  worst {max(shares):.3f}  at {worst}")


if __name__ == "__main__":
    main()
