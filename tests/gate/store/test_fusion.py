"""Reciprocal rank fusion: the formula, ties, duplicates, and what must not matter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.store.fusion import K, fuse

rankings = st.lists(st.lists(st.integers(0, 30), max_size=12), max_size=4)


def test_score_is_the_sum_of_reciprocal_ranks() -> None:
    assert fuse([["a", "b"], ["b", "c"]], order=str) == [
        ("b", pytest.approx(1 / 62 + 1 / 61)),
        ("a", pytest.approx(1 / 61)),
        ("c", pytest.approx(1 / 62)),
    ]


def test_a_weight_multiplies_the_votes_of_its_ranking() -> None:
    assert [item for item, _ in fuse([["a", "b"], ["b", "a"]], order=str, weights=(1, 3))] == ["b", "a"]
    assert fuse([["a"], ["b"]], order=str, weights=(1, 3))[0] == ("b", pytest.approx(3 / (K + 1)))


def test_weights_and_rankings_must_be_as_many() -> None:
    with pytest.raises(ValueError, match="zip"):
        fuse([["a"], ["b"]], order=str, weights=(1,))


def test_a_thing_counts_once_per_ranking_at_its_better_rank() -> None:
    assert fuse([["a", "b", "a"]], order=str) == fuse([["a", "b"]], order=str)


def test_nothing_gives_nothing() -> None:
    assert fuse([], order=str) == fuse([[], []], order=str) == []


@given(rankings)
def test_everything_comes_once_sorted_by_score_then_order(lists: list[list[int]]) -> None:
    found = fuse(lists, order=int)
    assert sorted(item for item, _ in found) == sorted({item for one in lists for item in one})
    assert found == sorted(found, key=lambda pair: (-pair[1], pair[0]))


@given(rankings, st.randoms())
def test_the_order_of_the_rankings_does_not_matter(lists: list[list[int]], random: object) -> None:
    shuffled = sorted(lists, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert fuse(lists, order=int) == fuse(shuffled, order=int)


@given(rankings)
def test_what_stands_first_everywhere_comes_first(lists: list[list[int]]) -> None:
    assert fuse([[99, *one] for one in [*lists, []]], order=int)[0][0] == 99
