"""What a word looks like beside a verb."""

from __future__ import annotations

from gate.extraction.forms import can_end_subject, looks_base, looks_third, measured
from gate.extraction.tokens import tokenise


def test_what_a_subject_can_end_in() -> None:
    assert [can_end_subject(word) for word in ("lid", "one", "the", "of", "and", "lid's")] == [True, True, *[False] * 4]


def test_verbs_of_no_list() -> None:
    assert looks_third("flurbs")
    assert not looks_third("across")
    assert looks_base("flurb")
    assert not looks_base("flurbing")


def test_where_an_object_begins() -> None:
    assert [measured(tokenise(text, 0, len(text))[0]) for text in ("the", "5", "€5", "lid")] == [
        True,
        True,
        True,
        False,
    ]
