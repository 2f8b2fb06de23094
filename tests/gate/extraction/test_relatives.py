"""What a relative clause behind a comma adds is told of the noun that it surely tells of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.extract import extract
from gate.extraction.pieces import Piece
from gate.extraction.relatives import relatives


def claims(text: str) -> list[str]:
    return [claim.text for claim in extract(text)]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The pump feeds a small tank, which holds 5 litres.",
         ["The pump feeds a small tank.", "The small tank holds 5 litres."]),
        ("A dry run raises `TankError`, which carries the pressure in bar.",
         ["A dry run raises `TankError`.", "`TankError` carries the pressure in bar."]),
        ("Before lunch, run `pump check`, which changes nothing.",
         ["Before lunch, run `pump check`.", "`pump check` changes nothing."]),
        ("Set `mode` to 3 and provide a `pressure_key`, which must be 8 bytes long.",
         ["Set `mode` to 3.", "Provide a `pressure_key`.", "`pressure_key` must be 8 bytes long."]),
        ("The list names all old pumps, which keep working for a year.",
         ["The list names all old pumps.", "All old pumps keep working for a year."]),
        ("The valve is on our list of dry pumps, which is in the yard.",
         ["The valve is on our list of dry pumps.", "Our list of dry pumps is in the yard."]),
        ("The pump skips Monday's water, which stays in the tank.",
         ["The pump skips Monday's water.", "Monday's water stays in the tank."]),
        ("Ask the miller Ann, who opens the gate at nine.",
         ["Ask the miller Ann.", "The miller Ann opens the gate at nine."]),
        ("The boy opens the tank, which is full, and closes the gate.",
         ["The boy opens the tank.", "The tank is full.", "The boy closes the gate."]),
        ("Go by the manual, which replaces the label.",
         ["Go by the manual, which replaces the label.", "The manual replaces the label."]),
    ],
)  # fmt: skip
def test_a_noun_is_told_of_apart(answer: str, expected: list[str]) -> None:
    assert claims(answer) == expected


@pytest.mark.parametrize(
    "answer",
    [
        "After a day the pump counts as lost, which may lead to a fine.",
        "You can pay the fee in coins, which is free.",
        "The pump saves the old water, which means that the tank is full.",
        "The pump fills the tank, which makes it slow.",
        "The deposit earns interest of 1% a year, which is paid in May.",
        "The water goes into the tank, which you can open at night.",
        "The water goes into the tank, where it stays for a day.",
        "The clerk is declared `absent`, which rings the bell.",
        "The pump lets the tank drain, which takes an hour.",
        "The guests have a key for the gate, which is in the drawer.",
    ],
)
def test_where_the_noun_is_not_sure_the_clause_stays_in_front(answer: str) -> None:
    first = answer.partition(", wh")[0]
    assert claims(answer) == [f"{first}.", answer]


@pytest.mark.parametrize(
    "answer",
    [
        "The pump which feeds the tank is green.",
        "If you open the tank, which is full, the pump stops.",
        "Two gates matter: the north gate, which is shut.",
        "You can, with the key, which is in the drawer.",
    ],
)
def test_no_part_of_another_clause_is_told_apart(answer: str) -> None:
    assert not any(claim.endswith(("the tank.", "the north gate.", "the key.")) for claim in claims(answer))


def test_the_talk_goes_on_about_what_it_was_about() -> None:
    found = claims("The pump feeds a small tank, which holds 5 litres. It stops at night.")
    assert found[-1] == "The pump stops at night."


WORDS = "the a pump tanks is , which who where holds it `x` of can : and year"


@given(st.lists(st.sampled_from(WORDS.split())))
def test_any_words_give_pieces_inside_the_clause(words: list[str]) -> None:
    text = " ".join(words)
    for piece in relatives(text, Piece("", 0, len(text))):
        assert 0 <= piece.start <= piece.end <= len(text)
