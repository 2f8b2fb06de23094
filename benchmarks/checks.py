"""What each exact check catches of the wrong units of written answers, and how often it doubts right ones.

python benchmarks/checks.py [--split train] [--show amount] [--every N]

The units are those of training/data: S (borne out), C (denied), P (part of it absent), N (absent). A unit's windows are
those that the judge would read, and the passages are its whole passage. `caught` counts C, P and N; `doubted` counts S.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from running import ROOT

sys.path.insert(0, str(ROOT))

from gate.judges.base import Finding
from gate.judges.checks import check_identifiers, check_quantities
from gate.judges.windows import best_windows
from training.data import FOLDER, Document, load_documents
from training.pairs import laid_out, shown_unit

CHECKS = {"amount": check_quantities, "identifier": check_identifiers}
WINDOWS = 5  # that the judge reads
BEFORE = 2  # units before one that belong to its context


def findings(document: Document) -> Iterator[tuple[str, str, str, dict[str, tuple[Finding, ...]]]]:
    """(label, claim, context, findings by check) of every unit that states something."""
    shown, _ = laid_out(document.lines)
    passages = ["\n".join(piece.text for piece in shown)]
    for question, answers in document.questions:
        for units in answers:
            for at, unit in enumerate(units):
                if unit.letter != "X":
                    claim, context = shown_unit(units, at, question, BEFORE)
                    windows = [one.text for one in best_windows(claim, context, shown, WINDOWS)]
                    found = {name: check(claim, context, windows, passages) for name, check in CHECKS.items()}
                    yield unit.letter, claim, context, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=FOLDER)
    parser.add_argument("--split", choices=("dev", "train", "all"), default="dev")
    parser.add_argument("--every", type=int, default=1, help="of the passages, every n-th")
    parser.add_argument("--show", choices=(*CHECKS, "none"), default="none", help="list the units that a check doubts")
    parser.add_argument("--labels", default="S", help="of which labels to list the units")
    options = parser.parse_args()
    counts, totals, begun = Counter[tuple[str, str]](), Counter[str](), time.monotonic()
    documents = [one for one in load_documents(options.data) if options.split in ("all", "dev" if one.dev else "train")]
    for document in documents[:: options.every]:
        for label, claim, context, seen in findings(document):
            totals[label] += 1
            for name, found in seen.items():
                denied = any(finding.denied for finding in found)
                counts.update({(name, label): bool(found), (f"{name} denied", label): denied})
                if found and name == options.show and label in options.labels:
                    told = "; ".join(f"{f.said!r} {'<> ' + repr(f.found[0]) if f.found else 'missing'}" for f in found)
                    print(f"{label} {document.id} [{context}] {claim}\n    {told}")
    print(f"{'check':20}{'caught':>8}{'C':>8}{'P':>8}{'N':>8}{'doubted':>9}")
    wrong = sum(totals[label] for label in "CPN")
    for name in (shown for check in CHECKS for shown in (check, f"{check} denied")):
        rates = [counts[name, label] / max(1, totals[label]) for label in "CPN"]
        caught = sum(counts[name, label] for label in "CPN") / max(1, wrong)
        print(f"{name:20}" + "".join(f"{100 * rate:7.2f}%" for rate in (caught, *rates)), end="")
        print(f"{100 * counts[name, 'S'] / max(1, totals['S']):8.2f}%")
    print(f"units: {dict(totals)}; {1e3 * (time.monotonic() - begun) / max(1, sum(totals.values())):.2f} ms each")


if __name__ == "__main__":
    main()
