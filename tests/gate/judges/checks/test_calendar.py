from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.calendar import check_calendar

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document", "said"),
    [
        ("The pier is open Monday to Friday.", "The pier is open Monday to Thursday.", "does not name Friday"),
        ("The pier is open Mon-Fri.", "The pier is open Monday through Saturday.", "names Saturday too"),
        ("The pier is open on Fridays.", "The pier is open Monday to Thursday.", "does not name Friday"),
        ("The pier is closed on Mondays.", "The pier is closed on Sundays.", "does not name Monday"),
        ("The pier is not open on Mondays.", "The pier is not open on Sundays.", "does not name Monday"),
        ("The pier is open daily.", "The pier is open Monday to Friday.", "does not name Saturday, Sunday"),
        ("The pier is open Friday to Sunday.", "The pier is open on weekdays.", "does not name Saturday, Sunday"),
        ("The deck is swept every day.", "The deck is swept every week.", "'every week' where the claim says 'every"),
        ("The berth is paid monthly.", "The berth is paid yearly.", "'yearly' where the claim says 'monthly'"),
        ("Keys are kept for 7 calendar days.", "Keys are kept for 7 working days.", "counts working days"),
        ("We reply within 2 business days.", "We reply within 2 calendar days.", "counts calendar days"),
    ],
)
def test_another_day_or_period_is_told(laid: Laid, claim: str, document: str, said: str) -> None:
    (finding,) = check_calendar(laid(claim, document))
    assert said in finding.message
    assert (finding.against, finding.sentence) == (True, 0)


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The pier is open Mon-Fri.", "The pier is open Monday through Friday."),
        ("The pass is not good on Saturdays.", "The pass is good only from Monday to Friday, except in July."),
        ("The pier is open on weekdays.", "The pier is open Monday to Friday."),
        ("The pier is open on Wednesday.", "The pier is open Monday to Saturday."),
        ("The pier is closed on Sundays.", "The pier is open Monday to Saturday."),
        ("There is no ferry on Sundays.", "There are ferries Monday to Saturday."),
        (
            "The pier opens Monday to Saturday.",
            "The pier opens Monday to Friday at 9. On Saturday the pier opens at 10.",
        ),
        ("Is the pier open on Sunday? It is open Monday to Friday.", "The pier is open Monday to Friday."),
        ("The daily fee is 5 euros.", "The daily fee is 5 euros, Monday to Friday."),
        ("The deck is swept every day.", "The deck is swept daily."),
        ("The berth is 50 euros a month, paid monthly.", "The monthly fee for a berth is 50 euros."),
        ("The berth is paid yearly.", "The berth is paid monthly or yearly."),
        ("The berth is paid yearly.", "The berth is 500 euros a year, or 50 euros a month."),
        ("Keys are kept for 7 business days.", "Keys are kept for 7 working days."),
        ("Keys are kept for 7 days.", "Keys are kept for 7 working days."),
    ],
)
def test_the_same_days_and_periods_in_other_words_are_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_calendar(laid(claim, document)) == []
