"""The training data: claims and units written over passages (`training/data`), and rows of public sets.

`training/data/manifest.json` names the files. A line of a file is one passage with all that was written about it, so
that every passage is stored once: `claims` (single claims), or `questions` (questions with alternative answers, each a
list of labelled units).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SUPPORTED, CONTRADICTED, NEITHER, NO_CLAIM = range(4)
Target = tuple[int, ...]
# Subjects over whole sites: their passages kept for development are left to the benchmarks.
MEASURED = frozenset(
    ("prometheus", "helm", "influxdb", "fastapi-and-click", "18f-guides", "digital-gov", "govuk-design-system",
     "etcd-and-hugo")
)  # fmt: skip
# What needs a small inference. No reader tells these apart yet (benchmarks/results/training.md), so the line is not
# fitted on them, where they would only move its bars, and they are measured by themselves.
INFERENCES = "inferences"
# Questions that sound like those, and that the documents answer outright.
DIRECT = "direct-answers"
FOLDER = Path(__file__).parent / "data"
SHARED = Path("../shared/data/judge")
DEV_IN = 12  # one passage in so many is kept for development
_BY_NAME: dict[str, Target] = {
    "supported": (SUPPORTED,), "entail": (SUPPORTED,), "contradicted": (CONTRADICTED,), "contradict": (CONTRADICTED,),
    "not_in_docs": (NEITHER,), "neither": (NEITHER,), "neutral": (NEITHER,), "partial": (NEITHER,),
    "not": (CONTRADICTED, NEITHER),
}  # fmt: skip
_BY_LETTER: dict[str, Target] = {
    "S": (SUPPORTED,), "C": (CONTRADICTED,), "P": (NEITHER,), "N": (NEITHER,), "X": (NO_CLAIM,),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One claim and its evidence; `target` holds the classes that the label allows (the loss sums over them)."""

    dataset: str
    claim: str
    evidence: str
    target: Target
    name: str = ""
    quote: str = ""
    group: str = ""

    @property
    def supported(self) -> bool:
        """Whether the evidence bears the claim out."""
        return self.target == (SUPPORTED,)


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, item or row of an answer, as written; `lines` of the passage (from 1) decide its label."""

    letter: str
    lines: tuple[int, ...]
    text: str

    @property
    def target(self) -> Target:
        """The classes that the label allows."""
        return _BY_LETTER[self.letter]


@dataclass(frozen=True, slots=True)
class Document:
    """A passage, line by line, and the questions about it, each with its alternative answers. In a conversation, what
    the user said before stands in a second line of the question, as the product shows it."""

    id: str
    subject: str
    pages: str  # real or invented
    lines: tuple[str, ...]
    questions: tuple[tuple[str, tuple[tuple[Unit, ...], ...]], ...]

    @property
    def dev(self) -> bool:
        """Whether it is kept for development."""
        return is_dev(self.id)


def is_dev(passage: str) -> bool:
    """Whether the passage with this id is kept for development: one in DEV_IN."""
    return int(hashlib.sha1(passage.encode(), usedforsecurity=False).hexdigest(), 16) % DEV_IN == 0


def load_lines(path: Path) -> list[dict[str, Any]]:
    """The JSON objects of a .jsonl or .jsonl.gz file. Errors: OSError, ValueError."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def load_manifest(folder: Path = FOLDER) -> list[dict[str, Any]]:
    """What the manifest says of each file; nothing where there is none. Errors: OSError, ValueError."""
    path = folder / "manifest.json"
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["files"] if path.is_file() else []
    return found


def load_claims(folder: Path = FOLDER) -> list[Row]:
    """The claims written over passages."""
    return [
        Row(
            f"written_{entry['subject']}",
            one["claim"],
            passage["text"],
            _BY_NAME[one["label"]],
            one["label"],
            one.get("quote", ""),
            passage["id"],
        )
        for entry in load_manifest(folder)
        if entry["holds"] == "claims"
        for passage in load_lines(folder / entry["file"])
        for one in passage["claims"]
    ]


def load_documents(folder: Path = FOLDER) -> list[Document]:
    """The passages with questions and answers."""
    return [
        Document(raw["id"], entry["subject"], raw["pages"], tuple(raw["lines"]), tuple(_questions(raw)))
        for entry in load_manifest(folder)
        if entry["holds"] == "units"
        for raw in load_lines(folder / entry["file"])
    ]


def _questions(raw: dict[str, Any]) -> Iterator[tuple[str, tuple[tuple[Unit, ...], ...]]]:
    for one in raw["questions"]:
        answers = tuple(tuple(Unit(label, tuple(at), text) for label, at, text in answer) for answer in one["answers"])
        before = [said for role, said in one.get("earlier", ()) if role == "user"]
        yield "\n".join([one["question"], *before[-1:]]), answers


def parse_row(raw: dict[str, Any]) -> Row:
    """A row of a public set. Errors: KeyError where it is not a labelled pair."""
    meta = raw.get("meta") or {}
    name = str(raw.get("label4") or raw.get("label3") or "")
    dataset = str(raw["dataset"])
    target = (SUPPORTED,) if raw["label"] else _BY_NAME.get(name, (CONTRADICTED, NEITHER))
    if not raw["label"] and dataset in _ONLY:
        target = (_ONLY[dataset],)
    return Row(
        dataset,
        str(raw["claim"]).strip(),
        str(raw["evidence"]).strip(),
        target,
        name,
        str(raw.get("quote") or "").strip(),
        str(meta.get("pid") or meta.get("group") or raw["id"]),
    )


# What a row that is not supported can only be: one copy holds claims with gold evidence alone, the other those without.
_ONLY = {"fever_dev": CONTRADICTED, "fever_nei": NEITHER}


def load_public(folder: Path = SHARED, role: str = "train") -> list[Row]:
    """All rows of a role (train, dev, test) below `folder`; none where the folder is not there."""
    return [parse_row(raw) for path in sorted(folder.glob(f"*.{role}*.jsonl.gz")) for raw in load_lines(path)]


_OWN_LINE = re.compile(r"(?:[-*|#]|\d+[.)]) ?")  # a list item, a table row, a heading
_ENDED = re.compile(r"[.!?:;,…–—][\"'”’)*_`]*$")


def compose(units: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """An answer as an assistant sends it, and the span of each of its units: sentences in a paragraph, items and rows
    on lines of their own, what has no full stop as a paragraph."""
    text, spans, own, last = "", list[tuple[int, int]](), False, False
    for unit in units:
        alone = _OWN_LINE.match(unit) is not None
        text += "" if not text else "\n" if alone and last else "\n\n" if alone or own else " "
        spans.append((len(text), len(text) + len(unit)))
        text, last, own = text + unit, alone, alone or _ENDED.search(unit) is None
    return text, spans


def markdown(lines: Sequence[str]) -> str:
    """The lines of a passage as a Markdown page: each a paragraph, but items and rows together."""
    return "\n".join(line if line.startswith(("|", "- ")) else f"{line}\n" for line in lines if line) + "\n"
