from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.amounts import check_amounts
from gate.judges.local import HARD

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The timeout is 5 seconds.", "By default the timeout is five seconds."),
        ("The timeout is two minutes.", "The timeout is 120 s."),
        ("The file may have 2 GB.", "A file of at most 2048 MB is taken."),
        ("The route is 5 km long.", "The route has a length of 5000 m."),
        ("The parcel weighs 1 kg.", "The weight of the parcel is 1000 g."),
        ("The share is 50 %.", "The share is 0.5."),
        ("The card costs Rs 800 a year.", "The card costs Rs 800 yearly."),
        ("The card costs Rs 800 a year.", "The card costs Rs 800; it is paid every year."),
        ("It costs $3 million.", "The price was 3,000,000 dollars."),
        ("Three retries are made.", "It tries 3 times."),
        ("Open between 3 and 7 pm.", "Open from 15:00 to 19:00."),
        ("It came on 5 March 2024.", "Released 2024-03-05."),
        ("The pier is shut on March 5 and 6.", "The pier is shut on 5 and 6 March."),
        ("The pier is shut from May 5 to May 9.", "The pier is shut from 5 to 9 May."),
        ("The pier is shut on January 1.", "The pier is shut on New Year's Day."),
        ("It needs version 3.11.", "It needs version 3.11 or newer."),
        ("There is a limit.", "The limit is 5."),
        ("It takes 1-2 minutes.", "It takes one to two minutes."),
        ("It may be kept for one year.", "It may be kept for 365 days."),
        ("The minimum age is 14 years.", "Children under 14 are not admitted."),
        ("Open six days a week.", "Open Monday to Saturday."),
        ("Use API v2.", "The API v2 is used."),
        ("In version 3.2 it was raised.", "Changes\n3.2: raised."),
        ("The fee is 1,50 euros.", "The fee is €1.50."),
        ("Liability is 2.500 euros.", "Liability is up to €2,500."),
        ("Open from 9 a.m. to noon.", "Open from 9:00 to 12:00."),
        ("From day five a note is needed.", "A note is needed from the fifth day on."),
        ("The lease starts on 01/09/2025.", "The lease starts on 1 September 2025."),
        ("Use it by March 31.", "It must be used by 31 March 2026."),
        ("Rent is due on the 3rd.", "Rent is due on the third of each month."),
        ("It takes 1 h 30 min.", "It takes 90 minutes."),
        ("The limit is 1 request a second.", "The limit is one request a second."),
        ("A bucket holds 1,5 l.", "A bucket holds 1500 ml."),
        ("It takes 30 minutes instead of 15.", "It takes 15 minutes, or 30 minutes for some."),
        ("Since 3.34 it has another name.", "Since 3.34.0 it has another name."),
    ],
)
def test_the_same_amount_in_other_clothes_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_amounts(laid(claim, document)) == []


@pytest.mark.parametrize(
    ("claim", "document", "said"),
    [
        ("The timeout is 10 seconds.", "The timeout is 5 seconds.", "'5 seconds' where the claim says '10 seconds'"),
        ("The timeout is 5 ms.", "The timeout is 5 seconds.", "'5 seconds' where the claim says '5 ms'"),
        ("The share is 20 %.", "The share is 30 percent.", "'30 percent' where the claim says '20 %'"),
        ("The route is 6 km long.", "The route is 5000 m long.", "'5000 m' where the claim says '6 km'"),
        ("It is Rs 800 a year.", "It is Rs 800 a month.", "'Rs 800 per month' where the claim says 'Rs 800 per year'"),
        ("It is $20 a year.", "It is $5 at first, then $20 a month.", "'$20 per month' where the claim says '$20 per"),
        ("It makes 100 calls/min.", "It makes 100 calls/s.", "'100 calls per second' where the claim says '100 calls"),
        ("Send 100 per minute.", "Send 100 per second.", "'100 per second' where the claim says '100 per minute'"),
        ("The fee is 1,50 euros.", "The fee is €150.", "'€150' where the claim says '1,50 euros'"),
        ("Open until noon.", "Open until 1 pm.", "'1 pm.' where the claim says 'noon'"),
        ("From day five on.", "From the fourth day on.", "'fourth' where the claim says 'day five'"),
        ("Use it by 31 May.", "Use it by 31 March.", "'31 March' where the claim says '31 May'"),
        ("Report it within a week.", "Report it within 14 days.", "'14 days' where the claim says 'a week'"),
        ("Keep 12 copies.", "Keep 7 copies.", "'7 copies' where the claim says '12 copies'"),
        ("It came with version 1.4.2.", "It came with version 1.5.0.", "version 1.5.0 where the claim says 1.4.2"),
    ],
)
def test_another_amount_is_told_with_both_sides(laid: Laid, claim: str, document: str, said: str) -> None:
    (finding,) = check_amounts(laid(claim, document))
    assert finding.against
    assert said in finding.message
    assert finding.sentence == 0


