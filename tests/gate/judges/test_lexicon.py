from __future__ import annotations

import pytest

from gate.judges import lexicon as module
from gate.judges.lexicon import lexicon, listed


def test_a_rare_word_weighs_more_than_a_common_one_and_an_unknown_one_most() -> None:
    weights = lexicon().weights
    assert weights["the"] < weights["file"] < 1.0
    assert all(0.0 <= weight <= 1.0 for weight in weights.values())
    assert "zyzzyva" not in weights


@pytest.mark.parametrize(
    ("a", "b"),
    [("enabled", "disabled"), ("before", "after"), ("minimum", "maximum"), ("supported", "unsupported"),
     ("PUT", "PATCH"), ("valid", "invalid"), ("synchronous", "asynchronous"), ("client", "server")],
)  # fmt: skip
def test_opposites_hold_both_ways(a: str, b: str) -> None:
    book = lexicon()
    left, right = book.key(a.lower()), book.key(b.lower())
    assert book.opposed(left, right)
    assert book.opposed(right, left)


def test_no_word_is_its_own_opposite() -> None:
    book = lexicon()
    assert not [word for word, others in book.opposites.items() if word in others]
    assert not book.opposed("port", "import")  # a prefix of denial must be the whole difference and mean denial
    assert not book.opposed("able", "cable")
    assert not book.opposed("unless", "less")


@pytest.mark.parametrize(
    ("a", "b"), [("forbidden", "forbid"), ("chosen", "chose"), ("took", "taken"), ("children", "child")]
)
def test_irregular_forms_have_one_key(a: str, b: str) -> None:
    assert lexicon().key(a) == lexicon().key(b)


def test_synonyms_share_a_group_and_a_word_may_be_in_several() -> None:
    book = lexicon()
    groups = book.groups
    assert groups[book.key("delete")] & groups[book.key("removed")]
    assert len(groups[book.key("rest")]) > 1


def test_listed_splits_on_blanks() -> None:
    assert listed(" a  b\nc ") == {"a", "b", "c"}


def test_the_tables_are_read_once() -> None:
    assert lexicon() is lexicon()
    assert module.MODELS.is_dir()
