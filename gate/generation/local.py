"""Questions without a model: equal documents and seeds give equal prompts, spread over documents and categories."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from gate.generation.drawing import drawn
from gate.generation.templates import clean, questions_about
from gate.records import Category, Chunk, Prompt
from gate.sections import heading_at, innermost
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
        row = chunk.text.count("\n", 0, start)
        path = heading_at(chunk, row)
        # A heading of another markup is none of these: below it the path is another one than at the last of them.
        marked = before and path == heading_at(chunk, chunk.text.count("\n", 0, before[-1][0]))
        topic = before[-1][2] if marked else _topic(path, chunk.source)
        if topic.lower() in _NOT_ASKED or (before and start < before[-1][1]):
            continue
        sentence = chunk.text[start:end]
        line = chunk.lines[row]
        for category, question in questions_about(sentence, topic):
            yield Candidate(category, question, chunk.source, line, sentence.strip())


def generate(chunks: Iterable[Chunk], number: int, categories: Sequence[Category], seed: int) -> list[Prompt]:
    """At most `number` prompts, balanced over categories and documents.

    Deterministic in (chunks, number, categories, seed); no question twice (compared without case and punctuation).
    """
    seen: set[str] = set()

    def fresh(candidate: Candidate) -> bool:
        known = same(candidate.question) in seen
        seen.add(same(candidate.question))
        return not known

    found = (candidate for chunk in chunks for candidate in candidates(chunk))
    return [prompt_of(candidate) for candidate in drawn(found, number, categories, seed, fresh)]


def prompt_of(candidate: Candidate) -> Prompt:
    """The candidate as a prompt, with an id that its document and its words give."""
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


def _topic(path: str, source: str) -> str:
    """The innermost heading, or the file's name in words."""
    return innermost(path) or PurePosixPath(source).stem.replace("_", " ").replace("-", " ")
