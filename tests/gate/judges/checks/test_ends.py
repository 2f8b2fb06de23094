from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.ends import check_ends
from gate.judges.local import HARD

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The sauna can be used after 9 pm.", "Guests can use the sauna until 9 pm; after that it is closed."),
        ("Entries sent after 3 March are accepted.", "Entries are accepted if they are sent until 3 March."),
        ("Copies are included after 40 pages.", "Copies are included up to 40 pages."),
        ("Rooms are ready until 14:00.", "Rooms are ready from 14:00."),
    ],
)
def test_what_ends_there_does_not_begin_there(laid: Laid, claim: str, document: str) -> None:
    (finding,) = check_ends(laid(claim, document))
    assert finding.kind == "bound"
    assert finding.strength >= HARD
    assert finding.sentence >= 0


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The sauna can be used until 9 pm.", "Guests can use the sauna until 9 pm; after that it is closed."),
        ("The sauna is closed after 9 pm.", "Guests can use the sauna until 9 pm; after that it is closed."),
        ("The sauna is closed after 9 pm.", "The sauna is open until 9 pm."),
        ("The sauna cannot be used after 9 pm.", "Guests can use the sauna until 9 pm."),
        ("All lamps must be out after 22:00.", "Lamps are allowed until 22:00."),
        ("The pool can be used after 9 pm.", "Guests can use the sauna until 9 pm."),
        ("The sauna can be used after 8 pm.", "Guests can use the sauna until 9 pm."),
    ],
)
def test_what_may_be_true_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_ends(laid(claim, document)) == []
