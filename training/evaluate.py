"""How well a reader tells the labels of development or test data apart: AUC per set, over the best windows."""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.judges import windows
from gate.judges.reader import Reader
from gate.judges.windows import Piece
from gate.records import Evidence
from training import data, pairs

Floats = NDArray[np.float64]
Triple = tuple[str, str, str]
Scorer = Callable[[Sequence[Triple]], NDArray[np.float32]]  # (n, 4): supported, contradicted, neither, no claim
STACK = Path(__file__).parent / "stack"
TOP = 3  # windows of a claim
LOST = 0.005  # share of the claims that may be taken for none
DEV = ("docs_apache.dev", "wice_claim.dev", "expertqa.dev", "conjnli.dev")
TEST = ("contractnli.test", "fm2.test", "q2.test")


class Sample(NamedTuple):
    """One labelled claim and what it is read beside: pieces to find windows in, or one text. The label: supported,
    contradicted, neither, no_claim or a set's own name for what is not supported."""

    claim: str
    context: str
    evidence: Sequence[Piece] | str
    label: str

    def windows(self) -> tuple[str, ...]:
        """The windows that meet the claim best."""
        if isinstance(self.evidence, str):
            return (self.evidence,)
        return tuple(one.text for one in windows.best_windows(self.claim, self.context, self.evidence, TOP))


def auc(good: Floats, bad: Floats) -> float:
    """Area under the ROC curve (Mann-Whitney): how often a good score exceeds a bad one, ties counting half."""
    both = np.concatenate([good, bad])
    _, place, count = np.unique(both, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(count) - (count - 1) / 2)[place]
    n, m = len(good), len(bad)
    return float((ranks[:n].sum() - n * (n + 1) / 2) / (n * m)) if n and m else float("nan")


def unit_samples(documents: Sequence[data.Document]) -> Iterator[Sample]:
    """The units of answers about the passages kept for development."""
    names = {"S": "supported", "C": "contradicted", "P": "partial", "N": "neither", "X": "no_claim"}
    for document in documents:
        shown, _ = pairs.laid_out(document.lines)
        for question, answers in document.questions if document.dev else ():
            for units in answers:
                for at, unit in enumerate(units):
                    claim, context = pairs.shown_unit(units, at, question, 2)
                    if claim and shown:
                        yield Sample(claim, context, shown, names[unit.letter])


def row_samples(rows: Sequence[data.Row]) -> Iterator[Sample]:
    """The rows of a public set."""
    for row in rows:
        evidence: Sequence[Piece] | str = windows.clean(row.evidence)
        if len(row.evidence.split()) > pairs.SHORT:
            evidence = windows.pieces([Evidence("", 1, row.evidence, 1.0)]) or evidence
        label = "supported" if row.supported else row.name if row.name not in ("", "not") else "not supported"
        yield Sample(windows.show_claim(row.claim), "", evidence, label)


def folder_samples(folder: Path) -> Iterator[Sample]:
    """The labelled claims of one folder about its documents, each in the best windows of all of them."""
    places = folder / "docs" if (folder / "docs").is_dir() else folder
    texts = [path.read_text(encoding="utf-8") for path in sorted(places.glob("*.md"))]
    shown = windows.pieces([Evidence("", 1, text, 1.0) for text in texts])
    for claim, label in _folder_claims(folder):
        yield Sample(windows.show_claim(claim), "", shown, label)


