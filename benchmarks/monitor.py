"""A year of nightly looks, simulated: false alarms of the monitor and of a fixed interval, and nights until an alarm.

    python benchmarks/monitor.py [--years 1000]

Each night NIGHTLY answers have the risks 0, 0.5 or 1. `at`: every night's mean risk is the threshold, the hardest case
without a rise. `differs`: the nights' means vary around the threshold (a beta distribution with this standard
deviation), as real nights do. `rise`: after 180 nights at 0.6 of the threshold the risk goes up.
The fixed interval is Wilson's of all answers so far, 95 %: it alarms once its lower end is above the threshold.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from statistics import median

import numpy as np

from gate.statistics.changes import Monitor
from gate.statistics.intervals import wilson

THRESHOLD, NIGHTS, NIGHTLY, RISEN = 0.10, 365, 200, 180
HALVES = 0.3  # share of the doubted answers that have the risk 0.5


def nights(rng: np.random.Generator, means: np.ndarray) -> Iterator[float]:
    """The risk of a night for each of the `means`."""
    for mean in means:
        doubted = mean / (1 - HALVES / 2)
        counts = rng.multinomial(NIGHTLY, [1 - doubted, doubted * HALVES, doubted * (1 - HALVES)])
        _, half, whole = map(int, counts)
        yield (half / 2 + whole) / NIGHTLY


def year(rng: np.random.Generator, means: np.ndarray) -> tuple[int, int, bool]:
    """The night of the monitor's first alarm and of the fixed interval's (0: none), and whether the monitor's interval
    held the weighted mean of the nights so far at every look."""
    monitor, fixed, held, total = Monitor(THRESHOLD), 0, True, 0.0
    for number, night in enumerate(nights(rng, means), 1):
        before, monitor = monitor.weight, monitor.after(night)
        total += float(means[number - 1]) * (monitor.weight - before)
        held = held and monitor.interval[0] <= total / monitor.weight <= monitor.interval[1]
        if not fixed and wilson(monitor.total / number, number * NIGHTLY)[0] > THRESHOLD:
            fixed = number
    return monitor.alarmed, fixed, held


def main() -> None:
    """Print one line for each kind of year."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--years", type=int, default=1000)
    years, rng = parser.parse_args().years, np.random.default_rng(0)
    print(f"threshold {THRESHOLD}, {NIGHTLY} answers a night, {years} years of {NIGHTS} nights")
    for name, deviation in (
        ("at", 0.0),
        ("differs by 0.01", 0.01),
        ("differs by 0.02", 0.02),
        ("differs by 0.05", 0.05),
    ):
        size = THRESHOLD * (1 - THRESHOLD) / deviation**2 - 1 if deviation else 0.0
        made = []
        for _ in range(years):
            means = np.full(NIGHTS, THRESHOLD)
            if deviation:
                means = np.minimum(rng.beta(THRESHOLD * size, (1 - THRESHOLD) * size, NIGHTS), 0.8)
            made.append(year(rng, means))
        alarms, fixed, held = (float(np.mean([bool(one[i]) for one in made])) for i in range(3))
        print(
            f"{name:>16}: years with an alarm: monitor {alarms:.3f}, fixed {fixed:.3f}; interval always held {held:.3f}"
        )
    for risen in (0.12, 0.15, 0.20, 0.30):
        means = np.where(np.arange(NIGHTS) < RISEN, 0.6 * THRESHOLD, risen)
        made = [year(rng, means) for _ in range(max(20, years // 10))]
        early = sum(0 < one[0] <= RISEN for one in made)
        shown = [
            f"{name} {median(waits):.0f} nights, {len(waits)} of {len(made)}" if waits else f"{name} never"
            for name, i in (("monitor", 0), ("fixed", 1))
            if (waits := [one[i] - RISEN for one in made if one[i] > RISEN]) or True
        ]
        print(f"   rise to {risen:.2f}: {'; '.join(shown)}; false alarms before it {early}")


if __name__ == "__main__":
    main()
