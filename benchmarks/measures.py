"""Do the measures agree with people? Rank correlation and balanced accuracy of each, on the labelled HTTPX answers.

`python benchmarks/measures.py --shared FOLDER [--only NAME ...]`: every measure of the table, with the local tools.
What people say of the answers is in benchmarks/measures_cases.py. `rated`: of so many answers, the measure has a value
for so many; the others count for nothing. Spearman's rank correlation, of the value with people's. Balanced accuracy:
the mean share of right and of wrong answers that fall on the right side of the threshold in CUTS, which was fixed
before the first run; and at the threshold that is best on the other questions, each tenth of them judged by that of the
rest. 95 % intervals: 1,000 draws of questions. CPU milliseconds of an answer, without loading the models. The cases are
for measuring.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np
from measures_cases import TRUTHS, Question, Told, Truth, outcome, questions

from gate.bench import Bench
from gate.config import Config
from gate.judges.base import Statement
from gate.measures.summary import MEASURES, meets
from gate.toolbox import Toolbox

# What an answer has to reach (or stay below) to pass. Fixed before the first run.
CUTS = {
    "faithfulness": 0.9,
    "hallucination": 0.1,
    "relevance": 0.5,
    "context_relevance": 0.75,
    "completeness": 0.75,
    "overall": 0.8,
    "correctness": 4.0,
    "abstention": 0.5,
    "consistency": 0.9,
    "sensitivity": 0.1,
    "retrieval_dependency": 0.5,
}
DRAWS, FOLDS = 1000, 10


class Seen(NamedTuple):
    """One answer that the measure rated."""

    group: str
    kind: str
    value: float
    people: float
    good: bool


def rated(name: str, told: Sequence[Told]) -> tuple[list[Seen], float]:
    """What the measure says, and CPU milliseconds an answer."""
    config = Config.model_validate({"use_case": "-", "model": {"provider": "replay", "path": "-"}})
    tools = Bench(Toolbox(config), outcome(told))
    tools.claims("The lid is red.", "")
    # The models are loaded before the clock starts.
    tools.support([Statement("The lid is red.", ("The lid is blue.",))])
    begun = time.process_time()
    values = {rating.prompt_id: rating.value for rating in tools.reading(name).ratings}
    spent = 1000 * (time.process_time() - begun) / len(told)
    found = [one for one in told if one.case.prompt.id in values]
    return [Seen(one.group, one.kind, values[one.case.prompt.id], one.people, one.good) for one in found], spent


def ranks(values: Sequence[float]) -> np.ndarray:
    """Ranks from 1, equal values sharing the mean of theirs."""
    _, place, count = np.unique(np.round(values, 9), return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


def spearman(seen: Sequence[Seen]) -> float:
    """Pearson's correlation of the ranks; not a number where either is the same for all."""
    mine, theirs = ranks([one.value for one in seen]), ranks([one.people for one in seen])
    if not mine.std() or not theirs.std():
        return float("nan")
    return float(np.corrcoef(mine, theirs)[0, 1])


def balanced(seen: Sequence[Seen], passes: Callable[[Seen], bool]) -> float:
    """The mean share of right and of wrong answers that are called so."""
    sides = [[passes(one) == side for one in seen if one.good == side] for side in (True, False)]
    return fmean(map(fmean, sides)) if all(sides) else float("nan")


def best_cut(seen: Sequence[Seen], spec: object) -> float:
    values = sorted({one.value for one in seen})
    cuts = [(a + b) / 2 for a, b in zip(values, values[1:], strict=False)] or values
    return max(cuts, key=lambda cut: balanced(seen, lambda one: meets(one.value, cut, spec)))


def held_out(seen: Sequence[Seen], spec: object) -> dict[Seen, bool]:
    """Whether each answer passes at the threshold that is best on the other folds of questions."""
    groups = {group: place % FOLDS for place, group in enumerate(sorted({one.group for one in seen}))}
    found = {}
    for fold in range(FOLDS):
        cut = best_cut([one for one in seen if groups[one.group] != fold], spec)
        found |= {one: meets(one.value, cut, spec) for one in seen if groups[one.group] == fold}
    return found


def interval(seen: Sequence[Seen], figure: Callable[[Sequence[Seen]], float]) -> str:
    """The figure and its interval over questions drawn anew."""
    by_group = defaultdict(list)
    for one in seen:
        by_group[one.group].append(one)
    groups, rng = list(by_group.values()), np.random.default_rng(0)
    drawn = [
        figure([one for place in rng.integers(0, len(groups), len(groups)) for one in groups[place]])
        for _ in range(DRAWS)
    ]
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    return f"{figure(seen):.3f} ({low:.3f} to {high:.3f})"


def row(name: str, truth: Truth, every: Sequence[Question]) -> tuple[str, str]:
    """A line of the table, and the mean values by kind."""
    spec, cut, told = MEASURES[name], CUTS[name], truth.make(every)
    seen, spent = rated(name, told)
    if len({one.good for one in seen}) < 2:
        return f"| {name} | {truth.words} | {len(seen)} of {len(told)} | - | {cut:g} | - | - | {spent:.0f} |", ""
    passed = held_out(seen, spec)
    cells = [
        interval(seen, spearman),
        f"{cut:g}",
        interval(seen, lambda some: balanced(some, lambda one: meets(one.value, cut, spec))),
        interval(seen, lambda some: balanced(some, passed.__getitem__)),
        f"{spent:.0f}",
    ]
    kinds = dict.fromkeys(one.kind for one in seen)
    means = (f"{kind} {fmean(one.value for one in seen if one.kind == kind):.2f}" for kind in kinds)
    line = f"| {name} | {truth.words} | {len(seen)} of {len(told)} | " + " | ".join(cells) + " |"
    return line, f"- {name} ({truth.words}): {', '.join(means)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("GATE_SHARED", "../shared")))
    parser.add_argument("--only", nargs="+", metavar="NAME", default=list(MEASURES), help="these measures")
    arguments = parser.parse_args()
    every = questions(arguments.shared)
    heads = (
        "measure | what people say | rated | Spearman | threshold | balanced accuracy | at others' threshold | CPU ms"
    )
    print(f"| {heads} |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    means, silent = [], []
    for name in arguments.only:
        silent += [name] if name not in TRUTHS else []
        for truth in TRUTHS.get(name, ()):
            line, mean = row(name, truth, every)
            print(line, flush=True)
            means.append(mean)
    print("\nMean value by kind of answer:\n", *filter(None, means), sep="\n")
    missing = [name for name in TRUTHS if name not in MEASURES]
    if silent:
        print(f"\nNo label says what these should be: {', '.join(silent)}")
    if missing:
        print(f"\nNot in the table of measures: {', '.join(missing)}")


if __name__ == "__main__":
    main()
