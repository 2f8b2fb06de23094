"""Rule-made changes of what goes with which: the parts are the documents' own, only their company is another."""

import random

from hypothesis import given
from hypothesis import strategies as st

from training import bindings

BOOTS = "Boots are replaced every six years after 20 hours of use, helmets after 40 hours."
SEEDS = range(20)


def test_an_amount_is_exchanged_with_a_neighbours_of_the_same_unit() -> None:
    made = {
        bindings.neighbour("A card costs 12 euros.", ["The pool costs 30 euros for 2 hours."], random.Random(s))
        for s in SEEDS
    }
    assert made == {"A card costs 30 euros."}


def test_two_amounts_of_a_sentence_change_places() -> None:
    made = {bindings.neighbour(BOOTS, [], random.Random(s)) for s in SEEDS}
    assert made - {None} == {"Boots are replaced every six years after 40 hours of use, helmets after 20 hours."}


def test_ordinals_of_a_list_and_times_are_no_amounts() -> None:
    for text in ("1. Tell your manager.", "The desk opens at 9:30."):
        assert bindings.neighbour(text, ["2. Fill in the form.", "It closes at 12:45."], random.Random(1)) is None


def test_what_holds_is_said_of_the_case_of_another_sentence() -> None:
    rule = "Late claims are paid only, if the director agrees."
    other = "If the host provides a meal, the allowance falls away."
    made = {bindings.condition(rule, [other], random.Random(s)) for s in SEEDS}
    assert made == {
        "Late claims are paid only if the host provides a meal.",
        "If the host provides a meal, late claims are paid only.",
    }


def test_a_condition_that_leans_on_another_sentence_goes_nowhere() -> None:
    assert (
        bindings.condition("Claims are paid if a director agrees.", ["If they refuse, it ends."], random.Random(0))
        is None
    )


def test_a_half_stands_by_itself_or_is_not_taken() -> None:
    assert bindings.half("Pins are copied; holds are not.", random.Random(0)) is None  # too short to say anything
    said = {
        bindings.half("The small room holds six people, and the large room holds twenty.", random.Random(s))
        for s in SEEDS
    }
    assert said <= {"The small room holds six people.", "The large room holds twenty.", None}
    assert bindings.half("The lock is held for a day; it is then released by the server.", random.Random(0)) in (
        "The lock is held for a day.",
    )


@given(
    st.lists(st.text("If wahen 0123456789 euros,;. is days the", max_size=60), min_size=1, max_size=4),
    st.integers(0, 99),
)
def test_a_bound_change_differs_and_names_its_rule(texts: list[str], seed: int) -> None:
    found = bindings.bound(texts[0], texts[1:], random.Random(seed))
    assert found is None or (found[0] in ("neighbour", "condition") and found[1].lower() != texts[0].lower())
