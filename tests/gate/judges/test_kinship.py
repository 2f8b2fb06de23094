from __future__ import annotations

from collections.abc import Callable

from gate.judges.alignment import Alignment
from gate.judges.kinship import cover_tail, kinship, places
from gate.judges.reading import read

Laid = Callable[..., Alignment]


def test_neighbours_that_stay_together_count(laid: Laid) -> None:
    near = laid("The sand is replaced in autumn.", "In autumn the sand is replaced.")
    far = laid(
        "The sand is replaced in autumn.",
        "The sand of all the playgrounds near the river is cleaned by the parks department every spring, and swings "
        "are replaced by it in autumn.",
    )
    assert near.cover_window == far.cover_window
    assert kinship(near) > kinship(far)


def test_a_single_term_has_no_neighbours(laid: Laid) -> None:
    assert kinship(laid("Sand.", "Sand and water.")) == 1.0


def test_amounts_are_neighbours_too(laid: Laid) -> None:
    swapped = laid(
        "Prime has 23 kg.", "Prime is the fare of those who like comfort and long legs and good food; 23 kg."
    )
    assert kinship(swapped) < 1.0


def test_places_are_found_by_key_part_and_synonym() -> None:
    reading = read("Delete `pool_timeout` files.")
    removed, pool = read("removed pool").content
    assert places(removed, reading) == [0]
    assert places(pool, reading) == [1]


def test_the_end_of_the_claim_is_covered_apart(laid: Laid) -> None:
    changed_end = laid("The client uses digest.", "The client uses basic.")
    changed_start = laid("The digest uses client.", "The basic uses client.")
    assert cover_tail(changed_end) < cover_tail(changed_start)
    assert cover_tail(laid("Waits 5 seconds.", "Waits 6 seconds.")) < cover_tail(
        laid("Waits 5 seconds.", "Waits 5 seconds.")
    )
