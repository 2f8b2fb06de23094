"""Coverage of the 95 % interval of the risk, by simulation: clustered claims of known true risk.

python benchmarks/intervals.py            # 4,000 runs a cell, about a minute
"""

from __future__ import annotations

import argparse

import numpy as np

from gate.statistics.intervals import cluster_interval


def clusters(
    rng: np.random.Generator, prompts: int, risk: float, correlation: float
) -> tuple[list[tuple[float, int]], float]:
    """(sum of weights, claims) per prompt and the sum of squares: 2 to 8 claims, a beta-binomial rate a prompt, a third
    of the bad claims weak."""
    sizes = rng.integers(2, 9, prompts)
    bad = risk * 6 / 5  # a bad claim weighs 1 x 2/3 + 0.5 x 1/3 = 5/6
    if correlation > 0:
        total = 1 / correlation - 1
        rates = rng.beta(bad * total, (1 - bad) * total, prompts)
    else:
        rates = np.full(prompts, bad)
    all_bad = rng.binomial(sizes, rates)
    weak = rng.binomial(all_bad, 1 / 3)
    found = [(float(b - w / 2), int(m)) for m, b, w in zip(sizes, all_bad, weak, strict=True)]
    return found, float((all_bad - 0.75 * weak).sum())


def coverage(rng: np.random.Generator, prompts: int, risk: float, correlation: float, runs: int) -> tuple[float, float]:
    """(share of intervals that hold the true risk, mean width)."""
    hits, width = 0, 0.0
    for _ in range(runs):
        low, high = cluster_interval(*clusters(rng, prompts, risk, correlation))
        hits += low <= risk <= high
        width += high - low
    return hits / runs, width / runs


def main() -> None:
    """Print one row for each size, risk and correlation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=4000)
    runs = parser.parse_args().runs
    rng = np.random.default_rng(0)
    print("| prompts | true risk | correlation | coverage | mean width |\n| --- | --- | --- | --- | --- |")
    for prompts in (10, 20, 50, 100, 200):
        for risk in (0.05, 0.1, 0.25, 0.5):
            for correlation in (0.0, 0.1, 0.3):
                share, width = coverage(rng, prompts, risk, correlation, runs)
                print(f"| {prompts} | {risk} | {correlation} | {share:.3f} | {width:.3f} |")


if __name__ == "__main__":
    main()
