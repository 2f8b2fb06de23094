"""Rankings worked out by hand, and what holds of every ranking."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.statistics.intervals import NOT_KNOWN
from gate.statistics.ranking import RETRIEVAL, averaged, rated

A, B, C = frozenset("a"), frozenset("b"), frozenset("c")
AB = frozenset("ab")  # a line in the overlap of two chunks
NOWHERE = frozenset()
second, third = 1 / math.log2(3), 1 / math.log2(4)
chunks = st.sampled_from("abcdefgh")
rankings = st.lists(chunks, max_size=8)
places = st.lists(st.frozensets(chunks, max_size=3), min_size=1, max_size=5)
sizes = st.integers(1, 10)


@pytest.mark.parametrize(
    ("ranking", "wanted", "k", "hit", "mrr", "recall", "ndcg"),
    [
        ("a", [A], 5, 1, 1, 1, 1),
        ("xa", [A], 5, 1, 1 / 2, 1, second),
        ("axb", [A, B], 5, 1, 1, 1, (1 + third) / (1 + second)),
        ("xba", [AB], 5, 1, 1 / 2, 1, second),  # the overlap is found once, at its better rank
        ("a", [A, A], 5, 1, 1, 1, 1),  # two labelled lines in one chunk
        ("ba", [A, A, B], 5, 1, 1, 1, (1 + 2 * second) / (2 + second)),
        ("a", [A, NOWHERE], 5, 1, 1, 1 / 2, 1 / (1 + second)),  # what is not indexed counts as not found
    ],
)
def test_rankings_worked_out_by_hand(ranking, wanted, k, hit, mrr, recall, ndcg):
    assert rated(ranking, wanted, k) == pytest.approx({"hit_rate": hit, "mrr": mrr, "recall": recall, "ndcg": ndcg})


@given(rankings, places, sizes)
def test_every_measure_stays_between_0_and_1(ranking, wanted, k):
    assert all(0 <= value <= 1 for value in rated(ranking, wanted, k).values())


@given(rankings, places, sizes)
def test_a_longer_list_never_finds_less(ranking, wanted, k):
    fewer, more = rated(ranking, wanted, k), rated(ranking, wanted, k + 1)
    assert all(fewer[name] <= more[name] for name in ("hit_rate", "mrr", "recall"))


@given(st.lists(st.frozensets(chunks, min_size=1, max_size=1), min_size=1, max_size=5), st.lists(chunks), sizes)
def test_a_perfect_ranking_is_1(wanted, rest, k):
    """Chunks by the places they hold, then anything: recall too where k has room for all of them."""
    first = sorted({chunk for place in wanted for chunk in place}, key=lambda one: (-wanted.count(frozenset(one)), one))
    found = rated([*first, *rest], wanted, k)
    assert found["hit_rate"] == found["mrr"] == found["ndcg"] == 1
    assert found["recall"] == 1 or k < len(first)


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(RETRIEVAL, st.floats(0, 1))), min_size=1, max_size=30))
def test_a_figure_lies_within_its_interval(values):
    for name, figure in averaged(values).items():
        low, high = figure.interval
        assert 0 <= low <= figure.value + 1e-12
        assert figure.value - 1e-12 <= high <= 1
        assert figure.value == pytest.approx(sum(one[name] for one in values) / len(values))


def test_intervals_are_repeatable_and_honest_about_few_questions():
    some = [dict.fromkeys(RETRIEVAL, value) for value in (0, 0.25, 0.5, 1) * 5]
    assert averaged(some) == averaged(some) == averaged(some[::-1])
    low, high = averaged(some)["ndcg"].interval
    assert 0.25 < low < 0.4375 < high < 0.65  # about 2 x 0.37 / sqrt(20) either way
    low, _ = averaged([dict.fromkeys(RETRIEVAL, 1.0)] * 20)["mrr"].interval
    assert low == pytest.approx(0.8389, abs=1e-3)  # Wilson's, not a point
    low, high = averaged([dict.fromkeys(RETRIEVAL, 0.5)])["recall"].interval
    assert (low, high) == pytest.approx((0.0546, 0.9454), abs=1e-3)


def test_nothing_is_known_of_no_question():
    assert set(averaged([]).values()) == {NOT_KNOWN}
