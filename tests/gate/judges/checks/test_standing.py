from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.standing import stands, written
from tests.support.steps import steps

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The book is kept for one day.", "The book is kept for a single day."),
        ("The book is kept for 7 days.", "The book is kept for a week."),
        ("It can be had back until day 14.", "It can be had back for 14 days."),
        ("We write on the 6th day.", "We write after three, six and nine days."),
        ("The film is kept for 60 minutes.", "The film is kept for an hour."),
        ("You break off after 15 minutes.", "You break off after a quarter of an hour."),
        ("Up to 6 days move to the next year.", "Up to 6 unused days move to the next year."),
        ("Guards watch the gate 2 days a week.", "| Days at the gate | 5 a week | 2 a week |"),
        ("The loan is for 30 days.", "The number of days of the loan is 30."),
        ("A 16-year-old may row.", "Those aged 16 or 17 may row."),
        ("The kilometre costs 35 cents.", "The kilometre costs 0.35 euros."),
        ("It is for parcels of five or more days.", "It is for parcels that are at least five days old."),
        ("Nights are between ten and seven.", "Nights are from 22:00 to 07:00."),
        ("A courier takes one day.", "The post takes 3 to 5 days, a courier one."),
        ("Seven tenths of the seats are taken.", "Of the seats 70 % are taken."),
    ],
)
def test_an_amount_stands_in_other_clothes(laid: Laid, claim: str, document: str) -> None:
    alignment = laid(claim, document)
    assert all(stands(alignment, number, 0) for number in alignment.claim.numbers)


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The book is kept for one day.", "The book is kept for two days."),
        ("Pills are taken for four days.", "Pills are taken four a day."),
        ("It can be had back until day 15.", "It can be had back for 14 days."),
        ("Pills are taken for one day.", "Pills are taken once a day."),
        ("Pills are taken for one day.", "Pills are taken 3 a day."),
        ("An answer comes within 5 days.", "An answer comes within 5 working days."),
        ("An answer comes within 5 days.", "An answer of 5 pages comes within 9 days."),
        ("A 16-year-old may row.", "Boats with 16 seats are for rowing."),
        ("The kilometre costs 35 cents.", "The kilometre costs 35 euros."),
    ],
)
def test_another_amount_does_not(laid: Laid, claim: str, document: str) -> None:
    alignment = laid(claim, document)
    assert not any(stands(alignment, number, 0) for number in alignment.claim.numbers)


def test_other_clothes_count_only_where_the_claim_is_spoken_of(laid: Laid) -> None:
    far = "The cellar of the old mill is damp, and an hour of airing helps."
    alignment = laid("The blocking fee starts after one hour.", "The blocking fee starts after four hours.", far)
    assert not stands(alignment, alignment.claim.numbers[0], 1)


def test_a_figure_is_no_part_of_another() -> None:
    assert written("5", "It is 5 or more.")
    assert not written("5", "It is 55 or 1.5.")


def test_a_long_claim_costs_no_more_for_each_amount_and_sentence(laid: Laid) -> None:
    def looked(words: int) -> int:
        claim = f"The fee is 7 euros for {', '.join(f'thing{n}' for n in range(words))}."
        alignment = laid(claim, "The fee is 7 euros.", "Trees grow 9 metres tall.")
        number = next(one for one in alignment.claim.numbers if one.unit == "EUR")
        return steps(lambda: stands(alignment, number, 1))

    assert looked(200) == looked(20)
