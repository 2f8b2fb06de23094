"""The judge's line, fitted on labelled answers that the reader has not seen.

    python -m training.line [--reader FOLDER] [--out gate/models/line.json]

The passages of the training data are indexed as one corpus. The answers about those that are kept for development go
through the gate's own extractor, search and reader; each claim takes the worst label of the units that it overlaps. A
logistic regression (Newton's method, L2) tells supported claims from all others; five folds by passage give the
held-out figures that are printed. The subjects of MEASURED are left to the benchmarks, and INFERENCES is left out. So
are the claims that answer a question about a case: the judge is not sure of any.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.agents.retrieve_evidence import retrieve_evidence
from gate.claims.local import LocalExtractor
from gate.judges.line import SHIPPED, Line, Look, features, load_line, log_odds
from gate.judges.local import WINDOWS, LocalJudge
from gate.judges.reader import SHIPPED as READER
from gate.judges.reader import Reader
from gate.providers.local_embedder import LocalEmbedder
from gate.records import Claim, Item
from gate.store.embedded import open_for_writing
from ingest.chunk import chunk
from ingest.formats import read_blocks
from training.data import FOLDER, INFERENCES, MEASURED, Document, compose, load_documents, markdown
from training.evaluate import auc

Floats = NDArray[np.float64]
FOLDS, STRENGTH = 5, 1.0  # of the cross-validation; of the L2 penalty
DOUBTED = 0.10  # share of the right answers that may be doubted
DENIED = 0.02  # of those of which a claim may be called contradicted
FALSE_ALARMS, SETTLED = 0.05, 0.95  # as gate.statistics.calibration; right labels where a claim is settled
MARGINS = (0.0, 0.2, 0.35, 0.55, 0.75, 1.15, 1.5, 2.0)  # log odds
UNREAD = Line("none", -30.0, {}, 1.0, 0.0)  # leaves every claim open, so that all of its windows are read


class Written(NamedTuple):
    """One labelled answer: the passage that it is about, its text, and the label and span of each of its units."""

    pid: str
    question: str
    text: str
    labels: tuple[str, ...]
    spans: list[tuple[int, int]]


def written(documents: Iterable[Document]) -> list[Written]:
    """The answers about the passages that are kept for development."""
    return [
        Written(document.id, question, text, tuple(unit.letter for unit in units), spans)
        for document in documents
        if document.dev
        for question, answers in document.questions
        for units in answers
        for text, spans in [compose([unit.text for unit in units])]
    ]


def claims_of(answers: Sequence[Written]) -> Iterator[tuple[Written, Claim, str]]:
    """The claims of each answer with the worst label of the units that they overlap; X where these state nothing."""
    extractor = LocalExtractor()
    for number, answer in enumerate(answers):
        for n, one in enumerate(extractor.extract(answer.text, answer.question)):
            said = [
                label
                for label, (start, end) in zip(answer.labels, answer.spans, strict=True)
                if min(end, one.end) - max(start, one.start) > 2 or (start <= one.start and one.end <= end)
            ]
            label = next((label for label in "CPNS" if label in said), "X")
            key = f"{number}"
            yield answer, Claim(f"{key}:{n}", key, key, one.text, one.start, one.end, one.context, one.header), label


def looked(
    pages: Mapping[str, Sequence[str]], answers: Sequence[Written], reader: Reader
) -> tuple[list[str], list[str], list[str], list[Look]]:
    """(passage, answer, label, look) of every claim, each as a list."""
    made = list(claims_of(answers))
    with tempfile.TemporaryDirectory() as scratch:
        store = open_for_writing(Path(scratch) / "index.sqlite", LocalEmbedder())
        for pid, lines in pages.items():
            text = markdown(lines).encode()
            store.replace(f"{pid}.md", pid, chunk(read_blocks(f"{pid}.md", text), f"{pid}.md"))
        state: Any = {"prompts": [], "claims": [claim for _, claim, _ in made], "tools": SimpleNamespace(store=store)}
        retrieve_evidence(state)
        store.close()
    items = [Item(claim, state["evidence"][claim.id], answer.question, answer.text) for answer, claim, _ in made]
    looks = LocalJudge(reader, UNREAD, "").look(items)
    kept = [
        (answer.pid, claim.answer_id, label, some[0])
        for (answer, claim, label), some in zip(made, looks, strict=True)
        if label != "X" and len(some) == 1 and some[0].reads and not some[0].asks_case
    ]
    pids, keys, labels, seen = (list(column) for column in zip(*kept, strict=True))
    return pids, keys, labels, seen


def fit(x: Floats, y: Floats, weight: Floats, strength: float = STRENGTH) -> Floats:
    """(d + 1,) bias and weights of an L2 logistic regression by Newton's method; x (n, d), y and weight (n,)."""
    design = np.column_stack([np.ones(len(x)), x])
    penalty = np.diag([0.0, *([strength] * x.shape[1])])
    beta = np.zeros(design.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(design @ beta, -30, 30)))
        gradient = design.T @ (weight * (p - y)) + penalty @ beta
        hessian = (design * (weight * p * (1 - p))[:, None]).T @ design + penalty
        step = np.linalg.solve(hessian, gradient)
        beta -= step
        if np.abs(step).max() < 1e-8:
            break
    return beta


