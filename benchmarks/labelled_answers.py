"""Every answer of the project that people labelled, in groups that share their documents.

An answer is `right` (all of it is borne out), `wrong` (some of it is denied or absent), or `none` (it states nothing).
Labelled claims without an answer (guides, manuals, pages) count as answers of one sentence.
"""

from __future__ import annotations

import base64
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from running import ROOT, Done, gate

sys.path.insert(0, str(ROOT))

from training.data import MEASURED, compose, load_documents, markdown

CASES = "*/cases.jsonl"
STACK = ROOT / "training" / "stack"
BY_GROUP = ("field", "one_page", "pages")  # sets of many small groups: whole groups are left out, not answers
CONFIG = """use_case: labelled answers
doc_sources: [docs]
evaluation: {source: recorded}
model: {provider: replay, path: answers.jsonl}
judge: {provider: local}
"""
CLAIMS = {"S": "supported", "C": "contradicted", "N": "not_in_docs", "P": "partial"}


@dataclass(frozen=True, slots=True)
class Labelled:
    """An answer with what it deserves; `kind` is what its set tells apart (a variant, the kind of error)."""

    id: str
    question: str
    answer: str
    truth: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Answers about the same documents (bytes by file name); `extra` is added to the configuration."""

    set: str
    name: str
    docs: Mapping[str, bytes]
    answers: tuple[Labelled, ...]
    extra: str = ""


def load_groups(shared: Path) -> list[Group]:
    """All groups, set by set. A set whose files are not there is left out."""
    httpx = shared / "data/cases/httpx.jsonl"
    return [
        *(_cases("answers", path, path.parent / "docs") for path in _sorted(ROOT / "benchmarks/answers", CASES)),
        *([_cases("httpx", httpx, shared / "data/docs/httpx")] if httpx.is_file() else []),
        *_pages("one_page", ROOT / "benchmarks/one_page"),
        *_field(shared),
        *_written(),
        *(_cases("stack_cases", path, path.parent / "docs") for path in _sorted(STACK, CASES)),
        *(_claims("guides", path) for path in _sorted(STACK, "guide_*/claims.tsv")),
        *(_claims("manuals", path) for path in _sorted(STACK, "manual*/claims.tsv")),
        *(group for folder in _sorted(STACK, "pages_*/") for group in _pages("pages", folder)),
    ]


def judged(group: Group, folder: Path, program: Path | None = None) -> tuple[Done, dict[str, Any]]:
    """The run over the answers of a group in an empty folder, and its verdict (empty where the gate gives none).
    `program`: as in running.gate."""
    for file, content in group.docs.items():
        (folder / "docs" / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / "docs" / file).write_bytes(content)
    rows = [{"id": one.id, "question": one.question, "answer": one.answer} for one in group.answers]
    (folder / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "gate.yaml").write_text(CONFIG + group.extra, encoding="utf-8")
    gate(folder, "ingest", "-c", "gate.yaml", program=program)
    done, path = gate(folder, "run", "-c", "gate.yaml", "-o", "verdict.json", program=program), folder / "verdict.json"
    return done, json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def sampled(groups: Iterable[Group], every: int) -> list[Group]:
    """Every n-th answer of each kind of one set, or every n-th group where groups are small."""
    groups = list(groups)
    if groups and groups[0].set in BY_GROUP:
        return groups[::every]
    seen = Counter[str]()
    kept = []
    for group in groups:
        own = []
        for answer in group.answers:
            own += [answer] * (seen[answer.kind] % every == 0)
            seen[answer.kind] += 1
        kept += [replace(group, answers=tuple(own))] * bool(own)
    return kept


def _sorted(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.glob(pattern))


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def _cases(name: str, path: Path, docs: Path) -> Group:
    answers = []
    for row in _rows(path):
        labels = {claim["label"] for claim in row["claims"]}
        truth = "none" if not labels else "right" if labels == {"supported"} else "wrong"
        answers.append(Labelled(row["id"], row["question"], row["answer"], truth, row["variant"]))
    return Group(name, path.parent.name, _files(docs), tuple(answers))


def _claims(name: str, path: Path) -> Group:
    question = f"What should I know about this {path.parent.name.split('_')[-1]}?"
    answers = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        label, claim = line.split("\t")[:2]
        truth = "right" if label == "S" else "wrong"
        answers.append(Labelled(f"{path.parent.name}-{number:03d}", question, claim, truth, CLAIMS[label]))
    docs = {page.name: page.read_bytes() for page in sorted(path.parent.glob("*.md"))}
    return Group(name, path.parent.name, docs, tuple(answers))


def _pages(name: str, folder: Path) -> Iterator[Group]:
    """Each page is a group: somebody who tries the gate has one page."""
    about = defaultdict(list)
    for row in _rows(folder / "claims.jsonl"):
        about[row["source"]].append(row)
    for page, rows in about.items():
        question = f"What should I know about {page.removesuffix('.md').partition('-')[2].replace('-', ' ')}?"
        answers = [
            Labelled(
                f"{folder.name}-{row['id']}",
                question,
                row["claim"],
                "right" if row["label"] == "supported" else "wrong",
                row["kind"],
            )
            for row in rows
        ]
        yield Group(name, f"{folder.name}/{page}", {page: (folder / "docs" / page).read_bytes()}, tuple(answers))


def _field(shared: Path) -> Iterator[Group]:
    path = shared / "data/field/cases.jsonl"
    for row in _rows(path) if path.is_file() else ():
        docs = {name: _content(shared, text) for name, text in row["docs"].items()}
        answers = tuple(
            Labelled(f"{row['name']}-{number:02d}", one["question"], one["answer"], one["truth"], row["kind"])
            for number, one in enumerate(row["answers"])
            if one["truth"] in ("right", "wrong", "none")
        )
        yield Group("field", row["name"], docs, answers, row.get("extra", ""))


def _content(shared: Path, text: str | Mapping[str, str]) -> bytes:
    if isinstance(text, str):
        return text.encode()
    return base64.b64decode(text["base64"]) if "base64" in text else (shared / text["shared"]).read_bytes()


def _written() -> Iterator[Group]:
    """The answers about passages of real documentation that are kept for development; all these passages are one
    corpus."""
    documents = [one for one in load_documents() if one.subject in MEASURED]
    found = []
    for document in (one for one in documents if one.dev):
        for question, answers in document.questions:
            for units in answers:
                labels = {unit.letter for unit in units}
                truth = "wrong" if labels & set("CPN") else "right" if "S" in labels else "none"
                text, _ = compose([unit.text for unit in units])
                found.append(Labelled(f"{document.id}-{len(found):04d}", question, text, truth))
    docs = {f"{one.id}.md": markdown(one.lines).encode() for one in documents}
    yield Group("context", "sites", docs, tuple(found))
