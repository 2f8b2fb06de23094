"""What a model is shown of the documents: the nearest passages of an answer's claims, in sentences, none twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from gate.judges.lines import line_at
from gate.records import Evidence, Item
from gate.store.passages import best_passages, cut, key_terms
from gate.text import sentences

# Measured: benchmarks/README.md, "Model judge against the peers".
PASSAGES = 3  # of one claim
NEAR = 0.6  # a passage with less than this share of the best one's weight is left out
KINSHIP = 0.5  # how much it counts that the answer's other claims found something in the same document
PIECE = 1000  # characters: what has no sentence end (a table, minified text) is offered in pieces
LONG = 2500  # characters: a longer passage is a page, and is narrowed to what speaks of the claim
BASE, PER_CLAIM, MOST = 1500, 600, 30_000  # characters of all passages together: base + claims x per claim
# Words that tie a sentence to the one before it: neither is shown without the other.
_LEANING = re.compile(
    r"\W*(?:it|its|they|their|this|these|that|those|he|she|then|otherwise|instead|also|both|such|however|but|yet|except"
    r"|unless|only|not)\b",
    re.IGNORECASE,
)


Key = tuple[str, int, str]  # source, line and text of a sentence


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a document that may be cited: `text` verbatim, from `line` of `source` on."""

    source: str
    line: int
    text: str
    score: float
    heading: str = ""

    @property
    def key(self) -> Key:
        """What makes it the same sentence."""
        return self.source, self.line, self.text


Run = list[Sentence]


def offered(items: Sequence[Item]) -> list[Run]:
    """Runs of sentences that follow each other in a document, passages that overlap in one; of those the sentences
    that share a term with a claim, or are tied to one that does.

    Every claim's best passage is in; then come the second and third ones, as long as they fit.
    """
    room = min(MOST, BASE + PER_CLAIM * len(items))
    runs: list[Run] = []
    known: set[Key] = set()
    seen: set[Evidence] = set()
    for rank, passages in enumerate(zip_longest(*_nearest(items))):
        for passage in passages:
            if passage is not None and (not rank or room > 0) and (same := replace(passage, score=0.0)) not in seen:
                seen.add(same)
                room -= _add(runs, known, list(_split(passage)))
    terms = {term for item in items for term in key_terms(item.claim.text)}
    return [_telling(run, terms) for run in runs if run]


def _nearest(items: Sequence[Item]) -> list[list[Evidence]]:
    """The passages of each claim, best first: a document in which the whole answer finds itself goes before others."""
    every = [_narrow(item) for item in items]
    found = [{e.source: e.score for e in sorted(evidence, key=lambda e: e.score)} for evidence in every]
    weight: Counter[str] = Counter()
    for best in found:
        weight.update(best)
    most = max(weight.values(), default=0) or 1
    nearest = []
    for evidence in every:
        weighed = [(e.score * (1 - KINSHIP + KINSHIP * weight[e.source] / most), e) for e in evidence]
        weighed.sort(key=lambda pair: -pair[0])
        chosen = [e for score, e in weighed if score >= NEAR * weighed[0][0]][:PASSAGES]
        nearest.append(chosen + [e for e in evidence[:1] if e not in chosen])
    return nearest


def _narrow(item: Item) -> tuple[Evidence, ...]:
    evidence = item.evidence
    if any(len(passage.text) > LONG for passage in evidence):
        return best_passages(item.claim.text, [cut(passage) for passage in evidence], PASSAGES) or evidence[:1]
    return evidence


def _split(passage: Evidence) -> Iterator[Sentence]:
    """The passage's sentences, at most LONG characters of them."""
    left = LONG
    for start, end in sentences(passage.text):
        for at in range(start, end, PIECE):
            piece = passage.text[at : min(end, at + PIECE)]
            text = piece.strip()
            if left <= 0:
                return
            left -= len(text)
            line = line_at(passage, at + len(piece) - len(piece.lstrip()))
            if text:
                yield Sentence(passage.source, line, text, passage.score, passage.heading)


def _add(runs: list[Run], known: set[Key], new: Sequence[Sentence]) -> int:
    """Put a passage into the run that it overlaps, each sentence in its place, or make it a run; the characters that
    were not there yet. `known` are the sentences of all runs."""
    keys = {sentence.key for sentence in new}
    run: Run | None = None
    if not known.isdisjoint(keys):
        run = next(run for run in runs if any(sentence.key in keys for sentence in run))
    if run is None:
        run = []
        if new:
            runs.append(run)
    order = [sentence.key for sentence in run]
    place = next((i for i, key in enumerate(order) if key in keys), 0)
    size = 0
    for sentence in new:
        if sentence.key in order:
            place = order.index(sentence.key) + 1
        elif sentence.key not in known:
            known.add(sentence.key)
            order.insert(place, sentence.key)
            run.insert(place, sentence)
            place += 1
            size += len(sentence.text)
    return size


def _telling(run: Run, terms: set[str]) -> Run:
    """The sentences with a term of a claim, with what is tied to them before and behind; all if there are none."""
    kept: set[int] = set()
    for place, sentence in enumerate(run):
        tied = _LEANING.match(sentence.text) is not None
        if not terms.isdisjoint(key_terms(sentence.text)):
            kept.add(place)
            while tied and place > 0 and place - 1 not in kept:
                place -= 1
                kept.add(place)
                tied = _LEANING.match(run[place].text) is not None
        elif tied and place - 1 in kept:
            kept.add(place)
    return [run[place] for place in sorted(kept)] or run
