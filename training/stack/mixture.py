"""What the stack is fitted on: written answers, lightly changed sentences of documents, written claims."""

from __future__ import annotations

import json
import random
from pathlib import Path

from gate.text import sentences
from training import rules
from training.stack.cases import cases
from training.stack.corpus import Sample, Search, corpus_of, item, passages, rows, searched
from training.stack.pages import pages

ANSWERS = tuple(Path(__file__).with_name(name) for name in ("answers.tsv", "spoken.tsv"))
MANUALS = tuple(sorted(Path(__file__).parent.glob("manual*")))
GUIDES = tuple(sorted(Path(__file__).parent.glob("guide_*")))
MIXED = Path(__file__).parents[1] / "data" / "written_mixed.jsonl"
WRITTEN = (
    "docs_sqlite", "docs_postgresql", "docs_python", "docs_rust", "policy_finance", "policy_public", "policy_saas",
    "policy_terms",
)  # fmt: skip
_LABELS = {"S": "supported", "C": "contradicted", "P": "partial", "N": "absent"}


def corpora() -> dict[str, tuple[Search, dict[str, str]]]:
    """For every written file the search over its passages and the text behind each passage id."""
    return {name: corpus_of(rows(f"{name}.train")) for name in WRITTEN}


def mixed() -> list[Sample]:
    """The claims that the project wrote for its reader, searched among their own passages."""
    lines = MIXED.read_text(encoding="utf-8").splitlines()
    return searched("written_mixed", [json.loads(line) for line in lines])


def answers(searches: dict[str, tuple[Search, dict[str, str]]], k: int = 8) -> list[Sample]:
    """Claims as a chat answer makes them, written over passages of the training files."""
    found = []
    lines = [line for path in ANSWERS for line in path.read_text(encoding="utf-8").splitlines()]
    for i, line in enumerate(lines):
        place, label, claim = line.split("\t")
        name = place.split(":")[0]
        got = item(f"answer-{i}", claim, searches[name][0].best(claim, k))
        found.append(Sample(got, _LABELS[label], place, "answers"))
    return found


def every_answer(searches: dict[str, tuple[Search, dict[str, str]]]) -> list[Sample]:
    """All claims as answers make them: what the judge's last weights and its thresholds are chosen on."""
    return answers(searches) + manuals() + guides() + cases() + pages()


def manuals(k: int = 8) -> list[Sample]:
    """Claims about invented manuals in Markdown, each with a search of its own: lists, tables and code beside prose."""
    return [sample for folder in MANUALS for sample in _about(folder, k)]


def guides(k: int = 8) -> list[Sample]:
    """Claims as assistants make them, about longer invented guides of which the reader has seen nothing."""
    return [sample for folder in GUIDES for sample in _about(folder, k)]


def _about(folder: Path, k: int) -> list[Sample]:
    """The labelled claims about the pages of a folder."""
    pages = sorted(folder.glob("*.md"))
    search = Search([p for page in pages for p in passages(page.name, page.read_text(encoding="utf-8"))])
    found = []
    for i, line in enumerate((folder / "claims.tsv").read_text(encoding="utf-8").splitlines()):
        label, claim, *quote = line.split("\t")
        name = f"{folder.name}:{i}"
        found.append(Sample(item(name, claim, search.best(claim, k)), _LABELS[label], name, "answers", *quote))
    return found


def changed(
    searches: dict[str, tuple[Search, dict[str, str]]], seed: int = 7, each: int = 3, k: int = 8
) -> list[Sample]:
    """Sentences of the passages: nearly as they stand (supported), broken by rule (contradicted), and taken out of the
    evidence (absent)."""
    rng = random.Random(seed)
    found: list[Sample] = []
    for name, (search, texts) in searches.items():
        for pid, text in texts.items():
            own = [text[a:b] for a, b in sentences(text) if 6 <= len(text[a:b].split()) <= 40 and text[b - 1] in ".!"]
            for n, sentence in enumerate(rng.sample(own, min(each, len(own)))):
                group, key = f"{name}:{pid}", f"{name}-{pid}-{n}"
                said = rules.kept(sentence, rng)
                found.append(
                    Sample(item(f"{key}-kept", said, search.best(said, k)), "supported", group, "kept", sentence)
                )
                broken = rules.broken(rules.kept(sentence, rng) if rng.random() < 0.6 else sentence, own, rng)
                if broken and broken[1] != said:
                    got = item(f"{key}-broken", broken[1], search.best(broken[1], k))
                    found.append(Sample(got, "contradicted", group, "broken", broken[0]))
                barred = frozenset(i for i, p in enumerate(search.passages) if sentence in p.text)
                found.append(Sample(item(f"{key}-gone", said, search.best(said, k, barred)), "absent", group, "gone"))
    return found
