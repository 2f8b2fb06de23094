"""Documents of one page and claims of which half are plainly wrong, in its own words: what somebody tries first.

A folder `pages_*` has `docs` and `claims.jsonl` (id, source, claim, label, kind, quote). Wrong and right claims are
twins, alike in length and in nearness to the page. They are for measuring: neither the reader nor the stack has seen
any (what they would bring the stack is told in benchmarks/README.md).
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from gate.agents.retrieve_evidence import retrieve_evidence
from gate.providers.local_embedder import LocalEmbedder
from gate.records import Claim, Item
from gate.store.embedded import open_for_writing
from ingest.chunk import chunk
from ingest.formats import read_blocks
from training.stack.corpus import LABELS, Sample

FOLDERS = tuple(sorted(Path(__file__).parent.glob("pages_*")))


def about(folder: Path, embedder: LocalEmbedder) -> list[Sample]:
    """The claims of one folder, each with the evidence that an index of its page alone holds; those about one page are
    a group."""
    rows = [json.loads(line) for line in (folder / "claims.jsonl").read_text(encoding="utf-8").splitlines()]
    found: list[Sample] = []
    for page in sorted((folder / "docs").glob("*.md")):
        own = [row for row in rows if row["source"] == page.name]
        items = _sought(page, [f"{folder.name}:{row['id']}" for row in own], [row["claim"] for row in own], embedder)
        group = f"{folder.name}:{page.name}"
        found += [
            Sample(item, LABELS[row["label"]], group, "answers", row["quote"])
            for item, row in zip(items, own, strict=True)
        ]
    return found


def _sought(page: Path, names: Sequence[str], texts: Sequence[str], embedder: LocalEmbedder) -> list[Item]:
    with tempfile.TemporaryDirectory() as scratch:
        store = open_for_writing(Path(scratch) / "index.sqlite", embedder)
        store.replace(page.name, page.name, chunk(read_blocks(page.name, page.read_bytes()), page.name))
        claims = [Claim(name, name, name, text, 0, len(text)) for name, text in zip(names, texts, strict=True)]
        state: Any = {"claims": claims, "tools": SimpleNamespace(store=store)}
        retrieve_evidence(state)
        store.close()
    return [Item(claim, state["evidence"][claim.id]) for claim in claims]
