"""Labelled answers about documents, with the evidence that a run finds for them: what the judge is for in practice.

A folder `case_*` has `docs` and `cases.jsonl`, in the form of the labelled cases of benchmarks/cases.py. The reader has
seen none of it.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from gate.agents.retrieve_evidence import retrieve_evidence
from gate.claims.local import LocalExtractor
from gate.providers.local_embedder import LocalEmbedder
from gate.records import Claim, Evidence, Item, Prompt
from gate.store.embedded import open_for_writing
from ingest.chunk import chunk
from ingest.formats import read_blocks
from training.stack.corpus import LABELS, Sample

FOLDERS = tuple(sorted(Path(__file__).parent.glob("case_*")))


def cases() -> list[Sample]:
    """The labelled claims of all answers, and what is extracted from the faithful ones, which is all supported. The
    answers to one question are a group."""
    embedder = LocalEmbedder()
    return [sample for folder in FOLDERS for sample in about(folder, embedder)]


def about(folder: Path, embedder: LocalEmbedder) -> list[Sample]:
    """The claims of one folder, each text once."""
    lines = (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    said = {claim[0].text: claim for line in lines for claim in _claims(folder.name, json.loads(line))}
    evidence = retrieved(
        sorted((folder / "docs").glob("*.md")),
        [claim for claim, *_ in said.values()],
        [Prompt(claim.prompt_id, group.partition(":")[2]) for claim, _, group, _ in said.values()],
        embedder,
    )
    return [
        Sample(Item(claim, tuple(evidence[claim.id])), label, group, "answers", quote)
        for claim, label, group, quote in said.values()
    ]


def _claims(name: str, case: dict[str, Any]) -> Iterator[tuple[Claim, str, str, str]]:
    """Claim, label, group and quote of what one answer says."""
    told: Sequence[tuple[str, str, str]] = [(c["claim"], LABELS[c["label"]], c["quote"]) for c in case["claims"]]
    if case["variant"] == "faithful":
        taken = LocalExtractor().extract(case["answer"], case["question"])
        told = [*told, *((one.text, "supported", "") for one in taken)]
    for n, (text, label, quote) in enumerate(told):
        key = f"{name}:{case['id']}:{n}"
        yield Claim(key, key, key, text, 0, len(text)), label, f"{name}:{case['question']}", quote


def retrieved(
    pages: Sequence[Path], claims: Sequence[Claim], prompts: Sequence[Prompt], embedder: LocalEmbedder
) -> dict[str, Sequence[Evidence]]:
    """By the id of each claim what a run finds for it in an index of these pages."""
    with tempfile.TemporaryDirectory() as scratch:
        store = open_for_writing(Path(scratch) / "index.sqlite", embedder)
        for page in pages:
            store.replace(page.name, page.name, chunk(read_blocks(page.name, page.read_bytes()), page.name))
        state: Any = {"prompts": prompts, "claims": claims, "tools": SimpleNamespace(store=store)}
        retrieve_evidence(state)
        store.close()
    return dict(state["evidence"])
