"""Which questions are asked: balanced over categories and documents, and none like another. For a dataset each has a
reference that answers it."""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from gate.generation.patterns import candidates, clean, points_elsewhere, prose
from gate.records import Category, Chunk, Prompt, heading_at
from gate.text import identifiers, stem, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Embed = Callable[[Sequence[str]], NDArray[np.float32]]

ALIKE = 0.8  # of the stems of both questions together: from here on, one is enough
# Words that turn a question into another one, as a number or a name does.
_TURNS = frozenset(("not", "no", "never", "without", "only", "unless", "before", "after", "all", "must"))
_MOST = 3  # sentences of a reference
_LONGEST = 800  # characters of a reference
_LEAST = 3  # content words of a reference
# Papers about a project, by the names of their files: nobody asks about them.
_NOT_ASKED = frozenset(("changelog", "changes", "history", "release_notes", "releases", "license", "contributing"))
# The cosine of a question and what it cites, and SHARED for all of its content words there, from which the one answers
# the other. Chosen on 80 written pairs: 51 of 53 that belong together lie above, 25 of 27 others below.
RESTS, SHARED = 0.83, 0.2


def generate(chunks: Iterable[Chunk], number: int, categories: Sequence[Category], seed: int) -> list[Prompt]:
    """At most `number` prompts, balanced over categories and documents; no question twice (compared without case and
    punctuation). Deterministic in its arguments."""
    seen: set[str] = set()

    def fresh(question: str) -> bool:
        known = normalise_question(question) in seen
        seen.add(normalise_question(question))
        return not known

    found = (candidate for chunk in chunks for candidate in candidates(chunk))
    return _drawn(found, Wanted(number, tuple(categories), seed), fresh)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for; equal chunks and equal wishes give equal questions."""

    number: int
    categories: tuple[Category, ...] = tuple(Category)
    seed: int = 0


def by_patterns(chunks: Iterable[Chunk], wanted: Wanted, known: Distinct | None = None) -> list[Prompt]:
    """At most so many questions by patterns alone; none like one that `known` has seen."""
    return _drawn(_merged(chunks), wanted, (known or Distinct()).add, _rank)


def _rank(candidate: Prompt) -> int:
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
    found = _drawn(good, wanted, distinct.add)
    missing = replace(wanted, number=wanted.number - len(found))
    return [*found, *by_patterns(chunks, missing, distinct)] if missing.number else found


def stands_alone(reference: str) -> bool:
    """Whether a reader understands it without the text around: a whole sentence that begins with no pronoun, asks
    nothing and announces nothing."""
    text = reference.strip().lstrip("*_\"'>")
    part = text[:1] == "(" or text[:1].islower()
    return not (part or points_elsewhere(text) or text.endswith(("?", ":")) or len(words(text)) < _LEAST)


def _merged(chunks: Iterable[Chunk]) -> Iterator[Prompt]:
    """A question that several sentences of a document lead to has the first of them as its reference."""
    groups: dict[tuple[str, str], list[Prompt]] = {}
    for chunk in chunks:
        if PurePosixPath(chunk.source).stem.lower().replace("-", "_") in _NOT_ASKED:
            continue
        for candidate in candidates(prose(chunk)):
            if "``" not in (candidate.reference or "") and stands_alone(clean(candidate.reference or "")):
                groups.setdefault((candidate.source, candidate.question), []).append(candidate)
    for first, *others in groups.values():
        texts = dict.fromkeys(clean(candidate.reference or "") for candidate in (first, *others))
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
    return frozenset(map(stem, words(text)))


def _drawn(
    found: Iterable[Prompt],
    wanted: Wanted,
    fresh: Callable[[str], bool],
    rank: Callable[[Prompt], int] = lambda prompt: 0,
) -> list[Prompt]:
    """What is chosen of the questions found; `fresh` says whether one may still be asked (and is then chosen), and by
    `rank` come the questions of a document, low ones first. Deterministic: a document's questions are shuffled by the
    seed alone."""
    pools = _pools(found, wanted, rank)
    sources = sorted({source for by_source in pools.values() for source in by_source})
    random.Random(wanted.seed).shuffle(sources)  # noqa: S311 - a sample, not a secret
    turns = {source: turn for turn, source in enumerate(sources)}
    taken: Counter[tuple[str, str]] = Counter()  # (source, category); (source, "") counts all of a document
    chosen: list[Prompt] = []
    live = list(wanted.categories)
    for category in cycle(wanted.categories):
        if len(chosen) >= wanted.number or not live:
            break
        if category not in live:
            continue
        order = {source: (taken[source, ""], taken[source, category], turns[source]) for source in pools[category]}
        question = _next(pools[category], sorted(order, key=order.__getitem__), fresh)
        if question is None:
            live.remove(category)
            continue
        taken.update(((question.source, ""), (question.source, category)))
        chosen.append(question)
    return chosen


def _pools(
    found: Iterable[Prompt], wanted: Wanted, rank: Callable[[Prompt], int]
) -> dict[Category, dict[str, Iterator[Prompt]]]:
    """category -> source -> its questions, shuffled within a rank."""
    lists: dict[Category, dict[str, list[Prompt]]] = {category: {} for category in wanted.categories}
    for question in found:
        if question.category in lists:
            lists[question.category].setdefault(question.source, []).append(question)
    for category, by_source in lists.items():
        for source, questions in by_source.items():
            random.Random(f"{wanted.seed}:{category}:{source}").shuffle(questions)  # noqa: S311 - a sample
            questions.sort(key=rank)
    return {
        category: {source: iter(questions) for source, questions in by_source.items()}
        for category, by_source in lists.items()
    }


def _next(pool: dict[str, Iterator[Prompt]], order: Sequence[str], fresh: Callable[[str], bool]) -> Prompt | None:
    """The next question of the first document that has one; those that have none left go."""
    for source in order:
        for prompt in pool[source]:
            if fresh(prompt.question):
                return prompt
        del pool[source]
    return None


class Distinct:
    """Remembers questions. Two are alike if they share most stems and all numbers, names and words of _TURNS."""

    def __init__(self) -> None:
        self._written: set[str] = set()
        # By what two questions must share exactly, and one of their stems.
        self._places: defaultdict[tuple[frozenset[str], str], list[frozenset[str]]] = defaultdict(list)

    def add(self, question: str) -> bool:
        """Remember a question; whether nothing like it was asked before."""
        written = normalise_question(question)
        if written in self._written:
            return False
        self._written.add(written)
        stems = _stems(question)
        # Sets that share ALIKE of their union share one of their first stems, in any fixed order: only those are tried.
        first = len(stems) - math.ceil(ALIKE * len(stems)) + 1
        marks = _marks(question)
        keys = [(marks, name) for name in sorted(stems)[:first]]
        others = (other for key in keys for other in self._places[key])
        if any(len(stems & other) >= ALIKE * len(stems | other) for other in others):
            return False
        for key in keys:
            self._places[key].append(stems)
        return True


def _marks(question: str) -> frozenset[str]:
    found = {word for word in words(question) if word in _TURNS or any(char.isdigit() for char in word)}
    return frozenset(found | {name.lower() for name in identifiers(question)})


def normalise_question(question: str) -> str:
    """What two questions have in common that differ only in case, blanks and punctuation."""
    return "".join(char for char in question.casefold() if char.isalnum())
