from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.opposites import check_opposites
from gate.judges.local import HARD

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document", "said"),
    [
        (
            "The cache is enabled by default.",
            "The cache is disabled by default.",
            "'disabled' where the claim says 'enabled'",
        ),
        ("The call is asynchronous.", "The call is synchronous.", "'synchronous' where the claim says 'asynchronous'"),
        ("Send a PATCH request.", "Send a PUT request.", "'put' where the claim says 'patch'"),
        ("The field is optional.", "The field is required.", "'required' where the claim says 'optional'"),
        ("Keys are sorted in ascending order.", "Keys are sorted in descending order.", "'descending'"),
        ("The soft limit is longer than the hard one.", "The soft limit is shorter than the hard one.", "'shorter'"),
        (
            "Files of more than 5 MB are sent.",
            "Files of less than 5 MB are sent.",
            "'less' where the claim says 'more'",
        ),
        ("Guests may enter the archive.", "Guests are forbidden to enter the archive.", "'forbidden'"),
        ("Unused seats are kept.", "Unused seats are dropped.", "'dropped' where the claim says 'kept'"),
        ("It runs after the commit.", "It runs before the commit.", "'before' where the claim says 'after'"),
    ],
)
def test_an_opposite_is_told_with_both_words(laid: Laid, claim: str, document: str, said: str) -> None:
    found = check_opposites(laid(claim, document))
    assert found
    assert said in found[0].message
    assert found[0].against


def test_an_opposite_that_is_denied_says_the_same(laid: Laid) -> None:
    assert check_opposites(laid("The cache is not enabled.", "The cache is disabled.")) == []
    assert check_opposites(laid("Cash is forbidden.", "Cards are allowed; cash is not allowed.")) == []
    assert (
        check_opposites(
            laid(
                "Without a key it fails if the host is unreachable.",
                "If the host can't be reached, it fails without a key.",
            )
        )
        == []
    )
    assert (
        check_opposites(
            laid(
                "A letter without a stamp goes back immediately.",
                "A letter without a stamp is not kept for later, it goes back.",
            )
        )
        == []
    )


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        # What is refused is something else than what may be done.
        ("You can still read the archive.", "The archive is closed: reading works, but new entries are refused."),
        ("A locked door can be opened with a master key.", "Locking a door refuses the visitors; a master key works."),
        ("Only members may park.", "Parking is forbidden except for members."),
        ("Can I smoke on deck? Smoking is permitted there.", "Smoking is prohibited in cabins but permitted on deck."),
        ("Several guests may stay, but pets need a form.", "Without a form, pets that stay are refused."),
        # A bound, and the word in another use; bounds of two amounts.
        (
            "While the lift is under repair, you take the stairs.",
            "While a large lift is repaired, you take the stairs.",
        ),
        ("A stay lasts at most two nights.", "A stay lasts up to 2 nights once the minimum age is reached."),
        ("A parcel below 10 euros needs no receipt.", "A parcel of 10 euros needs one, no more than 80 euros a week."),
        # The same order, told from the other end.
        ("The second attempt comes after a pause.", "There is a pause before the second attempt."),
        ("You have two options at night: lock it or chain it.", "At night you must lock it or chain it."),
        ("One permit covers the bikes of the house.", "A permit covers the house, however many bikes stand there."),
        ("A broken lamp gets the state `dark`.", "A broken lamp is put into the state `dark`."),
        ("The office is closed on weekends.", "The office is open Monday to Friday."),
        # What holds until something, and from then on.
        ("The pier is unlocked by paying the toll.", "The pier stays locked until the toll has been paid."),
        ("A deposit is pending until the tide is high enough.", "If the tide is too low, a deposit waits for it."),
        # A refusal is something that happens.
        ("After a rejection you have 60 days to turn to the clerk.", "Whoever disagrees can turn to the clerk."),
    ],
)
def test_words_said_of_something_else_are_no_opposites(laid: Laid, claim: str, document: str) -> None:
    assert check_opposites(laid(claim, document)) == []


def test_two_sides_of_one_event_are_no_sure_finding(laid: Laid) -> None:
    found = check_opposites(
        laid("The office sends all of them mail.", "All of them keep receiving mail of the office.")
    )
    assert all(finding.strength < HARD for finding in found)
