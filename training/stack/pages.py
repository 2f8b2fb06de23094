"""Documents of one page and claims of which half are plainly wrong, in its own words: what somebody tries first.

A folder `pages_*` has `docs` and `claims.jsonl` (id, source, claim, label, kind, quote). Wrong and right claims are
twins, alike in length and in nearness to the page. The reader has seen none of them.
"""

from __future__ import annotations

import json
from pathlib import Path

from gate.providers.local_embedder import LocalEmbedder
from gate.records import Claim, Item
from training.stack.cases import retrieved
from training.stack.corpus import LABELS, Sample

FOLDERS = tuple(sorted(Path(__file__).parent.glob("pages_*")))


def pages() -> list[Sample]:
    """The labelled claims of all pages."""
    embedder = LocalEmbedder()
    return [sample for folder in FOLDERS for sample in about(folder, embedder)]


def about(folder: Path, embedder: LocalEmbedder) -> list[Sample]:
    """The claims of one folder, each with the evidence that an index of its page alone holds; those about one page are
    a group."""
    rows = [json.loads(line) for line in (folder / "claims.jsonl").read_text(encoding="utf-8").splitlines()]
    found: list[Sample] = []
    for page in sorted((folder / "docs").glob("*.md")):
        own = {f"{folder.name}:{row['id']}": row for row in rows if row["source"] == page.name}
        claims = [Claim(name, name, name, row["claim"], 0, len(row["claim"])) for name, row in own.items()]
        evidence = retrieved([page], claims, (), embedder)
        for claim in claims:
            row, item = own[claim.id], Item(claim, tuple(evidence[claim.id]))
            found.append(Sample(item, LABELS[row["label"]], f"{folder.name}:{page.name}", "answers", row["quote"]))
    return found
