"""Trains which units state nothing (gate/claims/no_claim.py) from units labelled X against S, C, P and N.

`python -m training.no_claim [--units FOLDER] [--out FILE]`: every answer of the labelled units is written as an
assistant sends it and taken apart by the extractor's own layout. Passages with sha1(id) % 12 == 0 are left out of the
training; on them the bar is measured and the figures are printed.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gate.claims import no_claim
from gate.claims.local import place_of
from gate.claims.units import Unit, units

LOST = 0.005  # of the units that state something, at the bar
ROUNDS, RATE, DECAY = 300, 0.5, 1e-5
DEV = 12
_PASSAGE = re.compile(r"# P ([\w-]+) \|")
_UNIT = re.compile(r"([SCPNX])(?:@[\d,]+)? (.+)$")
_OWN_LINE = re.compile(r"(?:[-*|#]|\d+[.)]) ?")


class Labelled(NamedTuple):
    """One unit as the extractor makes it; `nothing`: it states nothing."""

    answer: str
    question: str
    found: list[Unit]
    at: int
    nothing: bool
    dev: bool

    @property
    def text(self) -> str:
        unit = self.found[self.at]
        return self.answer[unit.start : unit.end]


def answers(path: Path) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """(passage id, question, [(label, unit)]) of each answer of a file."""
    passage, question, listed = "", "", []
    for line in [*path.read_text(encoding="utf-8").splitlines(), "A"]:
        if line.startswith("# ") or line == "A":
            if listed:
                yield passage, question, listed
            listed = []
        if found := _PASSAGE.match(line):
            passage, question = found[1], ""
        elif line.startswith("# Q "):
            question = line[4:].strip()
        elif found := _UNIT.match(line):
            listed.append((found[1], found[2].strip()))


def written(listed: list[tuple[str, str]]) -> tuple[str, list[tuple[int, int, str]]]:
    """The answer as an assistant would send it, with the place and label of each unit."""
    text, places, own = "", [], False
    for label, unit in listed:
        alone = _OWN_LINE.match(unit) is not None
        text += "" if not text else "\n" if alone and own else "\n\n" if alone or own else " "
        places.append((len(text), len(text) + len(unit), label))
        text, own = text + unit, alone
    return text, places


def labelled(folder: Path) -> Iterator[Labelled]:
    """The units of all answers; one that holds units of both kinds states something."""
    for path in sorted(folder.glob("*.txt")):
        for passage, question, listed in answers(path):
            text, places = written(listed)
            dev = int(hashlib.sha1(passage.encode()).hexdigest(), 16) % DEV == 0
            found = units(text)
            for n, unit in enumerate(found):
                labels = {label for start, end, label in places if start < unit.end and unit.start < end}
                if labels:
                    yield Labelled(text, question, found, n, labels == {"X"}, dev)


class Table(NamedTuple):
    """Units as rows of places in the table of weights."""

    rows: Any
    columns: Any
    count: int

    def scores(self, weights: Any, bias: float) -> Any:
        return np.bincount(self.rows, weights[self.columns], self.count) + bias


def table(rows: list[Labelled]) -> Table:
    found = [no_claim.buckets(row.text, row.question, place_of(row.found, row.at)) for row in rows]
    counts = np.array([len(one) for one in found])
    return Table(np.repeat(np.arange(len(rows)), counts), np.concatenate(found), len(rows))


def fit(made: Table, nothing: Any) -> tuple[Any, float]:
    """Weights and bias: full gradients, each weight with a step of its own (Adam)."""
    weights, bias = np.zeros(no_claim.BUCKETS), float(np.log(nothing.mean() / (1 - nothing.mean())))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    rate = RATE / 10
    for n in range(1, ROUNDS + 1):
        off = 1 / (1 + np.exp(-made.scores(weights, bias))) - nothing
        slope = np.bincount(made.columns, off[made.rows], no_claim.BUCKETS) / made.count + DECAY * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights -= rate * (mean / (1 - 0.9**n)) / (np.sqrt(square / (1 - 0.999**n)) + 1e-8)
        bias -= 0.5 * float(off.mean())
    return weights, bias


def auc(scores: Any, nothing: Any) -> float:
    order = scores.argsort().argsort() + 1
    positive = int(nothing.sum())
    return float((order[nothing].sum() - positive * (positive + 1) / 2) / (positive * (len(scores) - positive)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=Path, default=Path("../shared/data/context"))
    parser.add_argument("--out", type=Path, default=no_claim.WEIGHTS)
    parser.add_argument("--misses", action="store_true", help="print the dev units on the wrong side of the bar")
    options = parser.parse_args()
    rows = list(labelled(options.units))
    train, dev = [row for row in rows if not row.dev], [row for row in rows if row.dev]
    weights, bias = fit(table(train), np.array([row.nothing for row in train]))
    scale = float(np.abs(weights).max()) / 127
    small = np.round(weights / scale).astype(np.int8)
    nothing = np.array([row.nothing for row in dev])
    scores = table(dev).scores(small.astype(np.float64) * scale, bias)
    bar = float(np.quantile(scores[~nothing], 1 - LOST))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(options.out, weights=small, scale=scale, bias=bias, bar=1 / (1 + np.exp(-bar)))
    recall = float((scores[nothing] > bar).mean())
    print(f"{len(train)} units to train on, {len(dev)} dev, {int(nothing.sum())} of them state nothing")
    print(f"AUC {auc(scores, nothing):.4f}, recall {recall:.3f} at {LOST:.1%} of claims lost")
    print(f"bar {1 / (1 + np.exp(-bar)):.3f}, {options.out.stat().st_size / 1024:.0f} KB")
    if options.misses:
        for row, score in zip(dev, scores, strict=True):
            if (score > bar) != row.nothing:
                print(f"{'kept' if row.nothing else 'LOST'} {score - bar:+.2f}", row.question, "|", row.text)


if __name__ == "__main__":
    main()
