"""Labelled claim / evidence rows: reading the judge data and giving every label its allowed classes."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SUPPORTED, CONTRADICTED, NEITHER = 0, 1, 2
Target = tuple[int, ...]

_BY_NAME: dict[str, Target] = {
    "supported": (SUPPORTED,),
    "entail": (SUPPORTED,),
    "contradicted": (CONTRADICTED,),
    "contradict": (CONTRADICTED,),
    "not_in_docs": (NEITHER,),
    "neutral": (NEITHER,),
    "partial": (NEITHER,),
    "not": (CONTRADICTED, NEITHER),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled pair; `target` holds the classes that the label allows (more than one: the loss sums over them)."""

    id: str
    dataset: str
    claim: str
    evidence: str
    label: int
    target: Target
    name: str
    kind: str
    quote: str
    group: str


def parse(line: str) -> Row:
    """Make a Row of one JSON line. Raises KeyError or ValueError where the line is not a labelled pair."""
    raw = json.loads(line)
    meta = raw.get("meta") or {}
    name = str(raw.get("label4") or raw.get("label3") or "")
    target = _BY_NAME.get(name) or ((SUPPORTED,) if raw["label"] else (CONTRADICTED, NEITHER))
    if raw["dataset"] == "fever_dev" and not raw["label"]:
        target = (CONTRADICTED,)  # only claims with gold evidence are in this copy, so a 0 is a refuted claim
    return Row(
        id=str(raw["id"]),
        dataset=str(raw["dataset"]),
        claim=str(raw["claim"]).strip(),
        evidence=str(raw["evidence"]).strip(),
        label=int(raw["label"]),
        target=target,
        name=name,
        kind=str(raw.get("kind") or ""),
        quote=str(raw.get("quote") or "").strip(),
        group=str(meta.get("pid") or meta.get("group") or raw["id"]),
    )


def read(path: Path) -> list[Row]:
    """Read a .jsonl or .jsonl.gz file of labelled pairs."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [parse(line) for line in lines if line.strip()]


def files(data: Path, role: str) -> Iterator[Path]:
    """Yield the files of a role (train, dev, test); for train also this package's own written claims."""
    yield from sorted(data.glob(f"*.{role}*.jsonl.gz"))
    if role == "train":
        yield from sorted((Path(__file__).parent / "data").glob("written_*.jsonl*"))


def load(data: Path, role: str) -> list[Row]:
    """Read all rows of a role."""
    return [row for path in files(data, role) for row in read(path)]
