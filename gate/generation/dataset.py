"""Questions for a dataset: each with a reference that answers it, none like another, spread over the documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from gate.generation.distinct import Distinct
from gate.generation.drawing import drawn
from gate.generation.local import Candidate, candidates, prompt_of
from gate.generation.prose import prose
from gate.generation.resting import rest
from gate.generation.templates import clean, points
from gate.records import Category, Chunk, Prompt
from gate.sections import heading_at
from gate.text import words

if TYPE_CHECKING:
    from gate.generation.resting import Embed

_MOST = 3  # sentences of a reference
_LONGEST = 800  # characters of a reference
_LEAST = 3  # content words of a reference
# Papers about a project, by the names of their files: nobody asks about them.
_NOT_ASKED = frozenset(("changelog", "changes", "history", "release_notes", "releases", "license", "contributing"))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for; equal chunks and equal wishes give equal questions."""

    number: int
    categories: tuple[Category, ...] = tuple(Category)
    seed: int = 0


def by_patterns(chunks: Iterable[Chunk], wanted: Wanted, known: Distinct | None = None) -> list[Prompt]:
    """At most so many questions by patterns alone; none like one that `known` has seen."""
    distinct = known or Distinct()
    chosen = drawn(
        _merged(chunks), wanted.number, wanted.categories, wanted.seed, lambda c: distinct.new(c.question), rank
    )
    return [prompt_of(candidate) for candidate in chosen]


def rank(candidate: Candidate) -> int:
    """0 for what one sentence states, 1 for whatever is said about a name, 2 for a whole section: these come last."""
    if candidate.category in (Category.EDGE_CASES, Category.POLICY_BOUNDARIES):
        return 0
    return 1 if "`" in candidate.question else 2


def chosen_of(written: Iterable[Prompt], chunks: Sequence[Chunk], wanted: Wanted, embed: Embed) -> list[Prompt]:
    """Of the questions that a model wrote those that can be answered by the sentences that they cite and are not alike;
    by patterns what is missing."""
    headings = {
        (chunk.source, line): heading_at(chunk, row) for chunk in chunks for row, line in enumerate(chunk.lines)
    }
    distinct = Distinct()
    shown = [replace(prompt, reference=clean(prompt.reference or "")) for prompt in written]
    usable = [prompt for prompt in shown if stands_alone(prompt.reference or "")]
    resting = rest(usable, [headings.get((prompt.source, prompt.line), "") for prompt in usable], embed)
    good = [prompt for prompt, rests in zip(usable, resting, strict=True) if rests]
    found = drawn(good, wanted.number, wanted.categories, wanted.seed, lambda prompt: distinct.new(prompt.question))
    missing = replace(wanted, number=wanted.number - len(found))
    return [*found, *by_patterns(chunks, missing, distinct)] if missing.number else found


def stands_alone(reference: str) -> bool:
    """Whether a reader understands it without the text around: a whole sentence that begins with no pronoun, asks
    nothing and announces nothing."""
    text = reference.strip().lstrip("*_\"'>")
    part = text[:1] == "(" or text[:1].islower()
    return not (part or points(text) or text.endswith(("?", ":")) or len(words(text)) < _LEAST)


def _merged(chunks: Iterable[Chunk]) -> Iterator[Candidate]:
    """A question that several sentences of a document lead to has the first of them as its reference."""
    groups: dict[tuple[str, str], list[Candidate]] = {}
    for chunk in chunks:
        if PurePosixPath(chunk.source).stem.lower().replace("-", "_") in _NOT_ASKED:
            continue
        for candidate in candidates(prose(chunk)):
            if "``" not in candidate.reference and stands_alone(clean(candidate.reference)):
                groups.setdefault((candidate.source, candidate.question), []).append(candidate)
    for first, *others in groups.values():
        texts = dict.fromkeys(clean(candidate.reference) for candidate in (first, *others))
        yield replace(first, reference=_joined(list(texts)))


def _joined(texts: list[str]) -> str:
    """As many whole sentences as a reference may have, at least one."""
    made = texts[0]
    for text in texts[1:_MOST]:
        if len(made) + len(text) >= _LONGEST:
            break
        made = f"{made} {text}"
    return made
