"""Fits gate/models/stack.json (`python -m training.stack.fit`) and prints the figures that it is chosen by.

Two stages. The first weighs alignment and checks over all sets, whose sizes and mixes are of our making. The second
weighs the first, the likeness and the reader on written answers alone, which are what is judged in practice, and on
claims about pages, of which half are plainly wrong. The reader has seen none of them, and nothing of the guides and
the longer manuals; of the passages behind the other answers it has seen other claims. Each answer's first stage comes
from a fit without its passage.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.judges.features import FOR
from gate.judges.lexicon import MODELS
from gate.judges.look import Scorer, look
from gate.judges.reader import SHIPPED, Reader
from gate.providers.base import Embedder
from gate.providers.local_embedder import LocalEmbedder
from training.stack import corpus, mixture
from training.stack.corpus import Sample
from training.stack.regression import Array, Fitted, auc, fit
from training.stack.remembered import Remembered, RememberedReader

OUT = MODELS / "stack.json"
# How much one sample of a set weighs. Answers are what is judged in practice; the written sets, where overlap says
# nothing, keep the checks honest; changed sentences keep what is nearly verbatim supported; WiCE brings whole pages.
WEIGHTS = {"answers": 6.0, "changed": 0.02, "written": 0.1, "wice": 1.5}
# Share of supported claims in answers that people get; ours have fewer. And how much a claim counts beside one about a
# guide: of the longer manuals, which are written so that overlap says nothing, which is not so in practice; and of the
# passages that the reader knows.
USUAL, HARD, KNOWN = 0.7, 0.3, 0.3
PLAIN = 1.1  # how much a claim about one page counts: together they are a tenth of all
# How much of what is called supported, and of what is called unsupported, is right in usual answers: the most, by whole
# hundredths, that leaves the faithful answers of each case_* folder, and those about the guides, a risk below 0.09
# through the whole gate: 0.1 warns, and documents that nobody has seen need room. And how much of what a tiered judge
# does not send on, where only half of the claims are supported.
RIGHT, SETTLED = 0.95, 0.95
# Without the reader nothing is so right: then as many of the supported answers are denied, and denied or left unsure.
DENIED, UNSURE = 0.01, 0.12
FOLDS = 5
BASE = (
    "cover_window", "cover_passage", "cover_all", "cover_tail", "kinship", "missing_window", "missing_all", "number",
    "number_elsewhere", "number_missing", "version", "version_missing", "polarity", "opposite", "negation", "only",
    "scope", "all", "only_there", "default", "duty", "name", "name_missing",
)  # fmt: skip
READ = ("reads_supported", "reads_contradicted", "reads_margin")
VARIANTS = {"plain": (), "embedding": ("likeness",), "reader": READ, "both": ("likeness", *READ)}


class Row(NamedTuple):
    """One labelled claim, seen."""

    set: str
    label: str
    group: str
    values: dict[str, float]


def gather(embedder: Embedder, reader: Scorer | None) -> list[Row]:
    """Samples of all sets with their features; likeness and reading for the answers only."""
    searches = mixture.corpora()
    answers = mixture.every_answer(searches)
    sets = {
        "changed": mixture.changed(searches, each=1),
        "written": [s for name in mixture.WRITTEN for s in corpus.written(f"{name}.train")] + mixture.mixed(),
        "wice": corpus.public("wice_claim.dev"),
        "apache": corpus.written("docs_apache.dev"),
    }
    found = seen("answers", answers, embedder, reader)
    for name, samples in sets.items():
        found += seen(name, samples, None, None)
    return found


def seen(name: str, samples: Sequence[Sample], embedder: Embedder | None, reader: Scorer | None) -> list[Row]:
    """The rows of one set."""
    looks = look([sample.item for sample in samples], embedder, reader)
    print(f"{name}: {len(samples)} samples", flush=True)
    return [Row(name, s.label, s.group, k.values) for s, k in zip(samples, looks, strict=True) if k]


def columns(rows: Sequence[Row], names: Sequence[str]) -> Array:
    """The values (n, d) of the named features, 0 where one is not there."""
    return np.array([[row.values.get(name, 0.0) for name in names] for row in rows])


def heads(rows: Sequence[Row], names: Sequence[str] = BASE) -> tuple[Fitted, Fitted]:
    """The first stage: supported or not; and, of what is not, contradicted or absent."""
    used = [row for row in rows if row.set in WEIGHTS]
    w = np.array([WEIGHTS[row.set] for row in used])
    first = fit(columns(used, names), labels(used) == "supported", w, _signs(names))
    rest = [row for row in used if row.label in ("contradicted", "absent")]
    w = np.array([WEIGHTS[row.set] for row in rest])
    return first, fit(columns(rest, names), labels(rest) == "contradicted", w, [0] * len(names))


def labels(rows: Sequence[Row]) -> NDArray[np.str_]:
    """The labels (n,)."""
    return np.array([row.label for row in rows])


def _signs(names: Sequence[str]) -> list[int]:
    return [1 if name in FOR else -1 for name in names]


def _folds(answers: Sequence[Row]) -> list[NDArray[np.bool_]]:
    """Masks of the answers that are held out together: by passage."""
    groups = np.array([row.group for row in answers])
    names = sorted(set(groups.tolist()))
    return [np.isin(groups, names[k::FOLDS]) for k in range(FOLDS)]


def held_out(rows: Sequence[Row], names: Sequence[str] = BASE) -> tuple[Array, Array]:
    """First-stage probabilities of the answers by both heads, each from a fit without its passage's claims in any
    set."""
    answers = [row for row in rows if row.set == "answers"]
    found = np.zeros((2, len(answers)))
    for mask in _folds(answers):
        barred = {row.group for row, out in zip(answers, mask, strict=True) if out}
        x = columns([row for row, out in zip(answers, mask, strict=True) if out], names)
        for place, model in enumerate(heads([row for row in rows if row.group not in barred], names)):
            found[place, mask] = model.predict(x)
    return found[0], found[1]


def contradicted(answers: Sequence[Row], first: Array, extra: Sequence[str]) -> tuple[Fitted, str]:
    """The second stage of the other head, over the answers that are not supported; and how it separates, held out."""
    places = [i for i, row in enumerate(answers) if row.label in ("contradicted", "absent")]
    bad, chance = [answers[i] for i in places], first[places]
    x = np.column_stack([np.log(chance / (1 - chance)), columns(bad, extra)])
    y = labels(bad) == "contradicted"
    w = np.where(y, 0.5 / y.mean(), 0.5 / (1 - y.mean()))
    signs = [1, *(0 for _ in extra)]
    found = np.zeros(len(bad))
    for mask in _folds(bad):
        found[mask] = fit(x[~mask], y[~mask], w[~mask], signs, ridge=0.02).predict(x[mask])
    right = (np.mean(found[y] >= 0.5) + np.mean(found[~y] < 0.5)) / 2
    told = f"contradicted against absent: AUC {auc(found[y], found[~y]):.3f}, balanced {right:.3f}"
    return fit(x, y, w, signs, ridge=0.02), told


def second(answers: Sequence[Row], first: Array, extra: Sequence[str]) -> tuple[Fitted, Array]:
    """The second stage over the log odds of the first and the extra features; and its held-out probabilities."""
    x = np.column_stack([np.log(first / (1 - first)), columns(answers, extra)])
    y = labels(answers) == "supported"
    w = counted(answers, USUAL) * len(answers)
    signs = [1, *_signs(extra)]
    found = np.zeros(len(answers))
    for mask in _folds(answers):
        found[mask] = fit(x[~mask], y[~mask], w[~mask], signs, ridge=0.02).predict(x[mask])
    return fit(x, y, w, signs, ridge=0.02), found


def joined(first: Fitted, last: Fitted, extra: Sequence[str]) -> dict[str, object]:
    """Both stages as one line over all features: the log odds of the first are linear in its features."""
    scale = float(last.weights[0])
    named = dict(zip(BASE, (first.weights * scale).tolist(), strict=True)) | dict(
        zip(extra, last.weights[1:].tolist(), strict=True)
    )
    return _line(last.bias + scale * first.bias, named)


def _line(bias: float, named: dict[str, float]) -> dict[str, object]:
    return {"bias": round(bias, 3), "weights": {k: round(v, 3) for k, v in named.items() if abs(v) >= 0.0005}}


def describe(title: str, truth: NDArray[np.str_], chances: Array) -> str:
    """Separation of supported from each other label."""
    good = chances[truth == "supported"]
    parts = [f"{other} {auc(good, chances[truth == other]):.3f}" for other in sorted(set(truth) - {"supported"})]
    return f"{title:22} AUC, supported against: {', '.join(parts)}"


def about(answers: Sequence[Row]) -> NDArray[np.str_]:
    """What each answer is about: `cases`, `guides` and `pages`, of which the reader knows nothing, longer `manuals`, or
    `passages` that it knows."""
    kinds = {"case": "cases", "guide": "guides", "manual": "manuals", "pages": "pages"}
    names = [row.group.partition(":")[0] for row in answers]
    return np.array(["guides" if n == "manual" else kinds.get(n.partition("_")[0], "passages") for n in names])


def counted(answers: Sequence[Row], share: float) -> Array:
    """How much each answer counts: the guides most, and in all `share` of the whole is supported."""
    found = np.array([{"manuals": HARD, "passages": KNOWN, "pages": PLAIN}.get(kind, 1.0) for kind in about(answers)])
    good = labels(answers) == "supported"
    return np.asarray(found * np.where(good, share / found[good].sum(), (1 - share) / found[~good].sum()))


def ends(answers: Sequence[Row], chances: Array, share: float, right: float) -> tuple[float, float]:
    """(low, high): the widest ends that are `right` of the time right each, on held-out answers of which `share` is
    supported. With nothing that right, an end is out of reach."""
    order = np.argsort(chances)
    weights = counted(answers, share)[order]
    bad = np.where(labels(answers)[order] == "supported", 0.0, weights)
    below = np.cumsum(bad) / np.cumsum(weights)
    above = 1 - np.cumsum(bad[::-1])[::-1] / np.cumsum(weights[::-1])[::-1]
    enough_below, enough_above = np.flatnonzero(below >= right), np.flatnonzero(above >= right)
    low = float(chances[order][enough_below[-1]]) if len(enough_below) else 0.0
    return low, float(chances[order][enough_above[0]]) if len(enough_above) else 1.0


def bounded(answers: Sequence[Row], chances: Array, low: float, high: float) -> tuple[float, float]:
    """(low, high), moved so that of the supported answers at least DENIED lie below and at most UNSURE below `high`."""
    good = labels(answers) == "supported"
    order = np.argsort(chances[good])
    share = np.cumsum(counted(answers, USUAL)[good][order]) / USUAL
    least, most = (float(chances[good][order][np.searchsorted(share, s)]) for s in (DENIED, UNSURE))
    return max(low, least), min(high, most)


def fall(title: str, truth: NDArray[np.str_], chances: Array, low: float, high: float) -> str:
    """How the held-out answers fall about two thresholds, and how often what lies outside of them is right."""
    lines = [f"  {title}: {low:.3f} to {high:.3f}"]
    for name in sorted(set(truth)):
        mine = chances[truth == name]
        lines.append(
            f"    {name:13} below {(mine <= low).mean():.3f} between {((mine > low) & (mine < high)).mean():.3f}"
        )
    outside = (chances <= low) | (chances >= high)
    right = ((chances >= high) == (truth == "supported"))[outside]
    lines.append(f"    outside {outside.mean():.3f} of the answers, of these right {right.mean():.3f}")
    return "\n".join(lines)


def read_by(folder: Path) -> str:
    """SHA-256 (hex) of a reader's model; empty where there is none."""
    return str(json.loads((folder / "reader.json").read_text(encoding="utf-8"))["sha256"]) if folder.is_dir() else ""


