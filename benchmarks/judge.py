"""Measures a reader alone: how well its scores tell supported claims from denied ones, absent ones, and no claims.

python benchmarks/judge.py [--reader FOLDER] [--shared FOLDER] [--most N] [--only SET ...]

Public claims are read against their own evidence, in its best windows. Units of answers in context (`context`, dev
passages) are read within their context against the page that they were written for. Figures are AUC with 95 % bootstrap
intervals. `all`: supported against the rest, by the log odds of support in the best window. `denied`: supported against
contradicted, by these less the log odds of contradiction. `absent`: supported against neither. `no claim`: units that
state nothing against the others, and how many of them are found where 0.5 % of the others are lost.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from running import ROOT
from written_units import Written, parse_written

sys.path.insert(0, str(ROOT))

from gate.claims.context import BEFORE, context_of
from gate.claims.units import units
from gate.judges.reader import SHIPPED, Reader
from gate.judges.windows import best_windows, pieces, show_claim, show_context
from gate.records import Evidence

PUBLIC = ("docs_apache.dev", "wice_claim.dev", "expertqa.dev", "q2.test", "contractnli.test", "fm2.test")
WINDOWS = 3  # of a page that are read
LOST = 0.005  # of the claims, at the bar of `no claim`
SURE = 1e-4
DENIED, ABSENT, NOTHING = "contradicted", "absent", "nothing"
NAMES = {
    "contradict": DENIED, "contradicted": DENIED, "C": DENIED,
    "neutral": ABSENT, "not_in_docs": ABSENT, "N": ABSENT,
    "partial": "partial", "P": "partial", "X": NOTHING,
}  # fmt: skip
Floats = NDArray[np.float64]


class Sample(NamedTuple):
    """A claim as the reader is shown it, the text it is judged by, and its label."""

    label: str
    claim: str
    context: str
    page: str


def public(path: Path) -> list[Sample]:
    """The pairs of one file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        Sample(
            "supported" if row["label"] else NAMES.get(row.get("label4") or row.get("label3") or "", "unsupported"),
            show_claim(row["claim"]),
            "",
            row["evidence"],
        )
        for row in rows
    ]


def in_context(folder: Path) -> list[Sample]:
    """The units of the answers about dev passages, cut and shown as the gate does it."""
    pages, answers = parse_written(sorted(folder.glob("?-part*.txt")))
    return [sample for one in answers if one.dev for sample in _units(one, pages[one.passage])]


def _units(answer: Written, page: str) -> Iterator[Sample]:
    """Each unit with the worst label of what it overlaps."""
    text, spans = answer.assembled()
    found = units(text)
    for place, unit in enumerate(found):
        said = {
            label
            for (label, _), (start, end) in zip(answer.units, spans, strict=True)
            if start < unit.end and unit.start < end
        }
        worst = next((label for label in "CPNSX" if label in said), "X")
        before = [text[other.start : other.end] for other in found[max(0, place - BEFORE - 1) : place]]
        context = context_of(answer.question, unit.lead, before)
        claim = show_claim(text[unit.start : unit.end], text[slice(*unit.head)])
        yield Sample(NAMES.get(worst, "supported"), claim, show_context(context), page)


def scores(reader: Reader, samples: Sequence[Sample]) -> dict[str, Floats]:
    """Log odds of each sample, of its best window; those of `nothing` are of the first window."""
    asked, ends = [], [0]
    for one in samples:
        given = pieces([Evidence("page", 1, one.page, 1.0)])
        windows = [window.text for window in best_windows(one.claim, one.context, given, WINDOWS)] or [""]
        asked += [(one.claim, one.context, text) for text in windows]
        ends.append(len(asked))
    rows = np.clip(np.asarray(reader.score(asked), float), SURE, 1 - SURE)
    known = rows[:, :3] / rows[:, :3].sum(axis=1, keepdims=True)
    first, odds = np.array(ends[:-1]), np.log(known / (1 - known))
    support, denial = (np.maximum.reduceat(odds[:, place], first) for place in (0, 1))
    return {"support": support, "less": support - denial, "nothing": rows[first, 3]}


def auc(good: Floats, bad: Floats) -> float:
    """The chance that one of `good` has more than one of `bad`; ties count half."""
    order = np.sort(bad)
    wins = np.searchsorted(order, good, "left") + np.searchsorted(order, good, "right")
    return float(wins.mean() / 2 / len(bad))


def interval(good: Floats, bad: Floats, times: int = 500) -> str:
    if min(len(good), len(bad)) < 2:
        return "-"
    rng = np.random.default_rng(0)
    drawn = [auc(rng.choice(good, len(good)), rng.choice(bad, len(bad))) for _ in range(times)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return f"{auc(good, bad):.3f} ({low:.3f} to {high:.3f})"


def row_of(name: str, samples: Sequence[Sample], reader: Reader) -> str:
    """One line of the table."""
    begun = time.perf_counter()
    found = scores(reader, samples)
    pace = len(samples) / (time.perf_counter() - begun)
    labels = np.array([one.label for one in samples])
    good, nothing = labels == "supported", labels == NOTHING
    cells = [
        interval(found["support"][good], found["support"][~good & ~nothing]),
        interval(found["less"][good], found["less"][labels == DENIED]),
        interval(found["support"][good], found["support"][labels == ABSENT]),
        interval(found["nothing"][nothing], found["nothing"][~nothing]),
    ]
    if nothing.any():
        bar = np.quantile(found["nothing"][~nothing], 1 - LOST)
        cells[-1] += f", finds {np.mean(found['nothing'][nothing] > bar):.3f}"
    return f"| {name} | {len(samples)} | {' | '.join(cells)} | {pace:.1f} |"


def drawn(samples: Sequence[Sample], most: int) -> Sequence[Sample]:
    if not most or len(samples) <= most:
        return samples
    places = np.random.default_rng(0).choice(len(samples), most, replace=False)
    return [samples[place] for place in sorted(places)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reader", type=Path, default=SHIPPED)
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("GATE_SHARED", "../shared")))
    parser.add_argument("--most", type=int, default=400, help="rows of a set, drawn with a fixed seed; 0: all")
    parser.add_argument("--only", nargs="+", choices=("context", *PUBLIC), default=["context", *PUBLIC])
    options = parser.parse_args()
    reader = Reader(options.reader)
    print("| set | n | all | denied | absent | no claim | a second |\n| --- |" + " ---: |" * 6)
    for name in options.only:
        data = options.shared / "data"
        samples = in_context(data / "context") if name == "context" else public(data / f"judge/{name}.jsonl.gz")
        print(row_of(name, drawn(samples, options.most), reader), flush=True)


if __name__ == "__main__":
    main()
