from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.amounts import check_amounts
from gate.judges.checks.reckoned import reckoned, within
from gate.judges.local import HARD

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("With four years in the club you pay half the fee.", "| 3 to 7 years | half the fee |"),
        ("A five-hour ride may be made in first class.", "First class is for rides of more than four hours."),
        ("A trunk of 35 kg is not taken.", "Nothing of over 32 kg is taken."),
        ("A guest who stays for five hours needs a pass.", "Guests stay for up to 6 hours with a pass."),
        ("You can send a roll of 1.4 m.", "Rolls are taken up to a length of 150 cm."),
        ("My 8-year-old needs an adult.", "Children under 12 years need an adult."),
        ("A parcel of 32 kg is refused.", "Parcels heavier than 31.5 kg are refused."),
        ("With twelve years in the club you pay nothing.", "| 10 years and over | nothing |"),
        ("With six years in the club you pay half the fee.", "| 5 to under 10 years | half the fee |"),
        ("If you book at 1 pm, the seat is yours that day.", "Seats booked before 2 pm are yours that day."),
        ("When a parcel arrives after 9 days, it is free.", "A parcel that takes over 7 days to arrive is free."),
        ("A trunk of 12 kg costs 4 euros.", "A trunk of over 20 kg is refused; below that it costs 4 euros."),
        ("98.4 % of full days means a refund.", "A refund is due below 99 % of full days."),
        ("For a delay of 50 minutes you get half the fare.", "Half the fare for a delay of 40 to 89 minutes."),
        ("A 25 kg bag goes for free.", "Bags go for free if they weigh no more than 28 kg."),
        ("At 1,800 euros the head decides.", "Above 1,200 euros the head decides."),
        ("A 16-year-old may have the card.", "The card is for the young (15 to 20)."),
        ("A change one day after the order is free.", "A change within 72 hours of the order is free."),
    ],
)
def test_a_case_within_the_bounds_is_no_other_amount(laid: Laid, claim: str, document: str) -> None:
    alignment = laid(claim, document)
    assert within(alignment.claim, alignment.claim.numbers[0], alignment.sentences[0].reading)
    assert all(finding.strength < HARD for finding in check_amounts(alignment))


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("With two years in the club you pay half the fee.", "| 3 to 7 years | half the fee |"),
        ("Files of up to 5 MB are taken.", "Files of up to 8 MB are taken."),
        ("Files are kept for 5 days.", "Files are kept for up to 8 days."),
        ("For a delay of 30 minutes you get half the fare.", "Half the fare for a delay of 40 to 89 minutes."),
        ("A fee of 5 euros is due.", "A fee of up to 8 euros is due."),
        ("If you book at 3 pm, the seat is yours that day.", "Seats booked before 2 pm are yours that day."),
        ("The seat is yours if booked before 3 pm.", "Seats booked before 2 pm are yours."),
        ("A trunk of 35 kg is taken.", "A trunk may have up to 32 kg."),
        ("A trunk of 35 kg is taken.", "A trunk has 32 kg."),
    ],
)
def test_another_bound_and_a_case_outside_are_told(laid: Laid, claim: str, document: str) -> None:
    alignment = laid(claim, document)
    assert not within(alignment.claim, alignment.claim.numbers[0], alignment.sentences[0].reading)
    assert any(finding.strength >= HARD for finding in check_amounts(alignment))


@pytest.mark.parametrize(
    ("claim", "amount"),
    [
        ("The boat is 0.30 euros a mile plus 0.05 for each guest, so 0.40 euros with two of them.", 0.4),
        ("The boat and one guest make 0.35 euros altogether.", 0.35),
        ("Three boats come to 0.90 euros.", 0.9),
        ("With guests it makes 0.25 euros more.", 0.25),
    ],
)
def test_what_follows_from_the_amounts_is_no_other_amount(laid: Laid, claim: str, amount: float) -> None:
    alignment = laid(claim, "A boat costs 0.30 euros a mile and each guest in the boat adds 0.05 euros.")
    (number,) = (one for one in alignment.claim.numbers if one.value == amount)
    assert reckoned(alignment, number)
    assert not [finding for finding in check_amounts(alignment) if finding.strength >= HARD]


def test_a_sum_of_all_amounts_and_a_number_of_things_are_no_other_amounts(laid: Laid) -> None:
    kept = laid("It keeps 7 red and 4 blue pins, i.e. 11 pins in total.", "It keeps 7 red and 4 blue pins.")
    miles = laid("For 100 miles that makes 45 euros.", "A mile is 0.45 euros.")
    wrong = laid("It keeps 7 red and 4 blue pins, i.e. 13 pins in total.", "It keeps 7 red and 4 blue pins.")
    assert check_amounts(kept) == check_amounts(miles) == []
    assert check_amounts(wrong)


@pytest.mark.parametrize(
    "claim",
    [
        "The boat is 0.35 euros a mile.",  # it does not say that it reckons
        "The boat is 0.30 euros a mile plus 0.05 for each guest, so 0.45 euros with two of them.",
    ],
)
def test_a_wrong_sum_and_an_amount_that_only_looks_like_one_are_told(laid: Laid, claim: str) -> None:
    alignment = laid(claim, "A boat costs 0.30 euros a mile and each guest in the boat adds 0.05 euros.")
    assert any(finding.strength >= HARD for finding in check_amounts(alignment))


@pytest.mark.parametrize(
    ("claim", "hard"),
    [("After ten years a clerk has 33 days of leave.", False), ("After ten years a clerk has 34 days of leave.", True)],
)
def test_so_many_and_three_more_are_the_sum_and_nothing_else(laid: Laid, claim: str, hard: bool) -> None:
    found = check_amounts(laid(claim, "A clerk has 30 days of leave, and three more after ten years."))
    assert any(finding.strength >= HARD for finding in found) == hard


def test_how_many_times_one_amount_is_another(laid: Laid) -> None:
    right, wrong = (laid(f"Members have {times} that of guests: 600 calls.", "Guests have 60 calls, members 600 calls.")
                    for times in ("10x", "5x"))  # fmt: skip
    assert reckoned(right, right.claim.numbers[0])
    assert not reckoned(wrong, wrong.claim.numbers[0])


def test_things_that_a_claim_names_are_counted(laid: Laid) -> None:
    document = "`str` gives text. `int` and `float` give numbers. `path` gives the rest of converters."
    for count, right in (("four", True), ("five", False)):
        alignment = laid(f"There are {count} converters: `str`, `int`, `float` and `path`.", document)
        assert reckoned(alignment, alignment.claim.numbers[0]) is right


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The default timeout is 2 seconds: short, but enough.", "The default timeout is 5 seconds."),
        ("The fee is 2 euros: one for you and one for me.", "The fee is 7 euros."),
        ("There are four converters: `str`, `int`, `float` and `path`.", "There are five converters."),
    ],
)
def test_what_stands_behind_a_colon_counts_no_measure_and_nothing_that_the_document_counts(
    laid: Laid, claim: str, document: str
) -> None:
    assert any(finding.strength >= HARD for finding in check_amounts(laid(claim, document)))