def main() -> None:
    """Fit both stages of every variant, choose thresholds on held-out answers, write the file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kept", type=Path, help="a file that keeps vectors and scores for the next fit")
    parser.add_argument("--reader", type=Path, default=SHIPPED, help="the reader's folder; none there: no such variant")
    options = parser.parse_args()
    embedder = Remembered(LocalEmbedder(), options.kept)
    reader = RememberedReader(Reader(options.reader), options.kept) if options.reader.is_dir() else None
    rows = gather(embedder, reader)
    answers = [row for row in rows if row.set == "answers"]
    (first, other), (model, against) = held_out(rows), heads(rows)
    for name in ("apache", "wice"):
        mine = [row for row in rows if row.set == name]
        print(describe(f"first stage: {name}", labels(mine), model.predict(columns(mine, BASE))))
    variants = {}
    for name, extra in VARIANTS.items():
        if set(extra) & set(READ) and reader is None:
            continue
        last, chances = second(answers, first, extra)
        kinds = about(answers)
        for kind in ("cases", "guides", "pages", "passages", "manuals"):
            print(describe(f"{name}: {kind}", labels(answers)[kinds == kind], chances[kinds == kind]))
        usual = kinds != "pages"  # people get answers that are mostly right; half of these claims are plainly wrong
        mostly, likely = [row for row, keep in zip(answers, usual, strict=True) if keep], chances[usual]
        low, high = bounded(mostly, likely, *ends(mostly, likely, USUAL, RIGHT))
        print(fall("labels", labels(mostly), likely, low, high))
        for kind in ("cases", "guides", "pages"):
            mine = kinds == kind
            print(fall(f"labels, {kind} alone", labels(answers)[mine], chances[mine], low, high))
        denied, told = contradicted(answers, other, extra)
        print(f"  {told}")
        lines = {"supported": joined(model, last, extra), "contradicted": joined(against, denied, extra)}
        sure_low, sure_high = ends(mostly, likely, 0.5, SETTLED)
        sure_low, sure_high = min(low, sure_low), max(high, sure_high)
        print(fall("settled", labels(mostly), likely, sure_low, sure_high))
        cuts = {"high": high, "low": low, "sure_high": sure_high, "sure_low": sure_low}
        variants[name] = {**{cut: round(value, 3) for cut, value in cuts.items()}, **lines}
    held = {"embedder": embedder.name, "reader": read_by(options.reader), "variants": variants}
    data = {"version": f"6-{hashlib.sha256(json.dumps(held).encode()).hexdigest()[:8]}", **held}
    OUT.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    print(f"{OUT.name}: {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
