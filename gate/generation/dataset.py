"""Questions for a dataset: each with a reference that answers it, none like another, spread over the documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from gate.generation.answerable import stands_alone, tells_how
from gate.generation.distinct import Distinct
from gate.generation.drawing import drawn
from gate.generation.facts import facts
from gate.generation.local import Candidate, candidates, prompt_of
from gate.generation.prose import prose
from gate.generation.resting import rests
from gate.generation.templates import questions_about
from gate.generation.worth import rank, worth
from gate.records import Category, Chunk, Prompt
from gate.sections import heading_at
from gate.text import plain

_MOST = 3  # sentences of a reference
_LONGEST = 800  # characters of a reference


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for; equal chunks and equal wishes give equal questions."""

    number: int
    categories: tuple[Category, ...] = tuple(Category)
    seed: int = 0


def by_patterns(chunks: Iterable[Chunk], wanted: Wanted, known: Distinct | None = None) -> list[Prompt]:
    """At most so many questions by patterns alone; none like one that `known` has seen."""
    distinct = known or Distinct()
    found = (candidate for candidate in _merged(chunks) if _answers(candidate))
    chosen = drawn(found, wanted.number, wanted.categories, wanted.seed, lambda c: distinct.new(c.question), rank)
    return [prompt_of(candidate) for candidate in chosen]


def chosen_of(written: Iterable[Prompt], chunks: Sequence[Chunk], wanted: Wanted) -> list[Prompt]:
    """Of the questions that a model wrote those that can be answered by the sentences that they cite and are not alike;
    by patterns what is missing."""
    headings = {
        (chunk.source, line): heading_at(chunk, row) for chunk in chunks for row, line in enumerate(chunk.lines)
    }
    distinct = Distinct()
    shown = (replace(prompt, reference=_shown(prompt.reference or "")) for prompt in written)
    good = (prompt for prompt in shown if _rests(prompt, headings.get((prompt.source, prompt.line), "")))
    found = drawn(good, wanted.number, wanted.categories, wanted.seed, lambda prompt: distinct.new(prompt.question))
    missing = replace(wanted, number=wanted.number - len(found))
    return [*found, *by_patterns(chunks, missing, distinct)] if missing.number else found


def _merged(chunks: Iterable[Chunk]) -> Iterator[Candidate]:
    """A question that several sentences of a document lead to has the first of them as its reference."""
    groups: dict[tuple[str, str], list[Candidate]] = {}
    for chunk in chunks:
        for candidate in filter(worth, candidates(prose(chunk), _asked)):
            groups.setdefault((candidate.source, candidate.question), []).append(candidate)
    for group in groups.values():
        texts = dict.fromkeys(_shown(candidate.reference) for candidate in group if _usable(candidate))
        if texts:
            first = next(candidate for candidate in group if _usable(candidate))
            yield replace(first, reference=_joined(list(texts)))


def _asked(sentence: str, topic: str) -> Iterator[tuple[Category, str]]:
    """What a sentence states goes before what the patterns of a run find in it."""
    yield from facts(sentence, topic)
    yield from questions_about(sentence, topic)


def _usable(candidate: Candidate) -> bool:
    return stands_alone(_shown(candidate.reference))


def _rests(prompt: Prompt, heading: str) -> bool:
    cited = prompt.reference or ""
    return stands_alone(cited) and rests(prompt.question, cited, heading, prompt.source)


def _answers(candidate: Candidate) -> bool:
    return candidate.category is not Category.AMBIGUOUS_QUERIES or tells_how(candidate.reference)


def _joined(texts: list[str]) -> str:
    """As many whole sentences as a reference may have, at least one."""
    made = texts[0]
    for text in texts[1:_MOST]:
        if len(made) + len(text) >= _LONGEST:
            break
        made = f"{made} {text}"
    return made


def _shown(text: str) -> str:
    """A sentence in one line, without markup."""
    return " ".join(plain(text, ticks=True).split())
