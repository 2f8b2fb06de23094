"""Questions without a model: equal documents and seeds give equal prompts, spread over documents and categories."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import PurePosixPath

from gate.generation.templates import clean, questions_about
from gate.records import Category, Chunk, Prompt
from gate.text import sentences

_HEADING = re.compile(r"^#{1,6}[ \t]+(\S[^\n]{0,100})$", re.MULTILINE)
_NOT_ASKED = frozenset(
    {"changelog", "license", "contributing", "index", "table of contents", "see also", "introduction"}
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question that could be asked, with the sentence that it comes from."""

    category: Category
    question: str
    source: str
    line: int
    reference: str


def candidates(chunk: Chunk) -> Iterator[Candidate]:
    """Everything that can be asked about a chunk, in the order of its sentences."""
    headings = [(match.start(), match.end(), clean(match.group(1))) for match in _HEADING.finditer(chunk.text)]
    for start, end in sentences(chunk.text):
        before = [heading for heading in headings if heading[0] <= start]
        topic = before[-1][2] if before else _topic(chunk)
        if topic.lower() in _NOT_ASKED or (before and start < before[-1][1]):
            continue
        sentence = chunk.text[start:end]
        line = chunk.lines[chunk.text.count("\n", 0, start)]
        for category, question in questions_about(sentence, topic):
            yield Candidate(category, question, chunk.source, line, sentence.strip())


def generate(chunks: Iterable[Chunk], number: int, categories: Sequence[Category], seed: int) -> list[Prompt]:
    """At most `number` prompts: categories take turns, and within a category the documents do.

    Deterministic in (chunks, number, categories, seed); no question twice (compared without case and punctuation).
    """
    pools = _pools(chunks, categories, seed)
    seen: set[str] = set()
    prompts: list[Prompt] = []
    turns = {category: _round_robin(pools[category], seed) for category in categories}
    live = list(categories)
    for category in cycle(categories):
        if len(prompts) >= number or not live:
            break
        if category not in live:
            continue
        candidate = next((c for c in turns[category] if same(c.question) not in seen), None)
        if candidate is None:
            live.remove(category)
            continue
        seen.add(same(candidate.question))
        prompts.append(_prompt(candidate))
    return prompts


def _pools(
    chunks: Iterable[Chunk], categories: Sequence[Category], seed: int
) -> dict[Category, dict[str, list[Candidate]]]:
    """category -> source -> its candidates, shuffled by the seed alone."""
    pools: dict[Category, dict[str, list[Candidate]]] = {category: {} for category in categories}
    for chunk in chunks:
        for candidate in candidates(chunk):
            if candidate.category in pools:
                pools[candidate.category].setdefault(candidate.source, []).append(candidate)
    for category, by_source in pools.items():
        for source, found in by_source.items():
            random.Random(f"{seed}:{category}:{source}").shuffle(found)  # noqa: S311 - a sample, not a secret
    return pools


def _round_robin(by_source: dict[str, list[Candidate]], seed: int) -> Iterator[Candidate]:
    """One from each document in turn, the documents in an order that the seed gives."""
    sources = sorted(by_source)
    random.Random(seed).shuffle(sources)  # noqa: S311 - a sample, not a secret
    queues = [iter(by_source[source]) for source in sources]
    while queues:
        rest = []
        for queue in queues:
            candidate = next(queue, None)
            if candidate is not None:
                yield candidate
                rest.append(queue)
        queues = rest


def _prompt(candidate: Candidate) -> Prompt:
    name = hashlib.sha256(f"{candidate.source}\n{candidate.question}".encode()).hexdigest()[:12]
    return Prompt(
        id=f"g-{name}",
        question=candidate.question,
        category=candidate.category,
        reference=candidate.reference,
        source=candidate.source,
        line=candidate.line,
    )


def same(question: str) -> str:
    """What two questions have in common that differ only in case, blanks and punctuation."""
    return "".join(char for char in question.casefold() if char.isalnum())


def _topic(chunk: Chunk) -> str:
    """The innermost heading, or the file's name in words."""
    heading = chunk.heading.split(" > ")[-1].strip()
    return heading or PurePosixPath(chunk.source).stem.replace("_", " ").replace("-", " ")
