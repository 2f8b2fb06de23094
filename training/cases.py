"""Trains which questions ask what a rule means for a case: a date, an age, an amount or a time of the asker's own.

    python -m training.cases --weights build/train/reader.npz
    python -m training.cases --weights gate/models/reader build/train/reader.npz --out mean.npz

Of several readers the mean is taken (model soups, Wortsman et al. 2022). A line over the mean states of the context's
tokens, beside the window that decides, tells the questions of INFERENCES from those of DIRECT, which sound alike, and
from a SHARE of all others. It is written into the weights; no layer changes. The passages kept for development are left
out; on them, and by folds on the others, figures are printed.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from training import batches, graph, model
from training.data import DIRECT, FOLDER, INFERENCES, Document, load_documents
from training.evaluate import auc
from training.line import FOLDS, chances, fit, folds_of
from training.pairs import Pair, UnitPairs

Floats = NDArray[np.float64]
SHARE = 0.28  # of the questions of all other subjects
WEIGHT = 3.0  # of a direct question: there are few
STRENGTH = 1000.0  # of the L2 penalty, over values of like spread
FLAGGED = 0.02  # of the direct questions, at even odds
TOKENS = 20_000  # of a batch, padding included


class Asked(NamedTuple):
    """One question beside the window that decides one of its answers; `dev`: kept for development."""

    pair: Pair
    passage: str
    subject: str
    dev: bool


def asked(documents: Iterable[Document], rng: random.Random) -> Iterator[Asked]:
    """The questions about each document, one pair each."""
    maker = UnitPairs(rng)
    for document in documents:
        share = 1.0 if document.subject in (INFERENCES, DIRECT) else SHARE
        seen: set[str] = set()
        for pair in maker.pairs(document, share, 0.0):
            if pair.group and pair.context and pair.group not in seen:
                seen.add(pair.group)
                yield Asked(pair, document.id, document.subject, document.dev)


def states(reader: model.Reader, encoder: batches.Encoder, pairs: Sequence[Pair]) -> Floats:
    """(n, 2 * width) the mean states of the contexts (training.model.Reader.about)."""
    reader.eval()
    with torch.inference_mode(), model.low_precision(torch.device("cpu")):
        found = batches.computed(
            encoder.epoch(pairs),
            TOKENS,
            reader.case.in_features,
            lambda one: reader.about(one.ids, one.types, one.mask),
        )
    return found.astype(np.float64)


def line(x: Floats, y: NDArray[np.bool_], weight: Floats) -> Floats:
    """(d + 1,) bias and weights that tell `y` (n,) from the rest by x (n, d), over values of like spread."""
    middle, spread = x.mean(0), x.std(0) + 1e-6
    beta = fit((x - middle) / spread, y.astype(float), weight, STRENGTH)
    weights = beta[1:] / spread
    return np.concatenate([[beta[0] - middle @ weights], weights])


def main(argv: Sequence[str] | None = None) -> int:
    """Train, print the figures, and write the line into the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=FOLDER)
    parser.add_argument("--weights", type=Path, required=True, nargs="+", help=".npz of trainings, folders of readers")
    parser.add_argument("--out", type=Path, help="default: the first of them")
    parser.add_argument("--tokenizer", type=Path, default=Path("gate/models/reader/tokenizer.json"))
    args = parser.parse_args(argv)
    out = args.out or args.weights[0]
    if out.is_dir():
        parser.error(f"{out} is a folder: say with --out which .npz to write")
    reader = model.restored(mean([graph.weights(path) for path in args.weights]))
    questions = list(asked(load_documents(args.data), random.Random(0)))
    x = states(reader, batches.Encoder(args.tokenizer), [one.pair for one in questions])
    beta = trained(questions, x)
    with torch.no_grad():
        reader.case.weight.copy_(torch.from_numpy(beta[1:])[None])
        reader.case.bias.fill_(float(beta[0]))
    model.save(out, reader.state_dict())
    return 0


def mean(states: Sequence[Mapping[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """The mean of readers of one size; a `case` that some do not have yet is left out."""
    names = [name for name in states[0] if all(name in state for state in states)]
    return {name: sum(state[name] for state in states) / len(states) for name in names}


def trained(questions: Sequence[Asked], x: Floats) -> Floats:
    """The line (width + 1,) of the questions' states x (n, width), even odds where FLAGGED of the direct ones have
    more in folds by passage. Prints its figures."""
    case, direct = (np.array([one.subject == subject for one in questions]) for subject in (INFERENCES, DIRECT))
    dev = np.array([one.dev for one in questions])
    weight = np.where(direct, WEIGHT, 1.0)
    folds = folds_of(one.passage for one in questions)
    p = np.zeros(len(questions))
    for fold in range(FOLDS):
        left = ~dev & (folds != fold)
        p[folds == fold] = chances(line(x[left], case[left], weight[left]), x[folds == fold])
    bar = float(np.quantile(p[direct], 1 - FLAGGED))
    for name, some in (("all", ~dev), ("development", dev)):
        mine, near, others = p[some & case], p[some & direct], p[some & ~case & ~direct]
        sys.stdout.write(
            f"{name}: {len(mine)} about a case, {np.mean(mine > bar):.3f} found; AUC against {len(near)} direct ones "
            f"{auc(mine, near):.3f}, {len(others)} others {auc(mine, others):.3f} ({np.mean(others > bar):.3f} found)\n"
        )
    beta = line(x[~dev], case[~dev], weight[~dev])
    beta[0] -= np.log(bar / (1 - bar))
    return beta


if __name__ == "__main__":
    sys.exit(main())
