"""Fits gate/models/stack.json (`python -m training.stack.fit`) and prints the figures that it is chosen by."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gate.judges.features import FOR
from gate.judges.lexicon import MODELS
from gate.judges.look import look
from gate.providers.base import Embedder
from gate.providers.local_embedder import LocalEmbedder
from training.stack import corpus, mixture
from training.stack.regression import Array, Fitted, auc, fit
from training.stack.remembered import Remembered

OUT = MODELS / "stack.json"
# How much one sample of a set weighs. Answers are what is judged in practice; the written sets, where overlap says
# nothing, keep the checks honest; changed sentences keep what is nearly verbatim supported; WiCE brings whole pages.
WEIGHTS = {"answers": 6.0, "changed": 0.02, "written": 0.1, "wice": 1.5}
# Of the supported answers (held out), so many may be called unsupported, and so many more be left unsure.
FALSE_ALARMS, UNSETTLED = 0.02, 0.12
BASE = (
    "cover_window", "cover_passage", "cover_all", "cover_tail", "kinship", "missing_window", "missing_all", "number",
    "number_elsewhere", "number_missing", "version", "version_missing", "polarity", "opposite", "negation", "only",
    "scope", "all", "only_there", "default", "duty", "name", "name_missing",
)  # fmt: skip
VARIANTS = {"plain": BASE, "embedding": (*BASE, "likeness")}

Row = tuple[str, str, str, dict[str, float]]  # set, label, group, values


def gather(embedder: Embedder) -> list[Row]:
    """Samples of all sets with their features; the first time about ten minutes, nearly all of it embedding."""
    searches = mixture.corpora()
    sets = {
        "answers": mixture.answers(searches) + mixture.manual(),
        "changed": mixture.changed(searches, each=1),
        "written": [s for name in mixture.WRITTEN for s in corpus.written(f"{name}.train")] + mixture.mixed(),
        "wice": corpus.public("wice_claim.dev"),
        "apache": corpus.written("docs_apache.dev"),
    }
    found: list[Row] = []
    for name, samples in sets.items():
        seen = look([s.item for s in samples], embedder)
        found += [(name, s.label, s.group, k.values) for s, k in zip(samples, seen, strict=True) if k]
        print(f"{name}: {len(samples)} samples", flush=True)
    return found


def columns(rows: Sequence[Row], names: Sequence[str]) -> Array:
    """The values (n, d) of the named features, 0 where one is not there."""
    return np.array([[values.get(name, 0.0) for name in names] for *_, values in rows])


def heads(rows: Sequence[Row], names: Sequence[str]) -> tuple[Fitted, Fitted]:
    """Supported or not; and, of what is not, contradicted or absent."""
    used = [row for row in rows if row[0] in WEIGHTS]
    signs = [1 if name in FOR else -1 for name in names]
    w = np.array([WEIGHTS[row[0]] for row in used])
    first = fit(columns(used, names), np.array([row[1] == "supported" for row in used], float), w, signs)
    rest = [row for row in used if row[1] in ("contradicted", "absent")]
    w = np.array([WEIGHTS[row[0]] for row in rest])
    second = fit(columns(rest, names), np.array([row[1] == "contradicted" for row in rest], float), w, [0] * len(names))
    return first, second


def held_out(rows: Sequence[Row], names: Sequence[str], folds: int = 5) -> Array:
    """Probabilities of the answers, each from a fit without its passage's claims in any set."""
    answers = [row for row in rows if row[0] == "answers"]
    groups = sorted({row[2] for row in answers})
    found = np.zeros(len(answers))
    for k in range(folds):
        barred = set(groups[k::folds])
        model, _ = heads([row for row in rows if row[2] not in barred], names)
        mine = [i for i, row in enumerate(answers) if row[2] in barred]
        found[mine] = model.predict(columns([answers[i] for i in mine], names))
    return found


def describe(title: str, labels: Sequence[str], chances: Array) -> str:
    """Separation of supported from each other label, and balanced accuracy at 0.5."""
    named = np.array(labels)
    good = chances[named == "supported"]
    parts = [f"{other} {auc(good, chances[named == other]):.3f}" for other in sorted(set(labels) - {"supported"})]
    bad = chances[named != "supported"]
    balanced = ((good >= 0.5).mean() + (bad < 0.5).mean()) / 2
    return f"{title:20} AUC {', '.join(parts)}; balanced accuracy at 0.5 {balanced:.3f}"


def main() -> None:
    """Fit both heads of every variant, choose thresholds on held-out answers, write the file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--vectors", type=Path, help="a file that keeps the vectors for the next fit")
    embedder = Remembered(LocalEmbedder(), parser.parse_args().vectors)
    rows = gather(embedder)
    variants = {}
    for variant, names in VARIANTS.items():
        chances, answers = held_out(rows, names), [row for row in rows if row[0] == "answers"]
        print(describe(f"{variant}: answers", [row[1] for row in answers], chances))
        supported, contradicted = heads(rows, names)
        for other in ("apache", "wice"):
            mine = [row for row in rows if row[0] == other]
            print(describe(f"{variant}: {other}", [row[1] for row in mine], supported.predict(columns(mine, names))))
        good = chances[[row[1] == "supported" for row in answers]]
        low, high = (float(np.quantile(good, share)) for share in (FALSE_ALARMS, FALSE_ALARMS + UNSETTLED))
        variants[variant] = {
            "high": round(high, 3),
            "low": round(low, 3),
            "supported": _line(supported, names),
            "contradicted": _line(contradicted, names),
        }
    data = {"version": "1", "embedder": embedder.name, "variants": variants}
    OUT.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    print(f"{OUT.name}: {OUT.stat().st_size} bytes")


def _line(model: Fitted, names: Sequence[str]) -> dict[str, object]:
    weights = {name: round(float(v), 3) for name, v in zip(names, model.weights, strict=True) if abs(v) >= 0.0005}
    return {"bias": round(model.bias, 3), "weights": weights}


if __name__ == "__main__":
    main()
