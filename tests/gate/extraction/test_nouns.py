"""Nouns that look like verbs begin no clause."""

import pytest

from gate.extraction.extract import extract


@pytest.mark.parametrize(
    "said",
    [
        "Stones come first, then wooden wheels, then lids (the oldest mill wins).",
        "The mill reads the label first, then old notes.",
        "`mill drop` takes the sacks and grants away along with the wheel.",
    ],
)
def test_the_next_of_several_things_stays_with_them(said: str) -> None:
    assert [claim.text for claim in extract(said)] == [said]


def test_what_happens_next_is_a_claim() -> None:
    said = "The lid opens, then the wheel turns, then it rings."
    assert len(extract(said)) == 3