def test_an_amount_that_stands_nowhere_is_missing_not_denied(laid: Laid) -> None:
    (finding,) = check_amounts(laid("The pool holds 17 sockets.", "The pool holds sockets."))
    assert (finding.kind, finding.against) == ("number missing", False)
    (finding,) = check_amounts(laid("It came with version 9.1.1.", "It came early."))
    assert (finding.kind, finding.against) == ("version missing", False)


def test_an_amount_that_the_claim_gives_as_well_is_no_rival_of_its_other_one(laid: Laid) -> None:
    claim, document = "It runs for 36 hours, so after five days it stops.", "It runs for 36 hours."
    (finding,) = check_amounts(laid(claim, document))
    assert finding.kind == "number missing"
    (finding,) = check_amounts(laid(claim, "It runs for 36 hours and stops after four days."))
    assert finding.message == "the document says 'four days' where the claim says 'five days'"


def test_a_percentage_does_not_stand_where_ten_of_something_do(laid: Laid) -> None:
    (finding,) = check_amounts(laid("The discount is 10%.", "The discount is for groups. Ten guests fit in."))
    assert finding.kind == "number missing"


def test_an_amount_of_another_place_is_weaker_than_a_conflict(laid: Laid) -> None:
    far = "Nothing here speaks of that matter at all. " * 4
    elsewhere = laid(
        "The pool keeps idle sockets for 40 seconds.",
        "The pool keeps idle sockets. " + far + "40 seconds later it rains.",
    )
    (finding,) = check_amounts(elsewhere)
    assert finding.kind == "number elsewhere"
    assert not finding.against


def test_half_an_hour_is_said_for_what_is_near_it_alone(laid: Laid) -> None:
    claim = "The kettle keeps warm for half an hour."
    (far,), (near,) = (check_amounts(laid(claim, f"The kettle keeps warm for {m} minutes.")) for m in ("90", "40"))
    assert far.strength >= HARD > near.strength


def test_small_counts_without_a_unit_weigh_little(laid: Laid) -> None:
    (small,) = check_amounts(laid("There are two ways.", "There are ways."))
    (large,) = check_amounts(laid("There are forty ways.", "There are ways."))
    assert small.strength < large.strength


def test_an_amount_of_something_else_is_told_with_the_one_of_this(laid: Laid) -> None:
    between = "It is of wood. It has a crane. It has two lamps."
    document = f"Lost keys must be reported within 24 hours. {between} The pier is closed with a notice of 48 hours."
    (finding,) = check_amounts(laid("Lost keys must be reported within 48 hours.", document))
    assert "'24 hours' of this, and '48 hours' of something else" in finding.message
    assert (finding.against, finding.sentence) == (True, 0)


def test_an_amount_that_another_sentence_gives_of_this_stands(laid: Laid) -> None:
    document = "Lost keys must be reported within 24 hours. Keys lost on the pier: 48 hours. It is closed in May."
    found = check_amounts(laid("Lost keys must be reported within 48 hours on the pier.", document))
    assert all(finding.strength < 0.7 for finding in found)
