"""How every store ranks chunks: by vectors, fused with BM25, or by words alone where these settle a query.

Words settle a query where one passage says all of a claim's words: neither what the vectors find nor what the claim was
said about can say more. No labelled line is found later for it (benchmarks/README.md, "Retrieval"), and a vector is
made, or paid for, only where words leave something open.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from gate.providers.base import Embedder
from gate.records import Evidence
from gate.store.base import Ranking
from gate.store.passages import Cut, cut, key_terms, query_terms

DEPTH = 50  # candidates of each ranking before fusion
WORDS_WEIGHT = 5.0  # of BM25 beside kNN: benchmarks/README.md, "Retrieval"
K = 60  # of reciprocal rank fusion
LOOKED = 3  # chunks, the best by BM25, that are looked into to see whether words settle a query
LEAST = 4  # key terms of a query that words may settle; fewer stand together in many places
_AROUND = 1  # sentences on either side that make a passage of one

# Components of unit vectors become whole numbers in -4000..4000. A product of two such rows, and by Cauchy and Schwarz
# each of its partial sums, stays below (4000 + sqrt(d) / 2)^2 < 2^24 for d <= 8192: float32 adds them without rounding.
# So a score depends neither on what else is in the batch nor on threads nor on the machine's matrix library.
SCALE = 4000
_ROWS = 8192  # windows multiplied at once: 12 MB at 384 dimensions
_QUERIES = 256  # queries answered at once: 8 MB of scores

T = TypeVar("T", bound=Hashable)
Scored = Sequence[tuple[int, float]]
Best = tuple[NDArray[np.intp], NDArray[np.float32]]  # places and scores, best first
_NONE: Best = np.empty(0, np.intp), np.empty(0, np.float32)


def quantise(rows: NDArray[np.float32]) -> NDArray[np.int16]:
    """(n, d) vectors to whole numbers, each row brought to length 1 before (a row of zeros stays zero)."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    unit = np.divide(rows, lengths, out=np.zeros(rows.shape), where=(lengths > 0) & np.isfinite(lengths))
    whole: NDArray[np.int16] = np.rint(unit * SCALE).astype("<i2")
    return whole


def embed_windows(embedder: Embedder, texts: Mapping[str, str]) -> dict[str, NDArray[np.int16]]:
    """For each text the rows (windows, d) of its windows: one batch for the embedder. Errors: the embedder's."""
    windows = {name: embedder.windows(text) or [text] for name, text in texts.items()}
    every = [window for group in windows.values() for window in group]
    if not every:
        return {}
    ends = np.cumsum([len(group) for group in windows.values()])
    return dict(zip(windows, np.split(quantise(embedder.embed(every)), ends[:-1]), strict=True))


@dataclass(frozen=True, slots=True)
class Matrix:
    """The windows of all chunks: `rows` (windows, d) int16; chunk i has those from `starts[i]` to `starts[i + 1]`."""

    rows: NDArray[np.int16]
    starts: NDArray[np.intp]

    def nearest(self, queries: NDArray[np.float32], k: int) -> list[list[int]]:
        """For each query (n, d) the k chunks with the nearest window by cosine, best first, equal ones by number."""
        exact = quantise(queries).astype(np.float32)
        found: list[list[int]] = []
        for first in range(0, len(exact), _QUERIES):
            best = [_NONE] * len(exact[first : first + _QUERIES])
            for chunk, scores in self._scores(exact[first : first + _QUERIES]):
                best = [_best(known, chunk, row, k) for known, row in zip(best, scores, strict=True)]
            found += [places.tolist() for places, _ in best]
        return found

    def _scores(self, queries: NDArray[np.float32]) -> Iterator[tuple[int, NDArray[np.float32]]]:
        """The first chunk of each block, and for the block's chunks (n, chunks) the score of their best window."""
        chunk = 0
        while chunk < len(self.starts) - 1:
            start = self.starts[chunk]
            # As many whole chunks as fit, at least one.
            end = max(chunk + 1, int(np.searchsorted(self.starts, start + _ROWS, side="right")) - 1)
            block = self.rows[start : self.starts[end]].astype(np.float32)
            yield chunk, np.maximum.reduceat(queries @ block.T, self.starts[chunk:end] - start, axis=1)
            chunk = end


def _best(known: Best, chunk: int, scores: NDArray[np.float32], k: int) -> Best:
    """The k best of those known and of the chunks from `chunk` on, best first; equal ones by number."""
    places, values = known
    new = np.flatnonzero(scores > (values[-1] if len(values) == k else -np.inf))
    if not len(new):
        return known
    if len(new) > k:  # all of a first block: fewer are to be sorted
        new = new[scores[new] >= np.partition(scores[new], -k)[-k]]
    both = np.concatenate((values, scores[new]))
    order = np.argsort(-both, kind="stable")[:k]  # stable: ascending places of equal scores keep their order
    return np.concatenate((places, chunk + new))[order], both[order]


