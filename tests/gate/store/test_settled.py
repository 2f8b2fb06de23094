"""Which queries need no vector."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.records import Evidence
from gate.store.passages import Cut, cut, key_terms
from gate.store.settled import LEAST, LOOKED, settled, short

POOL = "The pool opens in May.\n\nIt holds ninety swimmers at once.\n\nTowels cost three euros.\n\nDogs stay outside."
WORDS = ("pool", "towel", "swimmer", "euro", "dog", "lamp", "bridge", "ninety")


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
        ("Towels cost three euros at once.", [], False),
    ],
)
def test_a_query_whose_words_stand_together_is_settled(query: str, texts: Sequence[str], is_settled: bool) -> None:
    assert settled(query, cuts(*texts)) is is_settled


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), max_size=6), st.sets(st.sampled_from(WORDS)))
def test_what_is_settled_is_said_in_whole(sentences: list[list[str]], asked: set[str]) -> None:
    query, text = " ".join(sorted(asked)), " ".join(f"{' '.join(words)}.".capitalize() for words in sentences)
    if settled(query, cuts(text)):
        assert set(key_terms(query)) <= set(key_terms(text))
    if any(asked <= set(words) for words in sentences):
        assert settled(query, cuts(text)) is not short(query)
    assert short(query) is (len(asked) < LEAST)
