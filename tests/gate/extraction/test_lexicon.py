"""Words of English grammar."""

import pytest

from gate.extraction import lexicon
from gate.extraction.lexicon import AUX, BASE, CLITICS, DETERMINERS, PAST, PLURAL, SUBJECTS, THIRD, third

LISTS = [name for name in dir(lexicon) if name.isupper() and not name.startswith("_")]


@pytest.mark.parametrize(
    ("verb", "expected"),
    [("bake", "bakes"), ("go", "goes"), ("mix", "mixes"), ("carry", "carries"), ("play", "plays"), ("press", "presses"),
     ("catch", "catches"), ("wash", "washes"), ("buzz", "buzzes"), ("be", "bes"), ("buy", "buys"),
     ("have", "has")],
)  # fmt: skip
def test_third_person(verb: str, expected: str) -> None:
    assert third(verb) == expected


@pytest.mark.parametrize("name", LISTS)
def test_words_are_as_tokens_show_them(name: str) -> None:
    words = getattr(lexicon, name)
    assert len(LISTS) >= 10
    assert words
    assert all(word == word.lower().strip() and "’" not in word and " " not in word for word in words)


def test_every_verb_has_its_forms() -> None:
    assert {third(verb) for verb in BASE} <= THIRD
    assert {"carried", "stayed", "used", "stopped", "went", "added"} <= PAST
    assert {"has", "does"} <= THIRD


@pytest.mark.parametrize(
    ("one", "other"), [(BASE, THIRD), (AUX, CLITICS), (CLITICS, SUBJECTS), (AUX, DETERMINERS), (BASE, PLURAL)]
)
def test_what_must_not_be_both(one: frozenset[str], other: frozenset[str]) -> None:
    assert one & other == frozenset()


def test_be_is_no_finite_verb() -> None:
    assert not {"be", "been"} & AUX
    assert all("'" in word for word in CLITICS)
