"""The paired comparison's promises, by simulation: false regressions at the 5 % level, coverage, power.

PYTHONPATH=. python benchmarks/paired.py            # 1,000 runs a cell, about ten minutes
"""

from __future__ import annotations

import argparse

import numpy as np

from gate.statistics.changes import Paired, compare

BAD, CORRELATION = 0.2, 0.2  # share of bad claims on the base branch, and how alike the claims of one prompt are


def differences(rng: np.random.Generator, prompts: int, worse: float) -> np.ndarray:
    """Head minus base of each prompt's risk: 2 to 8 claims in both, the prompt's own rate in both, and in the head
    `worse` of the good claims bad as well."""
    total = 1 / CORRELATION - 1
    rates = rng.beta(BAD * total, (1 - BAD) * total, prompts)
    base, head = rng.integers(2, 9, (2, prompts))
    return rng.binomial(head, rates + (1 - rates) * worse) / head - rng.binomial(base, rates) / base


def row(rng: np.random.Generator, prompts: int, runs: int) -> str:
    """One line of the table."""
    same = [compare(differences(rng, prompts, 0.0).tolist()) for _ in range(runs)]
    detectable = float(np.mean([o.smallest_detectable for o in same]))
    added = min(0.95, detectable / (1 - BAD))  # the mean rises by `worse` of the good share
    more = [compare(differences(rng, prompts, added).tolist()) for _ in range(runs)]
    cells = (
        share(same, "regression"), share(same, "improvement"), covered(same, 0.0), detectable,
        covered(more, added * (1 - BAD)), share(more, "regression"),
    )  # fmt: skip
    return f"| {prompts} | " + " | ".join(f"{cell:.3f}" for cell in cells) + " |"


def share(outcomes: list[Paired], word: str) -> float:
    """How often the comparison says `word`."""
    return float(np.mean([outcome.word == word for outcome in outcomes]))


def covered(outcomes: list[Paired], truth: float) -> float:
    """How often the interval holds the true difference."""
    return float(np.mean([o.interval[0] <= truth <= o.interval[1] for o in outcomes if o.interval]))


def main() -> None:
    """Print one row for each number of prompts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    runs = parser.parse_args().runs
    rng = np.random.default_rng(0)
    print("| prompts | false regressions | false improvements | coverage | detectable | coverage there | power |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for prompts in (10, 20, 50, 100, 200):
        print(row(rng, prompts, runs), flush=True)


if __name__ == "__main__":
    main()
