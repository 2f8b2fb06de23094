from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.paired import check_paired
from gate.judges.local import HARD

Laid = Callable[..., Alignment]
LEAVE = "Employees get 2 extra days of leave after 5 years of service and 4 extra days after 10 years."
NIGHTS = "The fee is 20 euros for up to 3 nights and 35 euros for up to 7 nights."
PLANS = "Basic includes 5 GB for 9 euros; Plus, the larger plan, includes 50 GB for 19 euros."


@pytest.mark.parametrize(
    ("claim", "document", "told"),
    [
        ("After 10 years you get 2 extra days of leave.", LEAVE, "'10 years' with '4 extra', the claim '10 years'"),
        ("You get 4 extra days of leave after 5 years.", LEAVE, "'4 extra' with '10 years', the claim '4 extra'"),
        ("For 7 nights the fee is 20 euros.", NIGHTS, "'7 nights' with '35 euros'"),
        ("The Plus plan includes 5 GB for 19 euros.", PLANS, "'5 GB' with '9 euros'"),
    ],
)
def test_amounts_of_two_pairs_are_a_sure_finding(laid: Laid, claim: str, document: str, told: str) -> None:
    (finding,) = check_paired(laid(claim, document))
    assert (finding.kind, finding.against, finding.sentence) == ("other value", True, 0)
    assert finding.strength >= HARD
    assert told in finding.message


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("After 10 years you get 4 extra days of leave.", LEAVE),
        ("You get 2 extra days of leave.", LEAVE),
        ("After 10 years you get 6 extra days of leave in total.", LEAVE),
        # Which of them belong together is not told by their order alone.
        ("Up to 20 kg it costs 5 euros.", "It is free up to 10 kg, 5 euros up to 20 kg and 9 euros above."),
        ("After 10 years you get 2 days.", "After 5 years, you get 2 days, and, after 10 years, 4 days."),
        ("A parcel of 10 kg costs 9 euros.", "It costs 6 euros up to 5 kg and 9 euros up to 10 kg."),
        ("20 GB cost 10 euros.", "The price is 5 euros for 20 GB and 10 euros for 20 GB with backups."),
        ("After 10 years you get 2 extra days of leave.", LEAVE + " After 10 years Basel gives 2 extra days of leave."),
        ("After 7 years you get 2 extra days of leave.", LEAVE),
    ],
)
def test_what_may_be_right_is_left_alone(laid: Laid, claim: str, document: str) -> None:
    assert check_paired(laid(claim, document)) == []
