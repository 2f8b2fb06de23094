"""Which indices are left over: what nobody reads, and nobody can be reading or building any more."""

from typing import Any

from gate.store.elasticsearch_generations import GRACE, Generation, left_over


def left(*found: tuple[Any, ...], now: float = 10 * GRACE) -> list[str]:
    return left_over([Generation(*one) for one in found], now)


def test_what_an_alias_leads_to_stays_however_old() -> None:
    assert left(("live", 0, True)) == []
    assert left() == []


def test_what_was_replaced_stays_for_a_while_from_then_on() -> None:
    begun = 9 * GRACE
    assert left(("old", 0, False), ("live", begun, True), now=begun + GRACE - 1) == []
    assert left(("old", 0, False), ("live", begun, True), now=begun + GRACE + 1) == ["old"]


def test_what_readers_had_stays_for_a_while_after_it_was_replaced_however_long_that_took() -> None:
    old, live = ("old", 0, False, 9 * GRACE), ("live", GRACE, True)
    assert left(old, live, now=10 * GRACE - 1) == []
    assert left(old, live, now=10 * GRACE + 1) == ["old"]


def test_the_order_is_that_of_time() -> None:
    assert left(("live", 9.5 * GRACE, True), ("a", 0, False), ("b", GRACE, False)) == ["a"]


def test_a_build_that_was_given_up_goes_when_it_is_old() -> None:
    assert left(("live", 0, True), ("build", 9.5 * GRACE, False)) == []
    assert left(("live", 0, True), ("build", GRACE, False)) == ["build"]
