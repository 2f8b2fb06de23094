"""Two amounts behind one verb."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.gapped import gapped
from gate.extraction.pieces import Piece


def cut(text: str) -> list[str]:
    return [piece.prefix + text[piece.start : piece.end] for piece in gapped(text, Piece("", 0, len(text)))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The toll is 4 crowns for carts and 9 crowns for barges.",
         ["The toll is 4 crowns for carts", "The toll is 9 crowns for barges."]),
        ("Millers pay 12 euros a month and 120 euros a year.",
         ["Millers pay 12 euros a month", "Millers pay 120 euros a year."]),
        ("The lease asks for a deposit of 300 euros and a monthly rent of 45 euros.",
         ["The lease asks for a deposit of 300 euros", "The lease asks for a monthly rent of 45 euros."]),
        ("The toll is 4 crowns for carts and 9 for barges.",
         ["The toll is 4 crowns for carts", "The toll is 9 crowns for barges."]),
        ("The lease asks for 3 working days for mills and 6 for barns.",
         ["The lease asks for 3 working days for mills", "The lease asks for 6 working days for barns."]),
        ("The toll is 4 for carts and 9 for barges.", ["The toll is 4 for carts", "The toll is 9 for barges."]),
        ("Pay 5 euros at the gate and 3 euros at the barn.", ["Pay 5 euros at the gate", "Pay 3 euros at the barn."]),
    ],
)  # fmt: skip
def test_two_amounts(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The mill has 4 wheels and 2 gates.",
        "The toll is between 4 crowns for carts and 9 crowns for barges.",
        "The toll is both 4 crowns for carts and 9 crowns for barges.",
        "It weighs 5 kg with the wheel and 3 kg without it.",
        "The set holds 12 sacks of rye and 6 bowls of oats.",
        "The toll is 4 crowns for carts, 9 crowns for barges and 12 crowns for rafts.",
        "The toll is 4 crowns for carts and 9 crowns for barges that are full.",
        "The lease asks for a deposit and a rent of 45 euros.",
        "4 crowns for carts and 9 crowns for barges.",
        "",
    ],
)
def test_what_stays_whole(text: str) -> None:
    assert cut(text) == [text]


@given(
    st.lists(st.sampled_from(["toll", "is", "pays", "4", "crowns", "for", "a", "and", "of", ",", "per", "pay", "."]))
)
def test_pieces_are_in_order_and_inside(words: list[str]) -> None:
    text = " ".join(words)
    pieces = gapped(text, Piece("", 0, len(text)))
    assert pieces[0].start == 0
    assert pieces[-1].end == len(text)
    assert all(a.end <= b.start for a, b in zip(pieces, pieces[1:], strict=False))
