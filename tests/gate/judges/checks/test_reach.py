from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.reach import check_reach
from gate.judges.local import HARD

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("Only administrators can read the logs.", "Administrators and editors can read the logs."),
        ("Only administrators can read the logs.", "Administrators, editors and auditors can read the logs."),
        ("Invoices are only sent by mail.", "Invoices are sent by mail and fax."),
        ("The key is always sent.", "The key is usually sent."),
        ("Every account has a quota.", "Many accounts have a quota."),
        ("All plans include phone support.", "Most plans include phone support."),
        ("The name must be set.", "The name may be set."),
        ("A deposit is required for bookings.", "A deposit is optional for bookings."),
        ("Setting the region is optional.", "Setting the region is mandatory."),
        ("The client follows redirects.", "The client does not follow redirects."),
        ("Cookies are never stored.", "Cookies are stored."),
        ("Schema changes block reads.", "Schema changes block writes, not reads."),
    ],
)
def test_one_word_that_changes_how_far_it_goes_is_a_sure_finding(laid: Laid, claim: str, document: str) -> None:
    (finding,) = check_reach(laid(claim, document))
    assert finding.kind == "reach"
    assert finding.strength >= HARD
    assert finding.sentence >= 0


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("Only administrators can read the logs.", "Only administrators can read the logs."),
        ("Administrators can read the logs.", "Administrators and editors can read the logs."),
        ("Only administrators can read the logs.", "Nobody but administrators can read the logs and settings."),
        ("Every account has a quota.", "Each account has a quota."),
        ("Every account has a quota.", "Many accounts have a quota. There is a quota for all accounts."),
        ("The key is always sent.", "The key is sent every time."),
        ("The name must be set.", "A name is required."),
        ("Schema changes block writes.", "Schema changes block writes, not reads."),
        ("The export contains orders.", "The export contains orders and not invoices."),
        (
            "The client follows redirects.",
            "The client does not follow redirects unless told. By itself the client follows redirects of its own host.",
        ),
        ("Cookies are not stored.", "Cookies are stored nowhere."),
        ("Cookies are stored. Never share them.", "Cookies are stored. Never share them."),
        ("Some accounts have a quota.", "All accounts have a quota."),
        ("Redirects are followed if the flag is set.", "Redirects are not followed unless the flag is set."),
        ("Cancelling a booking costs nothing.", "Cancelling a booking is free of charge."),
        ("Cancelling a booking is free of charge.", "Cancelling a booking costs nothing."),
    ],
)
def test_what_may_be_true_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_reach(laid(claim, document)) == []


@pytest.mark.parametrize(
    ("claim", "document", "message"),
    [
        (
            "The client follows redirects.",
            "The client does not follow redirects.",
            "the document denies what the claim says",
        ),
        ("Cookies are never stored.", "Cookies are stored.", "the claim denies what the document says"),
    ],
)
def test_a_denial_says_whose_it_is(laid: Laid, claim: str, document: str, message: str) -> None:
    assert [finding.message for finding in check_reach(laid(claim, document))] == [message]
