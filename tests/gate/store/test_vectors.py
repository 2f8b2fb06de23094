"""Vectors: exact whole numbers, the best window of each chunk, ties by number, whatever the batch."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.store import vectors
from gate.store.vectors import SCALE, Matrix, quantise


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


@settings(max_examples=40)
@given(st.integers(0, 1000), st.lists(st.integers(1, 4), min_size=1, max_size=30), st.integers(1, 40))
def test_nearest_is_the_exact_ranking(seed: int, sizes: list[int], k: int) -> None:
    rng = np.random.default_rng(seed)
    rows = unit(rng, sum(sizes), 8)
    rows[rng.integers(0, len(rows), len(rows) // 3)] = rows[0]  # equal windows: ties
    queries = np.concatenate([unit(rng, 3, 8), rows[:1]])
    assert matrix(rows, sizes).nearest(queries, k) == by_hand(queries, rows, sizes, k)


def test_blocks_do_not_show() -> None:
    rng = np.random.default_rng(7)
    sizes = [int(size) for size in rng.integers(1, 30, 3000)]  # several blocks of windows
    rows, queries = unit(rng, sum(sizes), 16), unit(rng, 300, 16)  # two blocks of queries
    assert sum(sizes) > 2 * vectors._ROWS
    assert len(queries) > vectors._QUERIES
    index = matrix(rows, sizes)
    together = index.nearest(queries, 20)
    assert together[::60] == by_hand(queries[::60], rows, sizes, 20)
    assert together == [one for query in queries for one in index.nearest(query[None], 20)]


def test_a_chunk_larger_than_a_block_is_whole() -> None:
    rows = unit(np.random.default_rng(1), vectors._ROWS + 50, 4)
    sizes = [10, vectors._ROWS + 30, 10]
    assert matrix(rows, sizes).nearest(rows[vectors._ROWS + 35 :][:1], 1) == [[1]]


@pytest.mark.parametrize("dimension", [64, 384, 1024, 3072, 8192])
def test_products_stay_exact_in_float32(dimension: int) -> None:
    # The worst row: as long as rounding can make it. Beyond 2 ** 24 float32 would begin to round.
    assert (SCALE + dimension**0.5 / 2) ** 2 < 2**24
    worst = np.full((1, dimension), 1, np.float32)
    whole = quantise(worst).astype(np.int64)
    assert int((whole * whole).sum()) < 2**24


def test_quantise_keeps_cosines_and_survives_rubbish() -> None:
    rows = unit(np.random.default_rng(3), 50, 384)
    exact, kept = rows @ rows.T, quantise(rows).astype(np.float64) / SCALE
    assert np.abs(kept @ kept.T - exact).max() < 2e-3
    rubbish = np.array([[0, 0], [np.nan, 1], [np.inf, 1], [3, 4]], np.float32)
    assert quantise(rubbish).tolist() == [[0, 0], [0, 0], [0, 0], [2400, 3200]]


def test_no_queries() -> None:
    assert matrix(unit(np.random.default_rng(0), 2, 4), [1, 1]).nearest(np.empty((0, 4), np.float32), 5) == []
