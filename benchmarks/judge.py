"""Measures the local judge part by part on labelled claims: coverage, embedding, stack, reader, all together.

`PYTHONPATH=. GATE_DATA=FOLDER python benchmarks/judge.py [--test] [--most N]`: AUC and balanced accuracy of supported
against every other label, with 95 % bootstrap intervals over the rows. For written claims and the cases the evidence is
searched among the passages of the whole file, for public pairs it is the row's own text in windows. The threshold of
each part is the one that is best on the written answers (`training/stack`), and is used everywhere; `own` is the best
threshold of the set itself, a ceiling. `--test` reads the test sets in place of the development sets. The stack
was fitted on the answers and on WiCE: their figures are not held out (those are printed by `training.stack.fit`).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

import numpy as np

from gate.judges.look import look
from gate.judges.seen import Look
from gate.judges.stack import load_stack
from gate.providers.local_embedder import LocalEmbedder
from gate.toolbox_local import shipped
from training.stack import corpus, mixture
from training.stack.corpus import Sample
from training.stack.regression import Array, auc

# Balanced accuracy (%) as published for LLM-AggreFact (Tang et al. 2024), which cuts the sets its own way.
PUBLISHED = {
    "wice": "72 (MiniCheck, Flan-T5-large)",
    "expertqa": "59 (MiniCheck, Flan-T5-large)",
}
DEVELOPMENT: dict[str, Callable[[], list[Sample]]] = {
    "docs_apache": lambda: corpus.written("docs_apache.dev"),
    "wice": lambda: corpus.public("wice_claim.dev"),
    "expertqa": lambda: corpus.public("expertqa.dev"),
    "conjnli": lambda: corpus.public("conjnli.dev"),
}
TEST: dict[str, Callable[[], list[Sample]]] = {
    "contractnli": lambda: corpus.public("contractnli.test"),
    "fm2": lambda: corpus.public("fm2.test"),
    "q2": lambda: corpus.public("q2.test"),
    "httpx cases": corpus.cases,
}
VARIANTS = load_stack().variants
PARTS: dict[str, Callable[[dict[str, float]], float]] = {
    "coverage": lambda values: values["cover_passage"],
    "embedding": lambda values: values["likeness"],
    "stack": VARIANTS["embedding"].supported.probability,
    "reader": lambda values: values["reads_supported"],
    "all": VARIANTS["both"].supported.probability,
}


def seen(samples: Sequence[Sample]) -> tuple[list[Look | None], float]:
    """What the judge sees, and pairs per second with everything on."""
    embedder, reader = LocalEmbedder(), shipped()
    look([samples[0].item], embedder, reader)
    begun = time.perf_counter()
    found = look([sample.item for sample in samples], embedder, reader)
    return found, len(samples) / (time.perf_counter() - begun)


def scores(looks: Sequence[Look | None], part: Callable[[dict[str, float]], float]) -> Array:
    return np.array([part(one.values) if one else 0.0 for one in looks])


def balanced(good: Array, bad: Array, cut: float) -> float:
    return float((np.mean(good >= cut) + np.mean(bad < cut)) / 2)


def best_cut(good: Array, bad: Array) -> float:
    cuts = np.unique(np.concatenate([good, bad]))
    return float(max(cuts, key=lambda cut: balanced(good, bad, float(cut))))


def interval(good: Array, bad: Array, figure: Callable[[Array, Array], float], times: int = 500) -> str:
    rng = np.random.default_rng(0)
    drawn = [figure(rng.choice(good, len(good)), rng.choice(bad, len(bad))) for _ in range(times)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return f"{figure(good, bad):.3f} ({low:.3f} to {high:.3f})"


def tell(name: str, samples: Sequence[Sample], cuts: dict[str, float]) -> None:
    looks, pace = seen(samples)
    truth = np.array([sample.label for sample in samples])
    others = sorted(set(truth.tolist()) - {"supported"})
    note = f"; published: {PUBLISHED[name]}" if name in PUBLISHED else ""
    print(
        f"\n{name}: {len(samples)} claims, {np.mean(truth == 'supported'):.2f} supported, {pace:.1f} a second{note}\n"
    )
    print("| part | AUC | balanced accuracy | own | " + " | ".join(f"AUC against {other}" for other in others) + " |")
    print("| --- |" + " ---: |" * (3 + len(others)))
    for part, score in PARTS.items():
        value = scores(looks, score)
        good, bad = value[truth == "supported"], value[truth != "supported"]
        cut = cuts[part]
        cells = [
            interval(good, bad, auc),
            interval(good, bad, lambda g, b, cut=cut: balanced(g, b, cut)),  # type: ignore[misc]
            f"{balanced(good, bad, best_cut(good, bad)):.3f}",
            *(f"{auc(good, value[truth == other]):.3f}" for other in others),
        ]
        print(f"| {part} | " + " | ".join(cells) + " |", flush=True)


def thresholds(samples: Sequence[Sample]) -> dict[str, float]:
    """The best threshold of each part on the written answers."""
    looks, _ = seen(samples)
    truth = np.array([sample.label for sample in samples])
    values = {part: scores(looks, score) for part, score in PARTS.items()}
    return {part: best_cut(v[truth == "supported"], v[truth != "supported"]) for part, v in values.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--test", action="store_true", help="the test sets and the cases")
    parser.add_argument("--most", type=int, default=400, help="rows of a set, drawn with a fixed seed")
    options = parser.parse_args()
    cuts = thresholds(mixture.every_answer(mixture.corpora()))
    print("thresholds from the written answers: " + ", ".join(f"{part} {cut:.3f}" for part, cut in cuts.items()))
    for name, load in (TEST if options.test else DEVELOPMENT).items():
        samples = load()
        if len(samples) > options.most:
            places = np.random.default_rng(0).choice(len(samples), options.most, replace=False)
            samples = [samples[place] for place in sorted(places)]
        tell(name, samples, cuts)


if __name__ == "__main__":
    main()