def _folder_claims(folder: Path) -> Iterator[tuple[str, str]]:
    names = {"S": "supported", "C": "contradicted", "P": "partial", "N": "not_in_docs", "A": "not_in_docs"}
    for path in sorted(folder.glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as lines:
            for cells in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield cells[1], names[cells[0]]
    for path in sorted(folder.glob("*.jsonl")):
        for raw in data.load_lines(path):
            yield from ((one["claim"], one["label"]) for one in raw.get("claims", [raw]))


def log_odds(chance: NDArray[np.float32]) -> Floats:
    """Log-odds of supported and of contradicted (n, 2) among the classes of a claim."""
    said = chance[:, :3].astype(np.float64)
    share = np.clip(said / np.maximum(said.sum(1, keepdims=True), 1e-12), 1e-7, 1 - 1e-7)
    return np.asarray(np.log(share / (1 - share))[:, :2])


def pooled(samples: Sequence[Sample], score: Scorer) -> Floats:
    """For each sample the highest log-odds of supported and of contradicted over its windows, and the mean chance that
    it is no claim: (n, 3)."""
    texts = [one.windows() for one in samples]
    chance = score([(one.claim, one.context, text) for one, some in zip(samples, texts, strict=True) for text in some])
    odds, found, start = log_odds(chance), [], 0
    for some in texts:
        end = start + len(some)
        found.append((*odds[start:end].max(0), chance[start:end, 3].mean()))
        start = end
    return np.array(found, dtype=np.float64).reshape(-1, 3)


def figures(samples: Sequence[Sample], score: Scorer) -> dict[str, float]:
    """AUC of supported against each other label and against all of them, by the odds of support; `less`: with the odds
    of contradiction taken off. Where some claim nothing: its AUC, and the share found while LOST of the claims are."""
    values, labels = pooled(samples, score), np.array([one.label for one in samples])
    support, less, nothing = values[:, 0], values[:, 0] - values[:, 1], values[:, 2]
    good, none = labels == "supported", labels == "no_claim"
    found = {"all": auc(support[good], support[~good & ~none])}
    for other in sorted(set(labels[~good & ~none].tolist())):
        found[other] = auc(support[good], support[labels == other])
        if other.startswith("contradict"):
            found[f"{other}, less"] = auc(less[good], less[labels == other])
    if none.any():
        found["no claim"] = auc(nothing[none], nothing[~none])
        found["no claim, found"] = float(np.mean(nothing[none] > np.quantile(nothing[~none], 1 - LOST)))
    return found


def sets(shared: Path, names: Sequence[str]) -> Iterator[tuple[str, list[Sample]]]:
    """The named public sets that are there."""
    for name in names:
        if (path := shared / f"{name}.jsonl.gz").is_file():
            yield name, list(row_samples([data.parse_row(raw) for raw in data.load_lines(path)]))


def own_sets(stack: Path = STACK) -> Iterator[tuple[str, list[Sample]]]:
    """The units kept for development, and the labelled folders, which no reader was trained on."""
    documents = data.load_documents()
    yield "units, development", list(unit_samples([one for one in documents if one.subject != data.INFERENCES]))
    yield from subject_sets([data.INFERENCES])
    for kind in ("case", "guide", "pages"):
        folders = sorted(stack.glob(f"{kind}_*"))
        yield f"{kind} folders", [one for folder in folders for one in folder_samples(folder)]


def all_sets(shared: Path, test: bool = False) -> Iterator[tuple[str, list[Sample]]]:
    """All development sets, or the test sets."""
    if not test:
        yield from own_sets()
    yield from sets(shared, TEST if test else DEV)


def subject_sets(subjects: Sequence[str]) -> Iterator[tuple[str, list[Sample]]]:
    """The units kept for development of single subjects."""
    for subject in subjects:
        yield subject, list(unit_samples([one for one in data.load_documents() if one.subject == subject]))


def report(score: Scorer, chosen: Iterable[tuple[str, list[Sample]]], most: int = 0) -> str:
    """The figures of sets as lines of text; of each set a sample of `most`."""
    lines = []
    for name, samples in chosen:
        if 0 < most < len(samples):
            samples = random.Random(0).sample(samples, most)
        if samples:
            told = "  ".join(f"{key} {value:.3f}" for key, value in figures(samples, score).items())
            lines.append(f"{name} ({len(samples)}): {told}")
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures of an exported reader; by default on the development sets."""
    parser = argparse.ArgumentParser(prog="python -m training.evaluate", description=main.__doc__)
    parser.add_argument("--data", type=Path, default=data.SHARED)
    parser.add_argument("--model", type=Path, default=Path("gate/models/reader"))
    parser.add_argument("--test", action="store_true", help="the test sets in place of the development sets")
    parser.add_argument("--most", type=int, default=0, help="claims of each set (all)")
    parser.add_argument("--subject", action="append", default=[], help="only the units of this subject; repeatable")
    args = parser.parse_args(argv)
    chosen = subject_sets(args.subject) if args.subject else all_sets(args.data, args.test)
    print(report(Reader(args.model).score, chosen, args.most))
    return 0


if __name__ == "__main__":
    sys.exit(main())
