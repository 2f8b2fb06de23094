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

from gate.generation.patterns import clean, drafts, stands_alone, verbs
from gate.records import Category, Chunk, Prompt, heading_at
from gate.text import identifiers, stems, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Embed = Callable[[Sequence[str]], NDArray[np.float32]]
    Read = Callable[[Sequence[tuple[str, str, str]]], NDArray[np.float32]]  # as Scorer.score of a reader

ALIKE = 0.8  # of the stems of both questions together: from here on, one is enough
# Words that turn a question into another one, as a number or a name does.
_TURNS = frozenset(("not", "no", "never", "without", "only", "unless", "before", "after", "all", "must"))
# The chance that the passage supports the reply to a question, from which the reader finds it there: a statement that
# it is sure of has more. Where it gives yes and no OPEN, the passage leaves it open.
FOUND, OPEN = 0.9, 0.5
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


def by_patterns(chunks: Iterable[Chunk], wanted: Wanted, read: Read, asked: Distinct | None = None) -> list[Prompt]:
    """At most so many questions by patterns alone; none like one that `asked` has seen, and none whose reply the reader
    does not find in its passage. Equal arguments give equal questions. Errors: those of `read`."""
    distinct, vague = asked or Distinct(), Category.AMBIGUOUS_QUERIES
    left = Counter({vague: -(-wanted.number // len(wanted.categories))})  # they fill no gap of the others
    told = [chunk for chunk in chunks if _asked_about(chunk)]
    known = verbs(told)
    found = {draft.prompt.id: draft for chunk in told for draft in drafts(chunk, known)}

    def fresh(prompt: Prompt) -> bool:
        draft = found[prompt.id]
        if (prompt.category is vague and not left[vague]) or not distinct.add(prompt.question):
            return False
        rows = read([(reply, prompt.question, draft.passage) for reply in draft.replies])
        best, *others = sorted(rows[:, 0].tolist(), reverse=True)
        good = best >= FOUND and not any(other >= OPEN for other in others)
        left[vague] -= good and prompt.category is vague
        return good

    return _drawn((draft.prompt for draft in found.values()), wanted, fresh)


def _asked_about(chunk: Chunk) -> bool:
    return PurePosixPath(chunk.source).stem.lower().replace("-", "_") not in _NOT_ASKED


def choose(
    written: Iterable[Prompt], chunks: Sequence[Chunk], wanted: Wanted, embed: Embed, read: Read
) -> list[Prompt]:
    """Of the questions that a model wrote those that can be answered by the sentences that they cite and are not alike;
    by patterns what is missing. Errors: those of `embed` and `read`."""
    headings = {
        (chunk.source, line): heading_at(chunk, row) for chunk in chunks for row, line in enumerate(chunk.lines)
    }
    distinct = Distinct()
    shown = [replace(prompt, reference=clean(prompt.reference or "")) for prompt in written]
    usable = [prompt for prompt in shown if stands_alone(prompt.reference or "")]
    resting = rest_on_citations(usable, [headings.get((prompt.source, prompt.line), "") for prompt in usable], embed)
    good = [prompt for prompt, rests in zip(usable, resting, strict=True) if rests]
    found = _drawn(good, wanted, lambda prompt: distinct.add(prompt.question))
    missing = replace(wanted, number=wanted.number - len(found))
    return [*found, *by_patterns(chunks, missing, read, distinct)] if missing.number else found


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
    asked, there = stems(prompt.question), stems(f"{prompt.reference} {heading} {name}")
    return len(asked & there) / len(asked) if asked else 0.0


def _drawn(found: Iterable[Prompt], wanted: Wanted, fresh: Callable[[Prompt], bool]) -> list[Prompt]:
    """What is chosen of the questions found; `fresh` says whether one may still be asked (and is then chosen).
    Deterministic: a document's questions are shuffled by the seed alone."""
    pools = _pools(found, wanted)
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


def _pools(found: Iterable[Prompt], wanted: Wanted) -> dict[Category, dict[str, Iterator[Prompt]]]:
    """category -> source -> its questions, shuffled."""
    lists: dict[Category, dict[str, list[Prompt]]] = {category: {} for category in wanted.categories}
    for question in found:
        if question.category in lists:
            lists[question.category].setdefault(question.source, []).append(question)
    for category, by_source in lists.items():
        for source, questions in by_source.items():
            random.Random(f"{wanted.seed}:{category}:{source}").shuffle(questions)  # noqa: S311 - a sample
    return {
        category: {source: iter(questions) for source, questions in by_source.items()}
        for category, by_source in lists.items()
    }


def _next(pool: dict[str, Iterator[Prompt]], order: Sequence[str], fresh: Callable[[Prompt], bool]) -> Prompt | None:
    """The next question of the first document that has one; those that have none left go."""
    for source in order:
        for prompt in pool[source]:
            if fresh(prompt):
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
        asked = stems(question)
        # Sets that share ALIKE of their union share one of their first stems, in any fixed order: only those are tried.
        first = len(asked) - math.ceil(ALIKE * len(asked)) + 1
        marks = _marks(question)
        keys = [(marks, name) for name in sorted(asked)[:first]]
        others = (other for key in keys for other in self._places[key])
        if any(len(asked & other) >= ALIKE * len(asked | other) for other in others):
            return False
        for key in keys:
            self._places[key].append(asked)
        return True


def _marks(question: str) -> frozenset[str]:
    found = {word for word in words(question) if word in _TURNS or any(char.isdigit() for char in word)}
    return frozenset(found | {name.lower() for name in identifiers(question)})


def normalise_question(question: str) -> str:
    """What two questions have in common that differ only in case, blanks and punctuation."""
    return "".join(char for char in question.casefold() if char.isalnum())
