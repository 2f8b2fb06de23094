"""Trains which units state nothing (gate/claims/local.py) from units labelled X against S, C, P and N.

`python -m training.no_claim [--data FOLDER] [--out FILE]`: every answer of the labelled units is written as an
assistant sends it and taken apart by the extractor's own layout. The passages kept for development are left out of the
training; on them the bar is measured and the figures are printed.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gate.claims import local
from gate.claims.local import place_of
from gate.claims.units import Unit, units
from training.data import FOLDER, Document, compose, load_documents
from training.evaluate import auc

LOST = 0.005  # of the units that state something, at the bar
EPOCHS, BATCH, RATE, DECAY = 12, 512, 0.6, 1e-5
PHRASES = Path(__file__).with_suffix(".txt")
SHARE = 0.2  # of the answers that get a variant of each kind
REFUSED = 5  # one refusal is made up for so many answers
SHORT = 6  # words of an answer that may come in bold
Listed = list[tuple[str, str]]  # (label, unit)
_CHOICE = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")


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
        """The unit as written."""
        unit = self.found[self.at]
        return self.answer[unit.start : unit.end]


def variants(listed: Listed, seed: int) -> Iterator[Listed]:
    """The same answer as others would write it: without a full stop, in bold, with its sources below."""
    chance = random.Random(seed)
    label, last = listed[-1]
    if last.endswith(".") and chance.random() < SHARE:
        yield [*listed[:-1], (label, last[:-1])]
    if len(listed) == 1 and len(last.split()) < SHORT:
        yield [(label, f"**{last.rstrip('.')}**")]
    if chance.random() < SHARE:
        yield [
            (label, unit.rstrip(".") if unit.count(".") == 1 else f"- {unit.lstrip('- ')}") for label, unit in listed
        ]
    if chance.random() < SHARE:
        words = [word for _, unit in listed for word in re.findall(r"[A-Za-z'’-]+", unit)] or ["More"]
        at = chance.randrange(len(words))
        title = " ".join(words[at : at + chance.randint(1, 3)]).capitalize()
        where = chance.randint(0, len(listed) - 1)
        yield [*listed[:where], ("X", chance.choice((f"## {title}", f"**{title}**", f"### {title}"))), *listed[where:]]
    if chance.random() < SHARE:  # a greeting before tells nothing of what comes last
        yield [
            ("X", _phrase("opener", chance)),
            *(pair for pair in listed if pair[0] != "X" or chance.random() < SHARE),
        ]
    if chance.random() < SHARE / 3:
        names = [_phrase("source", chance) for _ in range(chance.randint(1, 4))]
        yield [*listed, *(("X", line) for line in (_phrase("sources", chance), *names))]


@cache
def _phrases() -> dict[str, list[str]]:
    """By kind the texts of no_claim.txt."""
    found: dict[str, list[str]] = {}
    for line in PHRASES.read_text(encoding="utf-8").splitlines():
        kind, _, text = line.partition(" ")
        found.setdefault(kind, []).append(text)
    return found


def _phrase(kind: str, chance: random.Random) -> str:
    """One text of a kind, with one of each of its choices."""
    text = chance.choice(_phrases()[kind])
    while found := _CHOICE.search(text):
        text = f"{text[: found.start()]}{chance.choice(found[1].split('|'))}{text[found.end() :]}"
    return text.replace("{n}", str(chance.randint(1, 90)))


def labelled(documents: Iterable[Document]) -> Iterator[Labelled]:
    """The units of all answers; one that holds units of both kinds states something. A made-up refusal and a made-up
    fact come with every REFUSED-th answer for training."""
    said = (
        (document.dev, question, [(unit.letter, unit.text) for unit in units])
        for document in documents
        for question, answers in document.questions
        for units in answers
    )
    for n, (dev, question, listed) in enumerate(said):
        if n % REFUSED == 0:
            yield from _taken_apart(question, [("X", _phrase("refusal", random.Random(n)))], dev=False)
            yield from _taken_apart(question, [("S", _phrase("fact", random.Random(n)))], dev=False)
        yield from _taken_apart(question, listed, dev=dev)
        for varied in [] if dev else variants(listed, n):
            yield from _taken_apart(question, varied, dev=False)


def _taken_apart(question: str, listed: Listed, *, dev: bool) -> Iterator[Labelled]:
    text, spans = compose([unit for _, unit in listed])
    found = units(text)
    for n, unit in enumerate(found):
        overlaps = (start < unit.end and unit.start < end for start, end in spans)
        labels = {label for (label, _), inside in zip(listed, overlaps, strict=True) if inside}
        if labels:
            yield Labelled(text, question, found, n, labels == {"X"}, dev)


def table(rows: list[Labelled]) -> list[Any]:
    """The features of each unit, as places in the table of weights."""
    return [local.buckets(row.text, row.question, place_of(row.found, row.at)) for row in rows]


def scores(made: list[Any], weights: Any, bias: float) -> Any:
    """The log odds of each unit."""
    counts = [len(one) for one in made]
    return np.bincount(np.repeat(np.arange(len(made)), counts), weights[np.concatenate(made)], len(made)) + bias


def fit(made: list[Any], nothing: Any) -> tuple[Any, float]:
    """Weights and bias by AdaGrad in small batches, averaged over the second half of the epochs."""
    weights, bias = np.zeros(local.BUCKETS), float(np.log(nothing.mean() / (1 - nothing.mean())))
    square, kept, taken = np.full(local.BUCKETS, 1e-6), np.zeros(local.BUCKETS), 0
    order = np.random.default_rng(0)
    for epoch in range(EPOCHS):
        shuffled = order.permutation(len(made))
        for at in range(0, len(made), BATCH):
            batch = shuffled[at : at + BATCH]
            chosen = [made[i] for i in batch]
            off = 1 / (1 + np.exp(-scores(chosen, weights, bias))) - nothing[batch]
            columns = np.concatenate(chosen)
            slope = np.bincount(columns, np.repeat(off, [len(one) for one in chosen]), local.BUCKETS) / len(batch)
            slope += DECAY * weights
            square += slope**2
            weights -= RATE * slope / np.sqrt(square)
            if 2 * epoch >= EPOCHS:
                kept, taken = kept + weights, taken + 1
    return kept / taken, bias


def main() -> None:
    """Train, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=FOLDER)
    parser.add_argument("--out", type=Path, default=local.WEIGHTS)
    parser.add_argument("--misses", action="store_true", help="print the dev units on the wrong side of the bar")
    options = parser.parse_args()
    rows = list(labelled(load_documents(options.data)))
    train, dev = [row for row in rows if not row.dev], [row for row in rows if row.dev]
    weights, bias = fit(table(train), np.array([row.nothing for row in train]))
    scale = float(np.abs(weights).max()) / 127
    small = np.round(weights / scale).astype(np.int8)
    nothing = np.array([row.nothing for row in dev])
    found = scores(table(dev), small.astype(np.float64) * scale, bias)
    bar = float(np.quantile(found[~nothing], 1 - LOST))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(options.out, weights=small, scale=scale, bias=bias, bar=1 / (1 + np.exp(-bar)))
    recall = float((found[nothing] > bar).mean())
    print(f"{len(train)} units to train on, {len(dev)} dev, {int(nothing.sum())} of them state nothing")
    print(f"AUC {auc(found[nothing], found[~nothing]):.4f}, recall {recall:.3f} at {LOST:.1%} of claims lost")
    print(f"bar {1 / (1 + np.exp(-bar)):.3f}, {options.out.stat().st_size / 1024:.0f} KB")
    if options.misses:
        for row, score in zip(dev, found, strict=True):
            if (score > bar) != row.nothing:
                print(f"{'kept' if row.nothing else 'LOST'} {score - bar:+.2f}", row.question, "|", row.text)


if __name__ == "__main__":
    main()
