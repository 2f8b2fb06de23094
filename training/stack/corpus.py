"""The labelled claims of the judge data, with evidence found for them as a run would find it."""

from __future__ import annotations

import gzip
import json
import math
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate.records import Claim, Evidence, Item
from gate.text import sentences, stem, words
from gate.text_rows import header_of

DATA = Path(os.environ.get("GATE_DATA", "../shared/data"))


@dataclass(frozen=True, slots=True)
class Sample:
    """A labelled item: `label` is supported, partial, contradicted or absent; `group` what may not be split."""

    item: Item
    label: str
    group: str
    dataset: str
    quote: str = ""


def rows(name: str) -> list[dict[str, Any]]:
    """The lines of one file of the judge data, by its name without the ending."""
    with gzip.open(DATA / "judge" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def passages(source: str, text: str, limit: int = 90, step: int = 60) -> list[Evidence]:
    """`text` cut into overlapping runs of whole sentences of about `limit` words."""
    spans = sentences(text)
    sizes = [len(text[a:b].split()) for a, b in spans]
    found: list[Evidence] = []
    first = 0
    while first < len(spans):
        last, total = first, 0
        while last < len(spans) and (total == 0 or total + sizes[last] <= limit):
            total += sizes[last]
            last += 1
        start, end = spans[first][0], spans[last - 1][1]
        line = text.count("\n", 0, start) + 1
        found.append(
            Evidence(
                source,
                line,
                text[start:end],
                0.0,
                lines=tuple(range(line, line + text.count("\n", start, end) + 1)),
                header=header_of(text, start),
            )
        )
        if last >= len(spans):
            break
        moved, nxt = 0, first
        while nxt < last and (moved < step or nxt == first):
            moved += sizes[nxt]
            nxt += 1
        first = nxt
    return found


class Search:
    """BM25 (k1 1.2, b 0.75) over passages: what stands in for the store while features are fitted."""

    def __init__(self, found: Sequence[Evidence]) -> None:
        self.passages = list(found)
        self.lists: dict[str, list[tuple[int, int]]] = {}
        self.sizes: list[int] = []
        for i, passage in enumerate(self.passages):
            counts = Counter(stem(w) for w in words(passage.text))
            self.sizes.append(sum(counts.values()))
            for word, count in counts.items():
                self.lists.setdefault(word, []).append((i, count))
        self.mean = sum(self.sizes) / max(1, len(self.sizes))

    def best(self, query: str, k: int = 8, barred: frozenset[int] = frozenset()) -> tuple[Evidence, ...]:
        """The k best passages, best first."""
        scores: dict[int, float] = {}
        total = len(self.passages)
        for word in {stem(w) for w in words(query)}:
            hits = self.lists.get(word, ())
            idf = math.log(1 + (total - len(hits) + 0.5) / (len(hits) + 0.5))
            for i, count in hits:
                norm = 1.2 * (0.25 + 0.75 * self.sizes[i] / self.mean)
                scores[i] = scores.get(i, 0.0) + idf * count * 2.2 / (count + norm)
        ranked = sorted((i for i in scores if i not in barred), key=lambda i: (-scores[i], i))
        return tuple(self.passages[i] for i in ranked[:k])


def item(name: str, text: str, evidence: Iterable[Evidence]) -> Item:
    """A claim of its own with its evidence."""
    return Item(Claim(name, name, name, text, 0, len(text)), tuple(evidence))


LABELS = {"supported": "supported", "contradicted": "contradicted", "not_in_docs": "absent", "partial": "partial"}


def corpus_of(data: Sequence[dict[str, Any]]) -> tuple[Search, dict[str, str]]:
    """The search over all passages of a file, and the text behind each passage id."""
    texts: dict[str, tuple[str, str]] = {r["meta"]["pid"]: (r["meta"]["source"], r["evidence"]) for r in data}
    pieces = [piece for source, text in texts.values() for piece in passages(source, text)]
    return Search(pieces), {pid: text for pid, (_, text) in texts.items()}


def searched(name: str, data: Sequence[dict[str, Any]], k: int = 8) -> list[Sample]:
    """Claims over passages, their evidence searched among the passages of the whole file."""
    search, _ = corpus_of(data)
    return [
        Sample(
            item(r["id"], r["claim"], search.best(r["claim"], k)),
            LABELS[r["label4"]],
            f"{name}:{r['meta']['pid']}",
            name,
            r["quote"],
        )
        for r in data
    ]


def written(file: str, k: int = 8) -> list[Sample]:
    """docs_* and policy_*, by the file's name with its role."""
    return searched(file.split(".")[0], rows(file), k)


def public(name: str, k: int = 8) -> list[Sample]:
    """Public pairs: the evidence is the row's own text, cut into passages, the best k of them."""
    found = []
    for r in rows(name):
        label = (
            "supported"
            if r["label"] == 1
            else {"partial": "partial", "contradict": "contradicted"}.get(r.get("label3", ""), "unknown")
        )
        pieces = passages("page", r["evidence"])
        if len(pieces) > k:
            pieces = list(Search(pieces).best(r["claim"], k)) or pieces[:k]
        found.append(Sample(item(r["id"], r["claim"], pieces), label, f"{name}:{r['evidence'][:80]}", name))
    return found


def cases(path: Path | None = None, k: int = 8) -> list[Sample]:
    """Labelled answers (for measuring only): the evidence is searched among the documents beside them."""
    path = path or DATA / "cases" / "httpx.jsonl"
    docs = DATA / "docs" / path.stem
    pieces = [
        p for f in sorted(docs.rglob("*.md")) for p in passages(str(f.relative_to(docs)), f.read_text(encoding="utf-8"))
    ]
    search = Search(pieces)
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        answer = json.loads(line)
        for i, c in enumerate(answer["claims"]):
            got = item(f"{answer['id']}:{i}", c["claim"], search.best(c["claim"], k))
            found.append(Sample(got, LABELS[c["label"]], answer["id"], answer["variant"], c["quote"]))
    return found
