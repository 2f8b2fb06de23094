from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.shared import check_shared
from gate.judges.local import HARD

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("Pumpkins are kept for 4 days.", "Melons are kept for 4 days, pumpkins for 9 days."),
        ("Scans are stored for 30 days on Copper.", "Scans are stored for 7 days on Copper and 30 days on Silver."),
        ("On Sundays the lido closes at 8 pm.", "The lido opens at 9 am and closes at 8 pm, on Sundays at 2 pm."),
        ("A grand piano costs 120 euros.", "A piano costs 120 euros, a grand piano 260 euros."),
    ],
)
def test_what_is_shared_out_goes_to_its_own(laid: Laid, claim: str, document: str) -> None:
    (finding,) = check_shared(laid(claim, document))
    assert finding.kind == "other value"
    assert finding.strength >= HARD
    assert finding.sentence >= 0


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("Pumpkins are kept for 9 days.", "Melons are kept for 4 days, pumpkins for 9 days."),
        ("Melons are kept for 4 days.", "Melons are kept for 4 days, pumpkins for 9 days."),
        ("Scans are stored for 30 days on Silver.", "Scans are stored for 7 days on Copper and 30 days on Silver."),
        ("On Sundays the lido closes at 2 pm.", "The lido opens at 9 am and closes at 8 pm, on Sundays at 2 pm."),
        ("The lido closes at 8 pm.", "The lido opens at 9 am and closes at 8 pm, on Sundays at 2 pm."),
        (
            "Bicycle theft is reported to the police within 48 hours.",
            "Theft is reported to the police within 48 hours and to us within 7 days.",
        ),
        ("A piano and a grand piano cost 380 euros together.", "A piano costs 120 euros, a grand piano 260 euros."),
        ("Pumpkins are kept for 4 days.", "Pumpkins are kept for 4 days if cut, and uncut pumpkins for 9 days."),
        (
            "The essay makes up 75 per cent, and the talk the rest.",
            "The essay makes up 75 per cent, the talk 25 per cent.",
        ),
        ("Pumpkins are not kept for 4 days.", "Melons are kept for 4 days, pumpkins for 9 days."),
    ],
)
def test_what_may_be_true_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_shared(laid(claim, document)) == []
