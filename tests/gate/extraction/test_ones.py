"""`A hard one` with its noun."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.ones import with_noun


@pytest.mark.parametrize(
    ("text", "before", "question", "expected"),
    [
        ("A wet one sinks.", ["A dry raft stays put."], "", "A wet raft sinks."),
        ("A second one costs more.", ["A first load of coal is free."], "", "A second load costs more."),
        ("You can sell a wet one.", [], "What is a wet raft?", "You can sell a wet raft."),
        ("The crew learns of a wet one at noon.", ["Wet rafts sink."], "", "The crew learns of a wet raft at noon."),
        ("You can sell a wet one.", ["Wet rafts sink.", "Wet barges sink."], "", "You can sell a wet one."),
        ("You can sell the first one.", ["The first raft sank."], "", "You can sell the first one."),
        ("A wet one sinks.", ["Rafts float."], "", "A wet one sinks."),
        ("A wet one of oak sinks.", ["They float."], "", "A wet one of oak sinks."),
        ("It is wet.", ["Rafts float."], "", "It is wet."),
    ],
)
def test_the_noun_of_one(text: str, before: list[str], question: str, expected: str) -> None:
    assert with_noun(text, before, question) == expected


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=3), st.text(max_size=40))
def test_any_text_can_be_read(text: str, before: list[str], question: str) -> None:
    assert with_noun(f"a wet one {text}", before, question).startswith("a wet ")
