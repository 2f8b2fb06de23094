"""What is said of a part is a claim of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.clauses import Piece
from gate.extraction.extract import extract
from gate.extraction.shares import shares


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The hall has up to 100 seats, of which 20 are kept free.",
            ["The hall has up to 100 seats.", "Of the 100 seats, 20 are kept free."],
        ),
        (
            "The firm runs three mills, two of which are in Ghent.",
            ["The firm runs three mills.", "Two of the three mills are in Ghent."],
        ),
        (
            "It employs the old crew, most of whom live in Ghent.",
            ["It employs the old crew.", "Most of the old crew live in Ghent."],
        ),
        (
            "The 40 boats, of which nine are blue, leave at noon.",
            ["The 40 boats, of which nine are blue, leave at noon.", "Of the 40 boats, nine are blue."],
        ),
        (
            "Up to 40 films may be out on one card, of which no more than ten may be new.",
            ["Up to 40 films may be out on one card.", "Of the 40 films, no more than ten may be new."],
        ),
        (
            "There are sixteen paid weeks to be had, ten of which can be sold.",
            ["There are sixteen paid weeks to be had.", "Ten of the sixteen paid weeks can be sold."],
        ),
        ("Order 12 chairs, of which 2 must fold.", ["Order 12 chairs.", "Of the 12 chairs, 2 must fold."]),
        (
            "If it rains, the hall opens 30 seats, of which 5 are dry.",
            ["If it rains, the hall opens 30 seats.", "Of the 30 seats, 5 are dry."],
        ),
    ],
)
def test_a_part_and_its_whole(text: str, expected: list[str]) -> None:
    assert [claim.text for claim in extract(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "The hall has 100 seats, of which 20 free.",
        "The limit is 5, which is fine.",
        "It is made of wood, of course.",
        "",
    ],
)
def test_what_has_no_verb_of_its_own_stays(text: str) -> None:
    assert shares(text, Piece("", 0, len(text))) == [Piece("", 0, len(text))]


@given(
    st.lists(
        st.sampled_from(
            ["the", "hall", "has", "20", "seats", ",", "of", "which", "whom", "two", "are", "free", "is", ".", ";"]
        ),
        max_size=30,
    )
)
def test_any_words_give_pieces_inside_the_sentence(words: list[str]) -> None:
    text = " ".join(words)
    for piece in shares(text, Piece("", 0, len(text))):
        assert 0 <= piece.start <= piece.end <= len(text)


@pytest.mark.parametrize("unit", [", of which 2 are ", "a, two of which ", "5 "])
def test_long_and_hostile_texts_end(unit: str) -> None:
    text = unit * (5_000 // len(unit))
    assert shares(text, Piece("", 0, len(text)))