def fuse(
    rankings: Sequence[Sequence[T]], order: Callable[[T], Any], weights: Sequence[float] = ()
) -> list[tuple[T, float]]:
    """All ranked things with their fused score, best first: reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR
    2009, there without weights).

    score(x) = sum over the rankings that hold x of weight / (K + rank of x), ranks from 1. A thing that stands twice in
    one ranking counts once, at its better rank. Equal scores are ordered by `order`, so the order of the rankings, each
    with its weight, makes no difference.
    """
    parts: dict[T, list[float]] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            parts.setdefault(item, []).append(weight / (K + rank))
    # fsum rounds once: the same parts give the same sum in any order.
    scores = {item: math.fsum(found) for item, found in parts.items()}
    return sorted(scores.items(), key=lambda pair: (-pair[1], order(pair[0])))


def settled(query: str, chunks: Sequence[Cut]) -> bool:
    """Whether a sentence of the first LOOKED `chunks` says, with its neighbours, every key term of the query."""
    wanted = frozenset(key_terms(query))
    return len(wanted) >= LEAST and any(_says(wanted, chunk) for chunk in chunks[:LOOKED])


def _says(wanted: frozenset[str], chunk: Cut) -> bool:
    if not all(term in chunk.where for term in wanted):
        return False
    units = chunk.units
    return any(
        wanted <= frozenset[str]().union(*(unit.terms for unit in units[max(0, at - _AROUND) : at + _AROUND + 1]))
        for at in range(len(units))
    )


class Listing(Protocol):
    """One state of an index: its chunks have places, by source and position of their first occurrence."""

    def by_words(self, texts: Iterable[str]) -> dict[str, list[int]]:
        """For each text the places of the DEPTH best chunks by BM25, best first, equal ones by place; nothing for a
        text without words."""
        ...

    def evidence_at(self, places: Iterable[int]) -> dict[int, Evidence]:
        """place -> its chunk, without score; a store may lack what was deleted meanwhile."""
        ...


@dataclass(frozen=True, slots=True)
class Search:
    """Queries as they are sought in a listing: the text for each, those of them that words settle, and what is known
    of the listing by now."""

    texts: list[str]
    settled: set[str]
    words: dict[str, list[int]]
    shown: dict[int, Evidence]

    def open(self, apart: bool) -> list[str]:
        """The texts, each once, whose nearest vectors are wanted: for `apart` also where words settle a text."""
        return [text for text in dict.fromkeys(self.texts) if query_terms(text) and (apart or text not in self.settled)]


def begin(listing: Listing, queries: Sequence[str], about: Sequence[str]) -> Search:
    """Words first. A query that they settle is sought as it is, any other together with what it was said about, if
    that is known. The line break keeps such a text apart from a claim that reads the same, which may be settled."""
    words = listing.by_words(query for query in queries if len(key_terms(query)) >= LEAST)
    shown = listing.evidence_at({place for places in words.values() for place in places[:LOOKED]})
    cuts = {place: cut(chunk) for place, chunk in shown.items()}
    done = {q for q, places in words.items() if settled(q, [cuts[at] for at in places[:LOOKED] if at in cuts])}
    pairs = zip(queries, about or [""] * len(queries), strict=True)
    texts = [query if query in done or not of else f"{of}\n{query}" for query, of in pairs]
    return Search(texts, done, words, shown)


def finish(listing: Listing, search: Search, near: Mapping[str, Sequence[int]], k: int, apart: bool) -> list[Ranking]:
    """The ranking for each query; `near` has the places that vectors found for the open texts."""
    words = {text: search.words[text] for text in search.texts if text in search.words}
    words |= listing.by_words(text for text in search.texts if text not in words)
    ranked = {
        text: _fused(places, near.get(text, ()), k, text in search.settled, apart) for text, places in words.items()
    }
    wanted = {place for three in ranked.values() for one in three for place, _ in one}
    shown = search.shown | listing.evidence_at(wanted - search.shown.keys())
    found = {
        text: Ranking(
            *(tuple(replace(shown[at], score=round(score, 6)) for at, score in one if at in shown) for one in three)
        )
        for text, three in ranked.items()
    }
    return [found.get(text, Ranking((), (), ())) for text in search.texts]


def _fused(
    words: Sequence[int], near: Sequence[int], k: int, is_settled: bool, apart: bool
) -> tuple[Scored, Scored, Scored]:
    """The k best places by words, by vectors, and fused. The vectors of a settled text have no part in the last. The
    single lists, scored by 1 / rank as they have no scores that compare, are empty unless `apart`."""
    fused = fuse((words, () if is_settled else near), order=int, weights=(WORDS_WEIGHT, 1.0))[:k]
    if not apart:
        return (), (), fused
    first, second = ([(place, 1 / rank) for rank, place in enumerate(one[:k], 1)] for one in (words, near))
    return first, second, fused
