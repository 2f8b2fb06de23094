"""What `gate calibrate --fit` brings: the fit to the claims about two guides, on those about the other two.

PYTHONPATH=. python benchmarks/fit_halves.py            # judges 960 claims: about two minutes of two cores
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gate.judges.local import LocalJudge
from gate.judges.reader import Reader
from gate.measures.refit import refit
from gate.providers.local_embedder import LocalEmbedder
from gate.records import Label
from training.stack.mixture import guides

Array = NDArray[np.float64]


def balanced(labels: list[Label], supported: Array) -> float:
    """Balanced accuracy of "supported" against all the rest."""
    said = np.array([label is Label.SUPPORTED for label in labels], float)
    return float((said[supported > 0].mean() + (1 - said[supported <= 0]).mean()) / 2)


def brier(chances: Array, supported: Array) -> float:
    """Mean square of what the chances are off."""
    return float(((chances - supported) ** 2).mean())


def main() -> None:
    """One row a half."""
    samples = guides()
    verdicts = LocalJudge(LocalEmbedder(), reader=Reader()).judge([sample.item for sample in samples])
    names = np.array([sample.group.split(":")[0] for sample in samples])
    known = np.array([verdict.support is not None for verdict in verdicts])
    chances = np.array([verdict.support or 0.0 for verdict in verdicts])
    supported = np.array([sample.label == "supported" for sample in samples], float)
    print("| fitted to | held out | balanced accuracy before | after | Brier score before | after |")  # noqa: T201
    print("| --- | ---: | ---: | ---: | ---: | ---: |")  # noqa: T201
    for half in combinations(sorted(set(names)), 2):
        mine = np.isin(names, half)
        line = refit(chances[mine & known], supported[mine & known])
        if line is None:
            continue
        rest = ~mine & known
        people, fitted = supported[rest], line.support(chances[rest])
        before = balanced([verdicts[i].label for i in np.flatnonzero(rest)], people)
        after = balanced([line.label(float(chance)) for chance in fitted], people)
        off = brier(chances[rest], people), brier(fitted, people)
        told = " and ".join(name.removeprefix("guide_") for name in half)
        print(f"| {told} | {len(people)} | {before:.3f} | {after:.3f} | {off[0]:.4f} | {off[1]:.4f} |")  # noqa: T201


if __name__ == "__main__":
    main()
