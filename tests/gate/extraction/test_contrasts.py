"""Words of contrast in the middle of a sentence are no part of what it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.contrasts import uncontrasted
from gate.extraction.extract import extract

WORDS = ["The lid", "`x`", ", however,", ", in turn,", ", which", " ", "is red", "opens", ". ", "\n", "\n```\n"]


@pytest.mark.parametrize("word", ["on the other hand", "by contrast", "however", "in comparison", "though", "in turn"])
def test_a_contrast_between_subject_and_verb_is_not_told(word: str) -> None:
    answer = f"The miller waits. `STOP`, {word}, ends the work and shuts the mill."
    claims = ["The miller waits.", "`STOP` ends the work.", "`STOP` shuts the mill."]
    assert [claim.text for claim in extract(answer, "What happens on WAIT?")] == claims


@pytest.mark.parametrize(
    "text",
    [
        "The lid is red, however, the wheel is blue.",
        "The lid, which is red, however, opens.",
        "```\nThe lid, however, opens.\n```",
        "However, it opens.",
    ],
)
def test_what_joins_or_closes_stays(text: str) -> None:
    assert uncontrasted(text) == text


@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_all_places_stay(words: list[str]) -> None:
    text = "".join(words)
    told = uncontrasted(text)
    assert len(told) == len(text)
    assert all(new in (old, " ") for old, new in zip(text, told, strict=True))
