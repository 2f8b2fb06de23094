"""The judge on documents of one page, with claims as somebody who tries it writes them: half of them plainly wrong.

python benchmarks/pages.py [FOLDER ...]     # default: benchmarks/one_page, which nothing was fitted on

A folder holds `docs` and `claims.jsonl` (id, source, claim, label, kind, quote); each page has an index of its own.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from running import ROOT

sys.path.insert(0, str(ROOT))

from gate.agents.retrieve_evidence import retrieve_evidence
from gate.judges.local import LocalJudge
from gate.judges.reader import Reader
from gate.providers.local_embedder import LocalEmbedder
from gate.records import Claim, Item, Label
from gate.store.embedded import open_for_writing
from ingest.chunk import chunk
from ingest.formats import read_blocks

LABELS = {"supported": "supported", "contradicted": "contradicted", "not_in_docs": "absent", "partial": "partial"}
GIVEN = (Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED)


class Sample(NamedTuple):
    """A labelled claim with the evidence that an index of its page alone holds."""

    item: Item
    label: str


def about(folder: Path, embedder: LocalEmbedder) -> list[Sample]:
    """The claims of one folder."""
    rows = [json.loads(line) for line in (folder / "claims.jsonl").read_text(encoding="utf-8").splitlines()]
    found: list[Sample] = []
    for page in sorted((folder / "docs").glob("*.md")):
        own = {f"{folder.name}:{row['id']}": row for row in rows if row["source"] == page.name}
        claims = [Claim(name, name, name, row["claim"], 0, len(row["claim"])) for name, row in own.items()]
        with tempfile.TemporaryDirectory() as scratch:
            store = open_for_writing(Path(scratch) / "index.sqlite", embedder)
            store.replace(page.name, page.name, chunk(read_blocks(page.name, page.read_bytes()), page.name))
            state: Any = {"prompts": (), "claims": claims, "tools": SimpleNamespace(store=store)}
            retrieve_evidence(state)
            store.close()
        evidence = state["evidence"]
        found += [Sample(Item(one, tuple(evidence[one.id])), LABELS[own[one.id]["label"]]) for one in claims]
    return found


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
