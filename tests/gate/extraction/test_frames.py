"""What is said in front and holds for later clauses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.frames import Frame, behind_colon, condition_at, spaced, unparted
from gate.extraction.tokens import tokenise


@pytest.mark.parametrize(
    ("text", "opener"),
    [
        ("If it rains, the mill stops.", "If it rains, "),
        ("In Oslo, the mill stops.", "In Oslo, "),
        ("Should it rain, the mill stops.", "Should it rain, "),
        ("By default it's shut, so the mill stops.", ""),
        ("The mill stops.", ""),
        ("As a miller you may grind, and if you pay, you may bake.", "As a miller "),
        ("As a rule the mill stops.", ""),
        ("In Oslo; the mill stops.", ""),
    ],
)
def test_the_opener_of_a_clause(text: str, opener: str) -> None:
    tokens = tokenise(text, 0, len(text))
    assert condition_at(text, tokens, 0)[1] == opener


def test_a_colon_begins_a_clause() -> None:
    text = "mills are slow: the wheel turns and stops"
    tokens = tokenise(text, 0, len(text))
    assert tokens[behind_colon(tokens, 0, len(tokens))].text == "the"
    assert behind_colon(tokens, 0, 3) == 0


def test_how_far_a_frame_reaches() -> None:
    rain = Frame("If it rains, ", scoped=True)
    assert rain.shared("and", taken=False) == "If it rains, "
    assert rain.shared("while", taken=False) == ""
    assert rain.beyond(";").shared("and", taken=True) == ""
    town = Frame("In Oslo, ")
    assert (town.shared("and", taken=False), town.shared("and", taken=True)) == ("", "In Oslo, ")
    price = rain.behind("Then the price:", label=True)
    assert price.beyond(";").shared(";", taken=False) == "Then the price: "
    assert rain.behind("Mills are slow:", label=False).beyond(";").shared(";", taken=False) == ""


@given(st.text())
def test_spaced_ends_in_a_space(text: str) -> None:
    assert spaced(text).startswith(text)
    assert not text or spaced(text).endswith(" ")


@pytest.mark.parametrize(
    ("text", "main"),
    [
        ("When the mill is full you can wait outside.", "you"),
        ("If you bring rye it must be dry.", "it"),
        ("When the mill is full, you can wait.", ""),
        ("When the key you can see is red.", ""),
        ("If you know that you can wait, do.", ""),
        ("The mill is full.", ""),
        ("", ""),
    ],
)
def test_a_clause_behind_a_condition_without_a_comma(text: str, main: str) -> None:
    tokens = tokenise(text, 0, len(text))
    at = unparted(tokens, 0, len(tokens))
    assert (tokens[at].text if at else "") == main
