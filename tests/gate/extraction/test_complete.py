"""Statements that are whole."""

import pytest

from gate.extraction.complete import complete


def test_what_is_complete() -> None:
    assert complete("The buyer pays.")
    assert complete("Pay the fee.")
    assert complete("If you leave, the fee is lost.")
    assert not complete("The buyer, unless the contract says otherwise.")
    assert not complete("5 euros")
    assert complete("Restart it.")
    assert not complete("Gauge")
    assert not complete("Gauge.")
    assert not complete("Any colour you like.")
    assert complete("Any colour you like is fine.")


@pytest.mark.parametrize("text", ["Be careful with the key.", "Do it soon.", "In any case keep the key away from it."])
def test_an_order_is_whole(text: str) -> None:
    assert complete(text)


@pytest.mark.parametrize("text", ["In the case of the red key", "By the use of a key", "On each side the key"])
def test_words_of_place_are_no_order(text: str) -> None:
    assert not complete(text)
