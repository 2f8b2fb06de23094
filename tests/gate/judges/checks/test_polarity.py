from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.polarity import check_polarity

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The client does not follow redirects.", "The client never follows redirects."),
        ("Redirects are not followed.", "Unlike others, it does not follow redirects by default."),
        ("Cash is not accepted.", "Payment by card; cash is refused."),
        ("Smoking is prohibited.", "You may not smoke here."),
        ("The service starts at the beginning and stops at the end.", "It starts at first and stops at last."),
        ("It is not only fast but also small.", "It is fast and small."),
        ("The cache is enabled.", "The cache is enabled; the log is disabled."),
        ("The old key is dropped.", "The new key replaces the old key."),
    ],
)
def test_the_same_sense_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert [f for f in check_polarity(laid(claim, document)) if f.against] == []


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The client follows redirects.", "The client does not follow redirects."),
        ("The client does not follow redirects.", "The client follows redirects."),
        ("Tokens are never stored.", "Tokens are stored."),
        ("Reports are sent without attachments.", "Reports are sent with attachments."),
    ],
)
def test_a_denial_on_one_side_is_a_conflict(laid: Laid, claim: str, document: str) -> None:
    (finding,) = check_polarity(laid(claim, document))
    assert finding.against
    assert "denies" in finding.message


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
        ("It runs after the commit.", "It runs before the commit.", "'before' where the claim says 'after'"),
    ],
)
def test_an_opposite_is_told_with_both_words(laid: Laid, claim: str, document: str, said: str) -> None:
    found = [f for f in check_polarity(laid(claim, document)) if f.kind == "opposite"]
    assert found
    assert said in found[0].message
    assert found[0].against


def test_an_opposite_that_is_denied_says_the_same(laid: Laid) -> None:
    assert check_polarity(laid("The cache is not enabled.", "The cache is disabled.")) == []


def test_a_denial_of_something_else_is_no_conflict(laid: Laid) -> None:
    found = check_polarity(laid("Copies are kept for a month.", "Copies are kept for a month; originals are not."))
    assert not any(finding.against for finding in found)


def test_empty_and_odd_claims_do_no_harm(laid: Laid) -> None:
    for claim in ("Not.", "No no no never.", "5", "`--no-cache`"):
        check_polarity(laid(claim, "It is not so."))
