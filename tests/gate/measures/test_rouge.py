"""ROUGE-L against its definition, counted the slow way."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.measures.rouge import common, rouge_l

WORDS = st.lists(st.sampled_from(["red", "green", "pump", "tank", "9"]), max_size=9)


def slow(one, other):
    @cache
    def of(i, j):
        if not i or not j:
            return 0
        if one[i - 1] == other[j - 1]:
            return of(i - 1, j - 1) + 1
        return max(of(i - 1, j), of(i, j - 1))

    return of(len(one), len(other))


@given(WORDS, WORDS)
def test_the_longest_common_sequence_is_that_of_the_definition(one, other):
    assert common(one, other) == slow(one, other)


@given(WORDS, WORDS)
def test_it_is_a_share_and_the_same_both_ways(one, other):
    left, right = " ".join(one), " ".join(other)
    assert 0.0 <= rouge_l(left, right) <= 1.0
    assert rouge_l(left, right) == rouge_l(right, left)
    assert rouge_l(left, left) == 1.0


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [
        ("police killed the gunman", "police kill the gunman", 0.75),
        ("the pump is red", "The pump is red!", 1.0),
        ("one two three four", "four three two one", 0.25),
        ("a b c d e f", "a b c", 2 * 3 / 9),
        ("", "", 1.0),
        ("", "red", 0.0),
        ("red", "green", 0.0),
    ],
)
def test_known_values(one, other, value):
    assert rouge_l(one, other) == pytest.approx(value)


def test_answers_of_thousands_of_words_take_no_time():
    text = " ".join(f"word{n % 977}" for n in range(20_000))
    assert rouge_l(text, text[9:]) > 0.99
