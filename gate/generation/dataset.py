"""Questions for a dataset: each with a reference that answers it, none like another, spread over the documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from gate.generation.drawing import Distinct, draw_balanced
from gate.generation.patterns import Candidate, candidates, clean, points_elsewhere, prompt_of, prose
from gate.records import Category, Chunk, Prompt, heading_at
from gate.text import stem, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Embed = Callable[[Sequence[str]], NDArray[np.float32]]


_MOST = 3  # sentences of a reference
_LONGEST = 800  # characters of a reference
_LEAST = 3  # content words of a reference
# Papers about a project, by the names of their files: nobody asks about them.
_NOT_ASKED = frozenset(("changelog", "changes", "history", "release_notes", "releases", "license", "contributing"))
# The cosine of a question and what it cites, and SHARED for all of its content words there, from which the one answers
# the other. Chosen on 80 written pairs: 51 of 53 that belong together lie above, 25 of 27 others below.
RESTS, SHARED = 0.83, 0.2


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for; equal chunks and equal wishes give equal questions."""

    number: int
    categories: tuple[Category, ...] = tuple(Category)
    seed: int = 0


def by_patterns(chunks: Iterable[Chunk], wanted: Wanted, known: Distinct | None = None) -> list[Prompt]:
    """At most so many questions by patterns alone; none like one that `known` has seen."""
    distinct = known or Distinct()
    chosen = draw_balanced(
        _merged(chunks), wanted.number, wanted.categories, wanted.seed, lambda c: distinct.add(c.question), rank
    )
    return [prompt_of(candidate) for candidate in chosen]


def rank(candidate: Candidate) -> int:
    """0 for what one sentence states, 1 for whatever is said about a name, 2 for a whole section: these come last."""
    if candidate.category in (Category.EDGE_CASES, Category.POLICY_BOUNDARIES):
        return 0
    return 1 if "`" in candidate.question else 2


def choose(written: Iterable[Prompt], chunks: Sequence[Chunk], wanted: Wanted, embed: Embed) -> list[Prompt]:
    """Of the questions that a model wrote those that can be answered by the sentences that they cite and are not alike;
    by patterns what is missing."""
    headings = {
        (chunk.source, line): heading_at(chunk, row) for chunk in chunks for row, line in enumerate(chunk.lines)
    }
    distinct = Distinct()
    shown = [replace(prompt, reference=clean(prompt.reference or "")) for prompt in written]
    usable = [prompt for prompt in shown if stands_alone(prompt.reference or "")]
    resting = rest_on_citations(usable, [headings.get((prompt.source, prompt.line), "") for prompt in usable], embed)
    good = [prompt for prompt, rests in zip(usable, resting, strict=True) if rests]
    found = draw_balanced(
        good, wanted.number, wanted.categories, wanted.seed, lambda prompt: distinct.add(prompt.question)
    )
    missing = replace(wanted, number=wanted.number - len(found))
    return [*found, *by_patterns(chunks, missing, distinct)] if missing.number else found


def stands_alone(reference: str) -> bool:
    """Whether a reader understands it without the text around: a whole sentence that begins with no pronoun, asks
    nothing and announces nothing."""
    text = reference.strip().lstrip("*_\"'>")
    part = text[:1] == "(" or text[:1].islower()
    return not (part or points_elsewhere(text) or text.endswith(("?", ":")) or len(words(text)) < _LEAST)


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


def rest_on_citations(prompts: Sequence[Prompt], headings: Sequence[str], embed: Embed) -> list[bool]:
    """For each question whether its reference, which stands under a heading of its source, answers it."""
    if not prompts:
        return []
    cited = [prompt.reference or "" for prompt in prompts]
    under = [f"{heading}: {text}" if heading else text for heading, text in zip(headings, cited, strict=True)]
    questions, bare, headed = (embed(texts) for texts in ([prompt.question for prompt in prompts], cited, under))
    return [
        bool(cited[n].strip())
        and float(max(questions[n] @ bare[n], questions[n] @ headed[n])) + SHARED * _share(prompt, headings[n]) >= RESTS
        for n, prompt in enumerate(prompts)
    ]


def _share(prompt: Prompt, heading: str) -> float:
    """The share of the question's content words that stand in the reference, its heading or the name of its file."""
    name = re.sub("[_-]", " ", PurePosixPath(prompt.source or "").stem)
    asked, there = _stems(prompt.question), _stems(f"{prompt.reference} {heading} {name}")
    return len(asked & there) / len(asked) if asked else 0.0


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text))
