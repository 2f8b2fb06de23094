"""What a model is shown of the documents: the nearest passages of all claims of an answer, in sentences, none twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from gate.judges.quotes import line_at
from gate.records import Evidence, Item
from gate.store.passages import best_passages, cut
from gate.text import sentences

PASSAGES = 3  # of one claim
NEAR = 0.6  # a passage with less than this share of the best one's score is left out
PIECE = 1000  # characters: what has no sentence end (a table, minified text) is offered in pieces
LONG = 2500  # characters: a longer passage is a page, and is narrowed to what speaks of the claim
BASE, PER_CLAIM, MOST = 1500, 600, 30_000  # characters of all passages together: base + claims x per claim


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a document that may be cited: `text` verbatim, from `line` of `source` on."""

    source: str
    line: int
    text: str
    score: float
    heading: str = ""


Run = list[Sentence]


def offered(items: Sequence[Item]) -> list[Run]:
    """The passages as runs of sentences that follow each other; passages that overlap are one run.

    Every claim's best passage comes first, then every claim's second, as long as they fit; so no claim pays for
    another's. The first ones are always in.
    """
    room = min(MOST, BASE + PER_CLAIM * len(items))
    runs: list[Run] = []
    for rank, passages in enumerate(zip_longest(*(_nearest(item) for item in items))):
        for passage in passages:
            if passage is None or (rank and room <= 0):
                continue
            known = {(sentence.source, sentence.text) for run in runs for sentence in run}
            sentences_ = list(_split(passage))
            room -= sum(len(s.text) for s in sentences_ if (s.source, s.text) not in known)
            _merge(runs, sentences_)
    return [run for run in runs if run]


def _nearest(item: Item) -> list[Evidence]:
    evidence = item.evidence
    if any(len(passage.text) > LONG for passage in evidence):
        evidence = best_passages(item.claim.text, [cut(passage) for passage in evidence], PASSAGES) or evidence[:1]
    best = max((passage.score for passage in evidence), default=0.0)
    return [passage for passage in evidence if passage.score >= NEAR * best][:PASSAGES]


def _split(passage: Evidence) -> Iterator[Sentence]:
    """The passage's sentences, at most LONG characters of them."""
    left = LONG
    for start, end in sentences(passage.text):
        for at in range(start, end, PIECE):
            text = passage.text[at : min(end, at + PIECE)].strip()
            if left <= 0 or not text:
                return
            left -= len(text)
            begin = passage.text.index(text, at)
            yield Sentence(passage.source, line_at(passage, begin), text, passage.score, passage.heading)


def _merge(runs: list[Run], new: Sequence[Sentence]) -> None:
    """Add a passage to the run that it overlaps, each sentence in its place, or as a run of its own."""
    keys = {(s.source, s.line, s.text) for s in new}
    run = next((r for r in runs if any((s.source, s.line, s.text) in keys for s in r)), None)
    if run is None:
        runs.append(run := [])
    others = {(s.source, s.line, s.text) for r in runs if r is not run for s in r}
    mine = [(s.source, s.line, s.text) for s in run]
    place = next((i for i, key in enumerate(mine) if key in keys), 0)
    for sentence in new:
        key = (sentence.source, sentence.line, sentence.text)
        if key in mine:
            place = mine.index(key) + 1
        elif key not in others:
            mine.insert(place, key)
            run.insert(place, sentence)
            place += 1
