"""The judge on documents of one page, with claims as somebody who tries it writes them: half of them plainly wrong.

python benchmarks/pages.py [FOLDER ...]     # default: benchmarks/one_page, which nothing was fitted on

A folder holds `docs` and `claims.jsonl` (id, source, claim, label, kind, quote); each page has an index of its own.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from running import ROOT

sys.path.insert(0, str(ROOT))

from gate.judges.local import LocalJudge
from gate.judges.reader import Reader
from gate.providers.local_embedder import LocalEmbedder
from gate.records import Label
from training.stack.pages import about

GIVEN = (Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED)


def table(folder: Path, embedder: LocalEmbedder, reader: Reader) -> str:
    """What the claims of each label were called; of the contradicted ones, what was passed, by kind of error."""
    samples = about(folder, embedder)
    verdicts = LocalJudge(embedder, reader=reader).judge([sample.item for sample in samples])
    called = Counter((sample.label, verdict.label) for sample, verdict in zip(samples, verdicts, strict=True))
    lines = [f"{folder.name}: {len(samples)} claims", "| they are | " + " | ".join(GIVEN) + " |"]
    lines.append("| --- |" + " --- |" * len(GIVEN))
    for label in ("supported", "contradicted", "absent"):
        number = sum(called[label, given] for given in GIVEN)
        lines.append(f"| {label} | " + " | ".join(f"{called[label, given] / number:.3f}" for given in GIVEN) + " |")
    passed = {v.claim.id.rpartition(":")[2] for v in verdicts if v.label is Label.SUPPORTED}
    return "\n".join([*lines, "contradicted and supported all the same: " + kinds(folder, passed)])


def kinds(folder: Path, passed: set[str]) -> str:
    """`kind passed/all` for each kind of error."""
    rows = [json.loads(line) for line in (folder / "claims.jsonl").read_text(encoding="utf-8").splitlines()]
    wrong = [row for row in rows if row["label"] == "contradicted"]
    every = Counter(row["kind"] for row in wrong)
    some = Counter(row["kind"] for row in wrong if row["id"] in passed)
    return ", ".join(f"{kind} {some[kind]}/{number}" for kind, number in every.most_common())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=[ROOT / "benchmarks/one_page"])
    embedder, reader = LocalEmbedder(), Reader()
    for folder in parser.parse_args().folders:
        print(table(folder, embedder, reader), flush=True)


if __name__ == "__main__":
    main()