def chances(beta: Floats, x: Floats) -> Floats:
    """(n,) probabilities of the regression."""
    return np.asarray(1 / (1 + np.exp(-np.clip(beta[0] + x @ beta[1:], -30, 30))))


def folds_of(passages: Iterable[str]) -> NDArray[np.int64]:
    """(n,) the fold of each, from 0 to below FOLDS; it depends on the passage's id alone."""
    return np.array(
        [int(hashlib.sha1(one.encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS for one in passages]
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Fit, print the held-out figures and write the line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=FOLDER)
    parser.add_argument("--reader", type=Path, default=READER)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--every", type=int, default=1, help="only every so many-th answer")
    parser.add_argument("--keep", type=Path, help="write the features here too")
    args = parser.parse_args(argv)
    documents = [one for one in load_documents(args.data) if one.subject not in MEASURED | {INFERENCES}]
    pages = {document.id: document.lines for document in documents}
    pids, keys, labels, looks = looked(pages, written(documents)[:: args.every], Reader(args.reader))
    values = [features(look) for look in looks]
    names = list(values[0])
    x = np.array([[row[name] for name in names] for row in values])
    if args.keep:
        args.keep.write_text(
            json.dumps({"names": names, "x": x.tolist(), "labels": labels, "pids": pids, "keys": keys})
        )
    report(names, x, labels, pids, keys, args.out)
    early(looks, load_line(args.out))
    return 0


def early(looks: Sequence[Look], line: Line) -> None:
    """Print how often the label after the first windows is not the label after all, by how far the log odds after the
    first are above the line's `high`: what ABOVE of the judge is chosen by."""
    last = [line.label(line.chance(features(look))) for look in looks]
    for count in range(1, WINDOWS):
        firsts = [line.chance(features(replace(look, reads=look.reads[:count]))) for look in looks]
        over = np.array([log_odds(chance) - log_odds(line.high) for chance in firsts])
        moved = np.array([line.label(chance) is not end for chance, end in zip(firsts, last, strict=True)])
        said = "; ".join(f"{m}: {moved[over >= m].sum()} of {(over >= m).sum()}" for m in MARGINS)
        sys.stdout.write(f"after {count}, change their label from log odds of {said}\n")


def denial_of(low: NDArray[np.bool_], margins: Floats, labels: Sequence[str], keys: Sequence[str]) -> float:
    """The margin up to which a claim is called contradicted: DENIED of the right answers have such a claim. `low` (n,):
    the claim is not supported; margins (n,). Prints how many of the answers with a contradicted claim are found."""
    least: dict[str, float] = {}
    said: dict[str, set[str]] = {}
    for key, unsupported, margin, label in zip(keys, low, margins, labels, strict=True):
        least[key] = min(least.get(key, np.inf), margin if unsupported else np.inf)
        said.setdefault(key, set()).add(label)
    right = np.array([least[key] for key in least if said[key] == {"S"}])
    denied = np.array([least[key] for key in least if "C" in said[key]])
    for share in (0.005, 0.01, DENIED, 0.05):
        bar = float(np.sort(right)[int(share * len(right))])
        found = np.mean(denied <= bar)
        sys.stdout.write(
            f"  contradicted up to a margin of {bar:.2f}: {share} of the right answers, {found:.3f} of those denied\n"
        )
    return float(np.sort(right)[int(DENIED * len(right))])


def report(
    names: Sequence[str], x: Floats, labels: Sequence[str], pids: Sequence[str], keys: Sequence[str], out: Path
) -> None:
    """Cross-validate, choose the thresholds on held-out probabilities, fit on all, print and write."""
    y = np.array([float(label == "S") for label in labels])
    folds = folds_of(pids)
    weight = np.ones(len(y))
    p = np.zeros(len(y))
    for fold in range(FOLDS):
        p[folds == fold] = chances(fit(x[folds != fold], y[folds != fold], weight[folds != fold]), x[folds == fold])
    kinds = {label: p[[i for i, one in enumerate(labels) if one == label]] for label in "SCPN"}
    say = sys.stdout.write
    say(f"{len(y)} claims: { {k: len(v) for k, v in kinds.items()} }\n")
    for label, name in (("C", "contradicted"), ("N", "absent"), ("P", "partly")):
        say(f"AUC supported against {name}: {auc(kinds['S'], kinds[label]):.3f}\n")
    worst: dict[str, float] = {}
    right: dict[str, bool] = {}
    for key, chance, label in zip(keys, p, labels, strict=True):
        worst[key] = min(worst.get(key, 1.0), chance)
        right[key] = right.get(key, True) and label == "S"
    good = np.array([worst[k] for k in worst if right[k]])
    bad = np.array([worst[k] for k in worst if not right[k]])
    high = float(np.quantile(good, DOUBTED))
    say(
        f"answers: {len(bad)} wrong, {len(good)} right; worst claim below {high:.3f}: {np.mean(bad < high):.3f} of the "
    )
    say(f"wrong and {np.mean(good < high):.3f} of the right\n")
    for share in (0.02, 0.05, 0.1, 0.15, 0.2):
        say(
            f"  at {share:.2f} of the right doubted {np.mean(bad < np.quantile(good, share)):.3f} of the wrong caught\n"
        )
    low = min(high, float(np.quantile(kinds["S"], FALSE_ALARMS)))
    denial = denial_of(p <= low, x[:, names.index("margin")], labels, keys)
    order = np.argsort(-p)
    rates = np.cumsum(y[order]) / np.arange(1, len(y) + 1)
    fine = [i for i in range(50, len(y)) if rates[i] >= SETTLED]
    sure_high = max(high, float(p[order[fine[-1]]])) if fine else 1.1
    rising = np.argsort(p)
    wrong = np.cumsum(1 - y[rising]) / np.arange(1, len(y) + 1)
    fine = [i for i in range(50, len(y)) if wrong[i] >= SETTLED]
    sure_low = min(low, float(p[rising[fine[-1]]])) if fine else -0.1
    settled = (p >= sure_high) | (p <= sure_low)
    say(f"high {high:.3f} low {low:.3f}; settled {settled.mean():.3f} (from {sure_high:.3f}, up to {sure_low:.3f})\n")
    beta = fit(x, y, weight)
    for name, value in zip(names, beta[1:], strict=True):
        say(f"  {name:16} {value:7.3f}\n")
    body = {
        "bias": round(float(beta[0]), 4),
        "weights": {name: round(float(value), 4) for name, value in zip(names, beta[1:], strict=True)},
        "high": round(high, 4), "low": round(low, 4), "sure_high": round(sure_high, 4), "sure_low": round(sure_low, 4),
        "denial": round(denial, 4),
    }  # fmt: skip
    version = "line-" + hashlib.sha256(json.dumps(body).encode()).hexdigest()[:8]
    out.write_text(json.dumps({"version": version, **body}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
