"""How chunks are ranked: exact vectors, rankings fused with stable ties, queries that words settle."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.records import Evidence
from gate.store import ranking
from gate.store.passages import Cut, cut, key_terms
from gate.store.ranking import LEAST, LOOKED, SCALE, K, Matrix, fuse, quantise, settled

POOL = "The pool opens in May.\n\nIt holds ninety swimmers at once.\n\nTowels cost three euros.\n\nDogs stay outside."
WORDS = ("pool", "towel", "swimmer", "euro", "dog", "lamp", "bridge", "ninety")
rankings = st.lists(st.lists(st.integers(0, 30), max_size=12), max_size=4)


def unit(rng: np.random.Generator, count: int, dimension: int) -> np.ndarray:
    rows = rng.normal(size=(count, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def matrix(rows: np.ndarray, sizes: list[int]) -> Matrix:
    return Matrix(quantise(rows), np.concatenate(([0], np.cumsum(sizes))).astype(np.intp))


def by_hand(queries: np.ndarray, rows: np.ndarray, sizes: list[int], k: int) -> list[list[int]]:
    starts = [0, *np.cumsum(sizes)]
    found = []
    for query in quantise(queries).astype(np.int64):
        products = quantise(rows).astype(np.int64) @ query
        best = [max(products[a:b]) for a, b in zip(starts, starts[1:], strict=False)]
        found.append(sorted(range(len(best)), key=lambda place: (-best[place], place))[:k])
    return found


@settings(max_examples=30)
@given(st.integers(0, 1000), st.lists(st.integers(1, 4), min_size=1, max_size=30), st.integers(1, 40))
def test_nearest_is_the_exact_ranking(seed: int, sizes: list[int], k: int) -> None:
    rng = np.random.default_rng(seed)
    rows = unit(rng, sum(sizes), 8)
    rows[rng.integers(0, len(rows), len(rows) // 3)] = rows[0]  # equal windows: ties
    queries = np.concatenate([unit(rng, 3, 8), rows[:1]])
    assert matrix(rows, sizes).nearest(queries, k) == by_hand(queries, rows, sizes, k)
    assert matrix(rows, sizes).nearest(queries[:0], k) == []


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "_ROWS", 64)
    monkeypatch.setattr(ranking, "_QUERIES", 8)
    rng = np.random.default_rng(7)
    sizes = [int(size) for size in rng.integers(1, 30, 60)] + [100]  # one is larger than a block
    rows, queries = unit(rng, sum(sizes), 16), unit(rng, 20, 16)
    index = matrix(rows, sizes)
    together = index.nearest(queries, 20)
    assert together == by_hand(queries, rows, sizes, 20)
    assert together == [one for query in queries for one in index.nearest(query[None], 20)]


@pytest.mark.parametrize("dimension", [64, 384, 8192])
def test_products_stay_exact_in_float32(dimension: int) -> None:
    # The worst row: as long as rounding can make it. Beyond 2 ** 24 float32 would begin to round.
    assert (SCALE + dimension**0.5 / 2) ** 2 < 2**24
    whole = quantise(np.full((1, dimension), 1, np.float32)).astype(np.int64)
    assert int((whole * whole).sum()) < 2**24


def test_a_vector_that_is_none_is_near_to_nothing() -> None:
    rubbish = np.array([[0, 0], [np.nan, 1], [np.inf, 1], [3, 4]], np.float32)
    assert quantise(rubbish).tolist() == [[0, 0], [0, 0], [0, 0], [2400, 3200]]


def test_the_score_is_the_weighted_sum_of_reciprocal_ranks() -> None:
    assert fuse([["a", "b"], ["b", "c"]], order=str) == [
        ("b", pytest.approx(1 / 62 + 1 / 61)),
        ("a", pytest.approx(1 / 61)),
        ("c", pytest.approx(1 / 62)),
    ]
    assert fuse([["a"], ["b"]], order=str, weights=(1, 3))[0] == ("b", pytest.approx(3 / (K + 1)))
    assert fuse([["a", "b", "a"]], order=str) == fuse([["a", "b"]], order=str)  # once, at the better rank
    with pytest.raises(ValueError, match="zip"):
        fuse([["a"], ["b"]], order=str, weights=(1,))


@given(rankings, st.randoms())
def test_everything_comes_once_sorted_whatever_the_order_of_the_rankings(
    lists: list[list[int]], random: object
) -> None:
    found = fuse(lists, order=int)
    assert sorted(item for item, _ in found) == sorted({item for one in lists for item in one})
    assert found == sorted(found, key=lambda pair: (-pair[1], pair[0]))
    shuffled = sorted(lists, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert found == fuse(shuffled, order=int)


def cuts(*texts: str) -> list[Cut]:
    return [cut(Evidence("a.md", 1, text, 0.0)) for text in texts]


@pytest.mark.parametrize(
    ("query", "texts", "is_settled"),
    [
        ("It holds ninety swimmers in the pool in May.", [POOL], True),  # of two sentences that follow each other
        ("Swimmers pay three euros for towels in the pool.", [POOL], False),  # `pay` stands nowhere
        ("Towels cost three euros and dogs stay outside.", ["Nothing here.", POOL], True),
        ("Dogs stay outside of the pool in May.", [POOL], False),  # too far from each other
        ("Towels cost.", [POOL], False),  # two words stand together in many places
        ("Towels cost three euros at once.", ["Nothing here."] * LOOKED + [POOL], False),  # not among the best chunks
    ],
)
def test_a_query_whose_words_stand_together_is_settled(query: str, texts: Sequence[str], is_settled: bool) -> None:
    assert settled(query, cuts(*texts)) is is_settled


@settings(max_examples=50)
@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), max_size=6), st.sets(st.sampled_from(WORDS)))
def test_what_is_settled_is_said_in_whole(sentences: list[list[str]], asked: set[str]) -> None:
    query, text = " ".join(sorted(asked)), " ".join(f"{' '.join(words)}.".capitalize() for words in sentences)
    if settled(query, cuts(text)):
        assert set(key_terms(query)) <= set(key_terms(text))
    if any(asked <= set(words) for words in sentences):
        assert settled(query, cuts(text)) is (len(asked) >= LEAST)
