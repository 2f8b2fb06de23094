"""Terms and passages: the words that a text is found by, the sentences of a chunk, and which of them speak of a claim.
Pure."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import accumulate, islice

from gate.records import Evidence, heading_of, turns_within
from gate.text import STOPWORDS, sentences, stem
from gate.text.layout import header_of

MAX_TERMS = 96  # distinct terms of one query: beyond it nothing is gained, and SQLite bounds the expression
MAX_LENGTH = 64  # characters of one term: longer ones are keys, hashes and noise, found by their beginning

# Words joined by the marks that join them in code, versions, paths and flags: follow_redirects, httpx.AsyncClient,
# HTTP/2, 3.11, --fail-on. One character class and one separator: linear in the length of the text.
_JOINED = re.compile(r"[^\W_]+(?:[_.:/\-]{1,2}[^\W_]+)*")
_JOINT = re.compile(r"[.:/\-]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Scripts written without spaces are indexed by pairs of characters.
_DENSE = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
WORDS = 80  # a passage stops growing here
# Chosen on claims about manuals (benchmarks/README.md, "Retrieval"): what the best single sentence counts beside the
# whole core, what a core of WORDS words loses, and what a passage loses with each place of its chunk.
SENTENCE, LENGTH, LATER = 0.3, 0.1, 0.04
REMEMBERED = 400  # characters of a text whose terms are kept in memory
_WORD = re.compile(r"\S+")


def terms(text: str) -> list[str]:
    """The terms of a text in its order, lower case: each word; the parts of an identifier and then the whole of it
    joined by underscores (`httpx.AsyncClient`: httpx, async, client, async_client, httpx_async_client)."""
    tokens = _JOINED.findall(unicodedata.normalize("NFKC", text))
    return [term for token in tokens for term in (_known if len(token) <= MAX_LENGTH else _expanded)(token)]


def _expanded(token: str) -> tuple[str, ...]:
    if token.isascii() and token.isalpha() and token[1:].islower():
        return (token.lower()[:MAX_LENGTH],)
    found: list[str] = []
    names = [_pieces(name) for name in _JOINT.split(token)]
    for pieces in names:
        found += [word for piece in pieces for word in _words(piece)]
        if len(names) > 1 and len(pieces) > 1:
            found.append("_".join(pieces)[:MAX_LENGTH])
    whole = [piece for pieces in names for piece in pieces]
    if len(whole) > 1:
        found.append("_".join(whole)[:MAX_LENGTH])
    return tuple(found)


_known = lru_cache(maxsize=1 << 16)(_expanded)  # most words of a text were in the text before


def _pieces(name: str) -> list[str]:
    return [piece.lower() for part in re.split("_+", name) for piece in _HUMP.split(part)]


def _words(word: str) -> Iterator[str]:
    if _DENSE.search(word) is None:
        yield word[:MAX_LENGTH]
        return
    for run in _DENSE.findall(word):
        yield from (run[i : i + 2] for i in range(max(1, len(run) - 1)))
    yield from (rest[:MAX_LENGTH] for rest in _DENSE.split(word) if rest)


def query_terms(text: str) -> list[str]:
    """The distinct terms that a query asks for, at most MAX_TERMS; stop words only where there is nothing else."""
    distinct = dict.fromkeys(terms(text))
    return ([term for term in distinct if term not in STOPWORDS] or list(distinct))[:MAX_TERMS]


def match_query(text: str) -> str:
    """An FTS5 expression that finds rows with any of the query's terms; empty where it has none. Every term is quoted,
    so no text can be an operator, a column or a fault of syntax."""
    return " OR ".join(f'"{term}"' for term in query_terms(text))


@dataclass(frozen=True, slots=True)
class Segment:
    """A sentence or line of a chunk: `text[start:end]` with its marker, its size in words and its terms."""

    start: int
    end: int
    size: int
    terms: frozenset[str]


@dataclass(frozen=True, slots=True)
class Cut:
    """A chunk with its units; `where` are the places of the units that hold a term, `words` those before each unit."""

    chunk: Evidence
    units: tuple[Segment, ...]
    where: Mapping[str, Sequence[int]] = field(init=False, repr=False, compare=False)
    words: Sequence[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        where: dict[str, list[int]] = {}
        for place, unit in enumerate(self.units):
            for term in unit.terms:
                where.setdefault(term, []).append(place)
        object.__setattr__(self, "where", where)
        object.__setattr__(self, "words", [0, *accumulate(unit.size for unit in self.units)])


def key_terms(text: str) -> tuple[str, ...]:
    """The stems that carry a text's content, each once, in order; identifiers whole and in parts. Stop words count
    only where there is nothing else."""
    return (_known_key_terms if len(text) <= REMEMBERED else _key_terms)(text)


def _key_terms(text: str) -> tuple[str, ...]:
    found = dict.fromkeys(terms(text))
    return tuple(dict.fromkeys(stem(term) for term in found if term not in STOPWORDS)) or tuple(found)


# A sentence is cut with its chunk, and looked at again for every answer that it is shown for.
_known_key_terms = lru_cache(maxsize=1 << 14)(_key_terms)


def cut(chunk: Evidence) -> Cut:
    """A chunk in sentences and lines, in order. A marker before the words (bullet, #, >) belongs to them."""
    return Cut(chunk, _units(chunk.text))


@lru_cache(maxsize=256)  # a chunk is looked into to see whether words settle a claim, and again for its passages
def _units(text: str) -> tuple[Segment, ...]:
    found: list[Segment] = []
    for start, end in sentences(text):
        line = text.rfind("\n", 0, start) + 1
        begin = line if not any(c.isalnum() for c in text[line:start]) else start
        found += [
            Segment(a, b, len(text[a:b].split()), frozenset(key_terms(text[a:b]))) for a, b in _within(text, begin, end)
        ]
    return tuple(found)


def _within(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
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
    claimed = key_terms(claim)
    where = [[cut.where.get(term, ()) for term in claimed] for cut in chunks]
    weights = _weights(where, sum(len(cut.units) for cut in chunks))

    @cache
    def share(terms: int) -> float:
        """What a set of terms is worth; bit i of the set is term i of the claim."""
        return sum(weight for i, weight in enumerate(weights) if terms >> i & 1)

    found = [
        (-round(score * (1 - LATER * place), 6), place, first, last)
        for place, cut in enumerate(chunks)
        for first, last, score in _cores(cut, _hits(where[place]), share)
    ]
    chosen: dict[str, Evidence] = {}
    taken: list[set[int]] = [set() for _ in chunks]
    for score, place, first, last in sorted(found):
        if len(chosen) == count:
            break
        if not taken[place].isdisjoint(range(first, last + 1)):
            continue
        start, end = _grow(chunks[place], first, last, taken[place])
        taken[place].update(range(start, end + 1))
        made = _passage(chunks[place], start, end, -score)
        chosen.setdefault(made.text, made)
    return tuple(chosen.values())


def openings(chunks: Sequence[Cut], count: int) -> tuple[Evidence, ...]:
    """How the first `count` chunks begin, up to WORDS words: what there is to see where no word of a claim stands in
    any of them, and only their vectors are near."""
    begun = ((cut, *_grow(cut, 0, 0, ())) for cut in chunks[:count] if cut.units)
    return tuple(_passage(cut, first, last, 0.0) for cut, first, last in begun)


def _weights(where: Sequence[Sequence[Sequence[int]]], every: int) -> list[float]:
    """The share of the claim of each of its terms, which add up to 1: where[chunk][term] are places of units, of which
    there are `every` in all."""
    counts = [sum(map(len, places)) for places in zip(*where, strict=True)]
    rarity = [math.log(1 + (every - count + 0.5) / (count + 0.5)) for count in counts]
    total = sum(rarity)
    return [value / total for value in rarity] if total else []


def _hits(where: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """(place, the claim's terms in it as bits) of the units that hold any, in order; `where` has the places of each
    term."""
    hits: dict[int, int] = {}
    for i, places in enumerate(where):
        for place in places:
            hits[place] = hits.get(place, 0) | 1 << i
    return sorted(hits.items())


def _cores(
    cut: Cut, telling: Sequence[tuple[int, int]], share: Callable[[int], float]
) -> Iterator[tuple[int, int, float]]:
    """(first, last, score) of the runs within WORDS that begin and end with a unit that adds something."""
    for at, (first, _) in enumerate(telling):
        seen, best = 0, 0.0
        for last, hit in islice(telling, at, None):
            size = cut.words[last + 1] - cut.words[first]
            if last > first and size > WORDS:
                break
            best = max(best, share(hit))
            if hit & ~seen:
                seen |= hit
                value = (share(seen) + SENTENCE * best) / (1 + SENTENCE)
                yield first, last, value * (1 - LENGTH * min(size, WORDS) / WORDS)


def _grow(cut: Cut, first: int, last: int, taken: Collection[int]) -> tuple[int, int]:
    """The run with its neighbours, in turn before and behind, as long as it stays within WORDS."""
    words = cut.words
    sides = [-1, 1]
    while sides:
        side = sides.pop(0)
        place = first - 1 if side < 0 else last + 1
        start, end = min(first, place), max(last, place)
        if not 0 <= place < len(cut.units) or place in taken or words[end + 1] - words[start] > WORDS:
            continue
        first, last = start, end
        sides.append(side)
    return first, last


def _passage(cut: Cut, first: int, last: int, score: float) -> Evidence:
    """Units `first` to `last` as evidence of their own, verbatim, with the lines that they stand on."""
    chunk = cut.chunk
    start, end = cut.units[first].start, cut.units[last].end
    row = chunk.text.count("\n", 0, start)
    last = row + chunk.text.count("\n", start, end)
    lines = chunk.lines[row : last + 1]
    return Evidence(
        chunk.source,
        lines[0] if lines else chunk.line,
        chunk.text[start:end],
        score,
        heading_of(chunk, start, end),
        lines,
        chunk.chunk_id,
        header_of(chunk.text, start),
        turns_within(chunk, row, last),
        chunk.tags,
    )
