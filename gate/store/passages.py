"""Passages: a few sentences cut from a chunk, and which of them speak of a claim. Pure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gate.records import Evidence
from gate.store.terms import terms
from gate.text import STOPWORDS, sentences, stem

WORDS = 80  # a passage stops growing here
# Chosen on claims about manuals (benchmarks/README.md, "Retrieval"): what the best single sentence counts beside the
# whole core, what a core of WORDS words loses, and what a passage loses with each place of its chunk.
SENTENCE, LENGTH, LATER = 0.3, 0.1, 0.04
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence or line of a chunk: `text[start:end]` with its marker, its size in words and its terms."""

    start: int
    end: int
    size: int
    terms: frozenset[str]


@dataclass(frozen=True, slots=True)
class Cut:
    """A chunk with its units."""

    chunk: Evidence
    units: tuple[Unit, ...]


def key_terms(text: str) -> list[str]:
    """The stems that carry a text's content, each once, in order; identifiers whole and in parts. Stop words count
    only where there is nothing else."""
    found = dict.fromkeys(terms(text))
    return list(dict.fromkeys(stem(term) for term in found if term not in STOPWORDS)) or list(found)


def cut(chunk: Evidence) -> Cut:
    """A chunk in sentences and lines, in order. A marker before the words (bullet, #, >) belongs to them."""
    text = chunk.text
    found = []
    for start, end in sentences(text):
        line = text.rfind("\n", 0, start) + 1
        begin = line if not any(c.isalnum() for c in text[line:start]) else start
        found += [
            Unit(a, b, len(text[a:b].split()), frozenset(key_terms(text[a:b]))) for a, b in _pieces(text, begin, end)
        ]
    return Cut(chunk, tuple(found))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence as it is; what has more than WORDS words (minified text, a table on one line) in pieces of so many."""
    words = list(_WORD.finditer(text, start, end))
    for first in range(0, len(words), WORDS):
        yield start if not first else words[first].start(), words[first : first + WORDS][-1].end()


def best_passages(claim: str, chunks: Sequence[Cut], count: int) -> tuple[Evidence, ...]:
    """The `count` passages of `chunks` (best chunk first) that speak most of a claim, best first, none twice.

    Score, 0 to 1: the share of the claim's terms that stand in the passage's core and in its best sentence, weighted by
    how rare they are among the sentences of these chunks (idf = ln(1 + (N - n + 0.5) / (n + 0.5)), as in BM25); less
    for a long core and a later chunk. The core then grows by its neighbours to WORDS words. Nothing but the claim and
    its chunks has a part in it.
    """
    weights = _weights(key_terms(claim), chunks)
    found = [
        (-round(score * (1 - LATER * place), 6), place, first, last)
        for place, cut in enumerate(chunks)
        for first, last, score in _cores(cut.units, weights)
    ]
    chosen: dict[str, Evidence] = {}
    taken: set[tuple[int, int]] = set()
    for score, place, first, last in sorted(found):
        if len(chosen) == count:
            break
        if any((place, unit) in taken for unit in range(first, last + 1)):
            continue
        start, end = _grow(chunks[place].units, first, last, {unit for at, unit in taken if at == place})
        taken |= {(place, unit) for unit in range(start, end + 1)}
        made = _passage(chunks[place], start, end, -score)
        chosen.setdefault(made.text, made)
    return tuple(chosen.values())


def _weights(claim: Sequence[str], chunks: Sequence[Cut]) -> dict[str, float]:
    """term -> its share of the claim; the shares add up to 1."""
    every = [unit.terms for cut in chunks for unit in cut.units]
    counts = Counter(term for terms_ in every for term in terms_.intersection(claim))
    rarity = {term: math.log(1 + (len(every) - counts[term] + 0.5) / (counts[term] + 0.5)) for term in claim}
    total = sum(rarity.values())
    return {term: value / total for term, value in rarity.items()} if total else {}


def _cores(parts: Sequence[Unit], weights: Mapping[str, float]) -> list[tuple[int, int, float]]:
    """(first, last, score) of the runs within WORDS that begin and end with a unit that adds something."""
    hits = [(place, unit.terms & weights.keys()) for place, unit in enumerate(parts)]
    telling = [(place, hit) for place, hit in hits if hit]
    found = []
    for at, (first, _) in enumerate(telling):
        seen: frozenset[str] = frozenset()
        best, size, upto = 0.0, 0, first
        for last, hit in telling[at:]:
            size += sum(unit.size for unit in parts[upto : last + 1])
            upto = last + 1
            if last > first and size > WORDS:
                break
            best = max(best, _share(hit, weights))
            if not hit <= seen:
                seen |= hit
                share = (_share(seen, weights) + SENTENCE * best) / (1 + SENTENCE)
                found.append((first, last, share * (1 - LENGTH * min(size, WORDS) / WORDS)))
    return found


def _share(terms_: Collection[str], weights: Mapping[str, float]) -> float:
    # In the order of the claim: float sums in the order of a set would differ from run to run.
    return sum(weight for term, weight in weights.items() if term in terms_)


def _grow(parts: Sequence[Unit], first: int, last: int, taken: Collection[int]) -> tuple[int, int]:
    """The run with its neighbours, in turn before and behind, as long as it stays within WORDS."""
    size = sum(unit.size for unit in parts[first : last + 1])
    sides = [-1, 1]
    while sides:
        side = sides.pop(0)
        place = first - 1 if side < 0 else last + 1
        if not 0 <= place < len(parts) or place in taken or size + parts[place].size > WORDS:
            continue
        size += parts[place].size
        first, last = min(first, place), max(last, place)
        sides.append(side)
    return first, last


def _passage(cut: Cut, first: int, last: int, score: float) -> Evidence:
    """Units `first` to `last` as evidence of their own, verbatim, with the lines that they stand on."""
    chunk = cut.chunk
    start, end = cut.units[first].start, cut.units[last].end
    line = chunk.text.count("\n", 0, start)
    lines = chunk.lines[line : line + chunk.text.count("\n", start, end) + 1]
    return replace(chunk, text=chunk.text[start:end], lines=lines, line=lines[0] if lines else chunk.line, score=score)
