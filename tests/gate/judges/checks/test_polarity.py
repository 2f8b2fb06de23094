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
        ("The miller cannot visit at night.", "The miller oils the stone."),
        ("A late sack is no problem.", "A late sack is taken."),
        ("The sack is taken, no matter how late.", "The sack is taken late."),
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


def test_a_denial_of_something_else_is_no_conflict(laid: Laid) -> None:
    found = check_polarity(laid("Copies are kept for a month.", "Copies are kept for a month; originals are not."))
    assert not any(finding.against for finding in found)


@pytest.mark.parametrize("claim", ["The miller cannot visit at night.", "The miller can not come whenever he wants."])
def test_of_what_no_passage_speaks_nothing_is_said(laid: Laid, claim: str) -> None:
    (finding,) = check_polarity(laid(claim, "The miller oils the stone."))
    assert (finding.message, finding.against) == ("the claim says no, and the nearest passage does not", False)


def test_what_happens_where_a_rule_is_broken_is_not_denied(laid: Laid) -> None:
    rule = "The sack must not be open to the wind; otherwise the mill stops with `E_SACK`."
    assert check_polarity(laid("`E_SACK` means that the sack is open to the wind.", rule)) == []
    assert check_polarity(laid("The sack is open to the wind.", rule))


def test_empty_and_odd_claims_do_no_harm(laid: Laid) -> None:
    for claim in ("Not.", "No no no never.", "5", "`--no-cache`"):
        check_polarity(laid(claim, "It is not so."))
