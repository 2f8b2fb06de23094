from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.bounds import check_bounds
from gate.judges.local import HARD

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("Up to 5 users can share a board.", "At least 5 users can share a board."),
        ("More than 5 users can share a board.", "5 users at most can share a board."),
        ("You can upload files larger than 2 GB.", "You can upload files up to 2 GB."),
        ("At least 20 MB are free for uploads.", "At most 20 MB are free for uploads."),
        ("A password has up to 12 characters.", "A password has a minimum of 12 characters."),
        ("A title has 80 characters or more.", "A title has no more than 80 characters."),
        ("A team needs less than 3 owners.", "A team needs 3 owners or more."),
        ("Groups have over 50 members.", "Groups have up to 50 members."),
        ("Orders below 40 EUR ship free.", "Orders above 40 EUR ship free."),
        ("Notice is given at least 14 days before.", "Notice is given at most 14 days before."),
    ],
)
def test_the_same_amount_bounded_the_other_way_is_a_sure_finding(laid: Laid, claim: str, document: str) -> None:
    (finding,) = check_bounds(laid(claim, document))
    assert finding.kind == "bound"
    assert finding.strength >= HARD
    assert finding.sentence >= 0


def test_passages_that_share_the_sentence_change_nothing(laid: Laid) -> None:
    assert check_bounds(laid("Up to 5 users can share a board.", *2 * ["At least 5 users can share a board."]))


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("Up to 5 users can share a board.", "At most 5 users can share a board."),
        ("Up to 5 users are free.", "More than 5 users cost extra."),
        ("At least 5 users are needed.", "5 users or more are needed."),
        ("Orders below 40 EUR cost 5 EUR to ship.", "Orders above 40 EUR ship free."),
        ("A title may not exceed 80 characters.", "A title has at most 80 characters."),
        ("Uploads up to 20 MB are accepted.", "Uploads over 20 MB are rejected."),
        ("Up to 5 users can share a board.", "5 users can share a board."),
        ("A team has no more than 3 owners.", "A team has 3 owners or fewer."),
        ("Up to 5 users can share a board.", "Up to 5 users can share a board; at least 5 users need a plan."),
        ("Groups do not have more than 50 members.", "Groups have up to 50 members."),
        ("A member must be at least 18.", "Nobody under 18 may be a member."),
    ],
)
def test_what_may_be_true_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_bounds(laid(claim, document)) == []
