"""What is said on the side is a claim of its own: a reason, a concession, a remark between commas."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.asides import asides
from gate.extraction.extract import extract


@pytest.mark.parametrize(
    ("text", "aside"),
    [
        ("The pump, which stores oil in the tank, is green.", "The pump stores oil in the tank."),
        ("The founder, who was arrested in 2020, runs the shop.", "The founder was arrested in 2020."),
        ("Because the tank is leaking, the pump stops after 5 minutes.", "The tank is leaking."),
        ("Although the pump is unsafe, the warranty lasts two years.", "The pump is unsafe."),
        ("The warranty lasts two years because the motor is old.", "The motor is old."),
        ("The pump works, though the motor is old: ask the vendor for a new one.", "The motor is old."),
        ("The pump runs — although the motor is old — and the tank too.", "The motor is old."),
        ("Since the pump was recalled in 2021, support answers on weekdays.", "The pump was recalled in 2021."),
    ],
)
def test_a_statement_on_the_side_is_a_claim_beside_the_whole(text: str, aside: str) -> None:
    found = [claim.text for claim in extract(text)]
    assert found[-1] == aside
    assert text in found


@pytest.mark.parametrize(
    "text",
    [
        "The pump which is green runs.",
        "The limit is 5, which is fine.",
        "It has been green since 2019.",
        "The pump stops because of the heat.",
        "If the tank is empty, the pump stops.",
        "Since the tank is empty the pump stops at once.",
        "Try it: since v3.2 it fills the tank.",
        "Only pumps that have run since the last check are dry.",
        "The price, tax and shipping are shown.",
        "",
    ],
)
def test_what_does_not_stand_alone_is_left_in_place(text: str) -> None:
    assert asides(text, 0, len(text)) == []


@given(st.lists(st.sampled_from(["the", "pump", "is", ",", "which", "because", "who", "since", "stops", "."])))
def test_any_words_give_pieces_inside_the_sentence(words: list[str]) -> None:
    text = " ".join(words)
    for piece in asides(text, 0, len(text)):
        assert 0 <= piece.start < piece.end <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "Once 90 days have gone by since the mill was shut, the boat is sold.",
        "The mill is shut, and not because the wheel is dry.",
        "It isn't because the wheel is dry that the mill is shut.",
        "The mill is shut, but never because the wheel is dry.",
        "The mill is treated as though the wheel were dry.",
        "If you left because the wheel was dry, the fee is paid back.",
    ],
)
def test_a_reason_that_is_denied_made_up_or_part_of_a_condition_is_not_stated(text: str) -> None:
    assert asides(text, 0, len(text)) == []
